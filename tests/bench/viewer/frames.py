#!/usr/bin/env python3
"""frames.py --build DIR SNAPSHOT: what a frame of `cairn view` costs while somebody works in it: scrolls through all
objects, sorts them, moves over the treemap. Real events on a screen of its own (Xvfb), drawn in software. Prints for each
the frames' CPU time (of all threads; what the machine's other work does not change) and wall time; decides nothing."""

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "e2e"))

from harness import Lab  # noqa: E402
from first_picture import cpu_seconds, frames_of  # noqa: E402
from screen import Desktop, screen  # noqa: E402

SIZE = {"width": 1280, "height": 800}


class Frames:
    """The lines that the window writes: milliseconds of building, of drawing, of CPU."""

    def __init__(self, path):
        self.path, self.seen = path, 0

    def new(self):
        whole = frames_of(self.path)
        fresh, self.seen = whole[self.seen:], len(whole)
        return fresh


class MeasuredDesktop(Desktop):
    """Waits for no page that the window says will not come."""

    def __init__(self, report, *arguments, **options):
        self.report = report
        super().__init__(*arguments, **options)

    def state(self):
        frames_of(self.report)
        return super().state()


def of_hundred(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share / 100))]


def tell(name, frames):
    if not frames:
        return print(f"{name}: no frames")
    figures = {"CPU": [cpu for _, _, cpu in frames], "wall": [built + drawn for built, drawn, _ in frames],
               "wall of building": [built for built, _, _ in frames]}
    words = ", ".join(f"{what} p50 {of_hundred(values, 50):.1f} p99 {of_hundred(values, 99):.1f} ms" for what, values in figures.items())
    print(f"{name}: {len(frames)} frames, {words}", flush=True)


def press_and_see(desktop, key, times):
    for _ in range(times):
        before = desktop.state()["frame"]
        desktop.hands.press(key)
        desktop.await_state(lambda state: state["frame"] > before, key)


def scroll(desktop, frames):
    frames.new()
    press_and_see(desktop, "PageDown", 100)
    tell("objects, page by page", frames.new())
    desktop.hover("table0")
    for _ in range(100):
        before = desktop.state()["frame"]
        desktop.hands.click(button=5)
        desktop.await_state(lambda state: state["frame"] > before, "the wheel")
    tell("objects, by the wheel", frames.new())


def sort(desktop, frames, column):
    frames.new()
    start, used, place = time.monotonic(), cpu_seconds(desktop.process.pid), desktop.state()["place"]
    desktop.click(f"table0.title.{column}")
    desktop.await_state(lambda state: state["place"] != place, "sorted", 300)
    used = cpu_seconds(desktop.process.pid) - used
    print(f"sort by {column}: {used:.2f} s of CPU with all frames meanwhile, {time.monotonic() - start:.2f} s of wall")
    tell(f"frames while sorting by {column}", frames.new())


def hover_tiles(desktop, frames):
    left, top, right, bottom = desktop.await_state(lambda state: "tiles" in state["widgets"], "tiles", 300)["widgets"]["tiles"]
    frames.new()
    for i in range(100):
        before = desktop.state()["frame"]
        desktop.hands.move(left + (right - left) * i / 100, top + (bottom - top) * (i * 37 % 100) / 100)
        desktop.await_state(lambda state: state["frame"] > before, "the mouse")
    tell("treemap, under the mouse", frames.new())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True)
    parser.add_argument("snapshot")
    arguments = parser.parse_args()
    lab = Lab(arguments.build, arguments.build, 0, 0, 0, 0)
    snapshot = Path(arguments.snapshot).resolve()
    with tempfile.TemporaryDirectory() as folder, screen() as display:
        lab.folder, report = Path(folder), Path(folder) / "frames"
        os.environ["CAIRN_VIEW_FRAMES"] = str(report)
        with MeasuredDesktop(report, lab, display, snapshot, "--at", "objects", settings=SIZE) as desktop:
            desktop.await_state(lambda state: state["page"].get("tables") and state["page"]["is_preview"] is False, "objects", 300)
            frames = Frames(report)
            scroll(desktop, frames)
            sort(desktop, frames, "bytes")
            sort(desktop, frames, "type")
            desktop.click("view.treemap")
            hover_tiles(desktop, frames)


if __name__ == "__main__":
    main()
