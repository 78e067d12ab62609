#!/usr/bin/env python3
"""first_picture.py --build DIR SNAPSHOT: when the window of `cairn view` shows something useful, what its frames cost, and
what it uses when nothing happens. Needs Xvfb; draws in software. Prints one line each; decides nothing."""

import argparse
import os
import subprocess
import tempfile
import time
from pathlib import Path


def cpu_seconds(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident(pid):
    lines = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    own, mapped = (int(lines[name].split()[0]) / 1024 for name in ("RssAnon", "RssFile"))
    return f"resident: {own:.0f} MiB of its own, {mapped:.0f} MiB mapped"


def start_screen():
    reading, writing = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(writing), "-screen", "0", "1400x900x24", "-noreset"],
                              pass_fds=[writing], stderr=subprocess.DEVNULL)
    os.close(writing)
    return server, f":{os.fdopen(reading).readline().strip()}"


FAILED = "failed: "


def frames_of(path):
    """Ends where the window shows an error in place of the snapshot: there is nothing to measure."""
    lines = path.read_text().splitlines() if path.exists() else []
    for line in lines:
        if line.startswith(FAILED):
            raise SystemExit(f"the window shows an error: {line.removeprefix(FAILED)}")
    return [tuple(map(float, line.split())) for line in lines if len(line.split()) == 3]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True)
    parser.add_argument("--at", default="overview")
    parser.add_argument("--idle", type=float, default=10, help="seconds to watch it do nothing")
    parser.add_argument("snapshot")
    arguments = parser.parse_args()
    server, display = start_screen()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "frames"
        environment = {**os.environ, "DISPLAY": display, "XDG_CONFIG_HOME": folder, "XDG_CACHE_HOME": folder,
                       "CAIRN_VIEW_FRAMES": str(report)}
        start = time.monotonic()
        window = subprocess.Popen([str(Path(arguments.build) / "bin" / "cairn-desktop"), "--at", arguments.at,
                                   arguments.snapshot], env=environment)
        try:
            while len(frames_of(report)) < 3:  # what the small tables tell
                if window.poll() is not None:
                    raise SystemExit(f"the window ended with {window.returncode}")
                time.sleep(0.005)
            print(f"first frames: {time.monotonic() - start:.2f} s after the start, {cpu_seconds(window.pid):.2f} s of CPU; {resident(window.pid)}")
            quiet, count = 0, 0
            while quiet < 10:  # a second without a frame: all of it is there
                if window.poll() is not None:
                    raise SystemExit(f"the window ended with {window.returncode}")
                time.sleep(0.1)
                now = len(frames_of(report))
                quiet, count = (quiet + 1 if now == count else 0), now
            print(f"all of it: {time.monotonic() - start - 1:.2f} s after the start, {cpu_seconds(window.pid):.2f} s of CPU; {resident(window.pid)}")
            before = cpu_seconds(window.pid)
            time.sleep(arguments.idle)
            used = cpu_seconds(window.pid) - before
            print(f"idle: {100 * used / arguments.idle:.1f} % of one core, {len(frames_of(report)) - count} frames; {resident(window.pid)}")
            built, drawn, cpu = zip(*frames_of(report))
            for name, times in (("built", built), ("drawn", drawn), ("CPU", cpu)):
                ordered = sorted(times)
                print(f"frames {name}: median {ordered[len(ordered) // 2]:.2f} ms, worst {ordered[-1]:.2f} ms of {len(ordered)}")
        finally:
            window.terminate()
            window.wait()
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
