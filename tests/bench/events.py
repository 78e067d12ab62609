#!/usr/bin/env python3
"""cairn log beside dotnet-trace on the same process, which does a counted number of each thing: how many events of each
kind either has. One line for each kind, and what differs."""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "e2e"))

import dotnet_trace
from application import Application
from event_pipe import NAMES, RUNTIME, named_counts_of

KEYWORDS = 0x1 | 0x8 | 0x10 | 0x4000 | 0x8000 | 0x10000
WORK = ("exceptions 1000", "threads 100", "contend 50", "collect 30", "plugins 20", "dynamic 20")


class EventsTruth(Application):
    """Without tiers, so that nothing is compiled a while later."""

    def __init__(self, program):
        super().__init__([program], {**os.environ, "DOTNET_gcServer": "0", "DOTNET_TieredCompilation": "0"})

    def ask(self, command):
        self.send(command)
        if not self.process.stdout.readline().startswith("DONE"):
            sys.exit(f"events: the application ended at {command}")


def start_trace(program, pid, path):
    return dotnet_trace.DotnetTrace(program, pid, path, f"{RUNTIME}:0x{KEYWORDS:x}:5", "--buffersize", "256")


class CairnLog:
    def __init__(self, program, pid, path):
        self.path = path
        self.process = subprocess.Popen([program, "log", str(pid), "--events", "all", "--json", "-v"], stdout=path.open("w"),
                                        stderr=subprocess.PIPE, text=True)
        first = self.process.stderr.readline()
        if "logging process" not in first:
            sys.exit(f"events: cairn does not begin: {first}")

    def end(self):
        self.process.send_signal(signal.SIGINT)
        _, err = self.process.communicate(timeout=120)
        if self.process.returncode != 0:
            sys.exit(f"events: cairn failed: {err}")
        return Counter(json.loads(line)["event"] for line in self.path.read_text().splitlines())


def compare(cairn, trace, program, folder):
    """True: the same counts."""
    with EventsTruth(program) as application:
        # With the first session the runtime compiles what sessions need, which is none of the work.
        start_trace(trace, application.pid, folder / "first.nettrace").end()
        theirs = start_trace(trace, application.pid, folder / "peer.nettrace")
        ours = CairnLog(cairn, application.pid, folder / "log.json")
        for command in WORK:
            application.ask(command)
        ours, theirs = ours.end(), named_counts_of(theirs.end().read_bytes())
    print(f"-- {'; '.join(WORK)}\n{'event':<18}{'cairn log':>10}{'dotnet-trace':>14}")
    for name in NAMES.values():
        print(f"{name:<18}{ours[name]:>10}{theirs[name]:>14}{'' if ours[name] == theirs[name] else '  DIFFERS'}")
    return all(ours[name] == theirs[name] for name in NAMES.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True)
    parser.add_argument("--app", help="events-truth, published (BUILD/targets/events-truth)")
    parser.add_argument("--gate", action="store_true", help="exit 1 when counts differ")
    options = parser.parse_args()
    build = Path(options.build).resolve()
    program = Path(options.app or build / "targets" / "events-truth" / "events-truth")
    with tempfile.TemporaryDirectory(prefix="cairn-events-") as folder:
        same = compare(build / "bin" / "cairn", dotnet_trace.install(build), program, Path(folder))
    return 1 if options.gate and not same else 0


if __name__ == "__main__":
    sys.exit(main())
