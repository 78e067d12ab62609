"""The window, worked with by mouse and by keyboard as a person does: real events of a real X server."""

import contextlib
import os
from pathlib import Path

from harness import expect, expect_equal
from leak_cases import shop, visit
from screen import Desktop, screen
from view_cases import picture_of

# Of a picture, at most this share may differ: where the text cursor blinks, or a hairline falls elsewhere.
TOLERANCE = 0.003


@contextlib.contextmanager
def leaking_shop(lab):
    """Captured before and after it has leaked; it goes on."""
    with shop(lab) as target:
        lab.capture(target.pid, lab.folder / "before.cairn")
        visit(target, "subscribe?n=200")
        lab.capture(target.pid, lab.folder / "after.cairn")
        yield target


def settings_of(lab):
    return {"recent": [str(lab.folder / "before.cairn"), str(lab.folder / "after.cairn")], "width": 1280, "height": 800}


def by_mouse(lab, desktop, pid):
    """Pictures by what they show."""
    pictures, before, after = {}, lab.folder / "before.cairn", lab.folder / "after.cairn"
    desktop.click(f"start.recent.{after}")
    desktop.await_place(f"overview?file={after}")
    desktop.click("view.types")
    desktop.await_place("types?")
    desktop.click("table0.title.type")
    desktop.await_place("types?sort=type:up")
    pictures["sorted"] = desktop.picture()
    desktop.click("table0.0.objects")
    desktop.await_place("objects?type=")
    pictures["objects"] = desktop.picture()
    desktop.click("table0.0.object")
    place = desktop.await_place("object?object=@")["place"]
    pictures["object"] = desktop.picture()
    desktop.click("fact.Held by")
    desktop.await_place(place.replace("object?", "paths?", 1))
    pictures["paths"] = desktop.picture()
    desktop.click("view.start")
    desktop.click(f"start.tick.{before}")
    desktop.click(f"start.tick.{after}")
    desktop.click("start.compare")
    desktop.await_place(f"diff?file={before}&file={after}")
    pictures["diff"] = desktop.picture()
    desktop.click("back")
    desktop.await_place("start")
    desktop.click(f"start.capture.{pid}")
    expect_captured(lab, desktop, pid)
    return pictures


def by_keyboard(lab, desktop, pid):
    pictures, before, after = {}, lab.folder / "before.cairn", lab.folder / "after.cairn"
    press = desktop.hands.press
    desktop.palette(f"open {after}")
    desktop.await_place(f"overview?file={after}")
    desktop.palette("types")
    desktop.await_place("types?")
    press("Ctrl+s")
    desktop.await_widget("palette.text")
    desktop.hands.type("type")
    press("Enter")
    desktop.await_place("types?sort=type:up")
    pictures["sorted"] = desktop.picture()
    press("Down")
    press("Enter")
    desktop.await_place("objects?type=")
    pictures["objects"] = desktop.picture()
    press("Down")
    press("Enter")
    place = desktop.await_place("object?object=@")["place"]
    pictures["object"] = desktop.picture()
    press("g")
    press(hint_on(desktop, "fact.Held by"))
    desktop.await_place(place.replace("object?", "paths?", 1))
    pictures["paths"] = desktop.picture()
    desktop.palette(f"compare with the earlier {before}")
    desktop.await_place(f"diff?file={before}&file={after}")
    pictures["diff"] = desktop.picture()
    for there in ("paths?", "object?", "objects?", "types?"):
        press("Alt+Left")
        desktop.await_place(there)
    press("Alt+Right")
    desktop.await_place("objects?")
    desktop.palette(f"capture {pid}")
    expect_captured(lab, desktop, pid)
    return pictures


README_PICTURES = {"overview": ("after.cairn",), "changes": ("before.cairn", "after.cairn", "--at", "diff"),
                   "treemap": ("after.cairn", "--at", "treemap")}
PICTURE_FOLDER = Path(__file__).resolve().parents[2] / "viewer" / "ui" / "pictures"


def draw_readme_pictures(lab, display):
    """As they are to be: drawn, and as large as those that are kept. CAIRN_PICTURES=DIR writes them there."""
    for name, arguments in README_PICTURES.items():
        picture, _ = picture_of(lab, display, *arguments, settings={"width": 1080, "height": 640})
        expect(picture.colours() > 100, f"{name}: only {picture.colours()} colours")
        if "CAIRN_PICTURES" in os.environ:
            (Path(os.environ["CAIRN_PICTURES"]) / f"{name}.png").write_bytes(picture.png())
        kept = (PICTURE_FOLDER / f"{name}.png").read_bytes()
        expect_equal(kept[16:24], picture.png()[16:24], f"width and height of {name}.png")


def hint_on(desktop, widget):
    """The letter that was put before it."""
    widgets = desktop.await_state(lambda state: "hint.a" in state["widgets"], "letters on what leads on")["widgets"]
    letters = [name.removeprefix("hint.") for name, area in widgets.items()
               if name.startswith("hint.") and abs(area[2] - widgets[widget][0]) < 1 and area[1] == widgets[widget][1]]
    expect_equal(len(letters), 1, f"hints on {widget}")
    return letters[0]


def expect_captured(lab, desktop, pid):
    """In a tab of its own, and a snapshot as any other."""
    state = desktop.await_state(lambda state: state["tabs"] == 2 and f"_{pid}_" in state["place"], "the capture is opened")
    expect(state["place"].startswith("overview?file="), f"the place is {state['place']}")
    expect_equal(state["page"]["failure"], None, "failure of the capture's page")
    (path,) = [path for path in lab.folder.glob("*.cairn") if f"_{pid}_" in path.name]
    lab.verify(path)
    path.unlink()


def same_by_mouse_and_by_keyboard(lab):
    """Open, sort, follow a link to an object, see its path, compare two snapshots, capture: and the same is on the screen."""
    with leaking_shop(lab) as target, screen() as display:
        with Desktop(lab, display, settings=settings_of(lab)) as desktop:
            mouse = by_mouse(lab, desktop, target.pid)
        with Desktop(lab, display, settings=settings_of(lab)) as desktop:
            keyboard = by_keyboard(lab, desktop, target.pid)
        draw_readme_pictures(lab, display)
        target_works = visit(target, "count")
    expect(target_works, "the shop goes on")
    expect_equal(mouse.keys(), keyboard.keys(), "pictures")
    for name, picture in mouse.items():
        expect(picture.colours() > 50, f"{name}: only {picture.colours()} colours")
        share = picture.difference(keyboard[name])
        expect(share <= TOLERANCE, f"{name}: {share:.2%} of the picture differ between mouse and keyboard")
    for name in mouse:
        others = [other for other in mouse if other != name and mouse[name].difference(mouse[other]) <= TOLERANCE]
        expect(not others, f"{name} looks like {others}")


def comes_back_as_it_was(lab):
    """Tabs, their order of rows, a width that was drawn; also after the window was killed."""
    with lab.heap_truth() as target:
        lab.capture(target.pid, lab.folder / "one.cairn")
    with screen() as display:
        with Desktop(lab, display, "one.cairn", "--at", "types", settings={}) as desktop:
            before = widths(desktop)
            left, top, right, bottom = desktop.await_state(lambda state: True, "settled")["widgets"]["table0.title.objects"]
            x, y = right, (top + bottom) / 2  # the border
            drag(desktop, x, y, x + 50)
            drawn = widths(desktop)
            expect(drawn["objects"] >= before["objects"] + 40, f"drawn from {before} to {drawn}")
            desktop.hands.press("Ctrl+t")
            desktop.await_state(lambda state: state["tabs"] == 2, "a second tab")
            desktop.palette("treemap")
            desktop.await_place("treemap?")
            desktop.process.kill()
            desktop.process.wait()
        with Desktop(lab, display) as desktop:
            desktop.await_place(f"treemap?file={lab.folder / 'one.cairn'}")
            expect_equal(desktop.state()["tabs"], 2, "tabs")
            desktop.click("tab.0")
            desktop.await_place("types?")
            expect_equal(widths(desktop), drawn, "widths of the next window")
            desktop.hands.press("Ctrl+q")
            expect_equal(desktop.process.wait(60), 0, "exit code")
        # Something else than ours: as without.
        with Desktop(lab, display, settings=["not", {"ours": None}]) as desktop:
            expect_equal(desktop.await_place("start")["tabs"], 1, "tabs")


def widths(desktop):
    state = desktop.await_state(lambda state: "table0.title.objects" in state["widgets"], "the table")
    titles = {name.removeprefix("table0.title."): area for name, area in state["widgets"].items() if ".title." in name}
    return {name: round(right - left) for name, (left, _, right, _) in titles.items()}


def drag(desktop, x, y, to):
    """As hands do: slowly enough to be seen on the way."""
    for step in [("move", x), ("button", True), *(("move", x + (to - x) * i / 5) for i in range(1, 6)), ("button", False)]:
        before = desktop.state()["frame"]
        if step[0] == "move":
            desktop.hands.move(step[1], y)
        else:
            desktop.hands.button(step[1])
        desktop.await_state(lambda state: state["frame"] > before, f"{step} is seen")


DPI = "*customization: -color\nXft.dpi:\t{}\nXft.antialias:\t1\n"


def follows_the_scale_of_the_screen(lab):
    """As the display says at first, and whenever it says something else: with letters made anew, not stretched."""
    with lab.heap_truth() as target:
        lab.capture(target.pid, lab.folder / "one.cairn")
    arguments = ("one.cairn", "--at", "types")
    with screen(1400, 900) as display:
        with Desktop(lab, display, *arguments, settings={"width": 1200, "height": 800}) as desktop:
            state = desktop.await_place("types?")
            expect_equal((state["scale"], state["font"]), (1.0, 15.0), "scale and letters of a display that says nothing")
            for dpi, scale, font in ((192, 2.0, 30.0), (144, 1.5, 22.0), (96, 1.0, 15.0), (192, 2.0, 30.0)):
                desktop.hands.set_resources(DPI.format(dpi))
                state = desktop.await_state(lambda state: state["scale"] == scale, f"scale {scale}")
                expect_equal(state["font"], font, f"pixels of letters at {dpi} dots per inch")
            changed = desktop.picture()
        # 600 by 400 at twice the scale is as many pixels.
        with Desktop(lab, display, *arguments, settings={"width": 600, "height": 400}) as desktop:
            state = desktop.await_place("types?")
            expect_equal((state["scale"], state["font"], state["size"]), (2.0, 30.0, [1200, 800]), "of a window begun so")
            begun = desktop.picture()
            desktop.hands.press("Ctrl+q")
            desktop.process.wait(60)
            kept = desktop.settings()
            expect_equal((kept["width"], kept["height"]), (600, 400), "the size that is remembered")
    share = changed.difference(begun)
    expect(share <= TOLERANCE, f"{share:.2%} of the picture differ between a scale that came and one that was there")


CASES = [
    ("window: by mouse and by keyboard", same_by_mouse_and_by_keyboard),
    ("window: comes back as it was", comes_back_as_it_was),
    ("window: follows the screen's scale", follows_the_scale_of_the_screen),
]
