"""The desktop itself, on a screen that nobody looks at: it opens where it is told, draws, and ends."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from harness import expect, expect_equal
from screen import Picture, screen

BENCHES = Path(__file__).resolve().parents[1] / "bench" / "viewer"


def picture_of(lab, display, *arguments, settings=None):
    config = lab.folder / "config"
    shutil.rmtree(config, ignore_errors=True)
    (config / "cairn").mkdir(parents=True)
    (config / "cairn" / "desktop.json").write_text(json.dumps(settings or {}))
    path = lab.folder / "picture.ppm"
    path.unlink(missing_ok=True)
    environment = {**os.environ, "DISPLAY": display, "XDG_CONFIG_HOME": str(config), "CAIRN_VIEW_PICTURE": str(path),
                   "XDG_CACHE_HOME": str(lab.folder / "cache")}
    outcome = lab.finish(lab.start_cairn("view", *arguments, env=environment), 120)
    expect_equal(outcome.code, 0, f"exit code of {outcome}")
    return Picture.of_file(path), json.loads((config / "cairn" / "desktop.json").read_text())


def capture_one(lab):
    with lab.heap_truth() as target:
        lab.capture(target.pid, lab.folder / "one.cairn")


PLACES = ["overview", "types?sort=type:up,bytes", "treemap", "heap", "timeline", "object?object=@0",
          "sql?sql=SELECT type%2C count(*) FROM objects GROUP BY 1"]


def opens_every_place(lab):
    """Each place is drawn in colours, and another place is another picture."""
    capture_one(lab)
    seen = {}
    with screen() as display:
        for place in PLACES:
            picture, _ = picture_of(lab, display, "one.cairn", "--at", place)
            expect(picture.width >= 1000 and picture.height >= 600, f"{place}: {picture.width} x {picture.height}")
            expect(picture.colours() > 100, f"{place}: only {picture.colours()} colours")
            expect(picture.pixels not in seen, f"{place} looks like {seen.get(picture.pixels)}")
            seen[picture.pixels] = place


def light_dark_and_large(lab):
    """What the settings say; and they are kept."""
    capture_one(lab)
    with screen(2600, 1700) as display:
        dark, _ = picture_of(lab, display, "one.cairn", settings={"dark": True})
        light, kept = picture_of(lab, display, "one.cairn", settings={"dark": False, "zoom": 2.0, "width": 2000, "height": 1200})
    corner = (10, 5)
    expect(max(dark.at(*corner)) < 60, f"not dark: {dark.at(*corner)}")
    expect(min(light.at(*corner)) > 200, f"not light: {light.at(*corner)}")
    expect_equal((light.width, light.height), (2000, 1200), "the size that was remembered")
    expect_equal((kept["dark"], kept["zoom"], kept["width"]), (False, 2.0, 2000), "settings afterwards")
    expect_equal(kept["recent"], [str(lab.folder / "one.cairn")], "files of late")


def damaged_file_is_told_of(lab):
    """A file cut short opens the window all the same, which says so in its place."""
    capture_one(lab)
    whole = (lab.folder / "one.cairn").read_bytes()
    (lab.folder / "cut.cairn").write_bytes(whole[:len(whole) // 2])
    with screen() as display:
        picture, _ = picture_of(lab, display, "cut.cairn")
        expect(picture.colours() > 50, f"only {picture.colours()} colours")


def failure_ends_a_measurement(lab):
    """Where a window shows an error in place of the snapshot, nobody waits for frames of it."""
    (lab.folder / "foreign.cairn").write_text("This is no snapshot.\n" * 100)
    for script in ("frames.py", "first_picture.py"):
        bench = [sys.executable, str(BENCHES / script), "--build", str(lab.build), str(lab.folder / "foreign.cairn")]
        told = subprocess.run(bench, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
        expect_equal(told.returncode, 1, f"exit code of {script}: {told.stdout}{told.stderr}")
        expect("the window shows an error: " in told.stderr and "foreign.cairn" in told.stderr, f"{script} says {told.stderr}")


CASES = [
    ("view: every place, drawn", opens_every_place),
    ("view: light, dark, large, remembered", light_dark_and_large),
    ("view: a damaged file", damaged_file_is_told_of),
    ("view: an error ends a measurement", failure_ends_a_measurement),
]
