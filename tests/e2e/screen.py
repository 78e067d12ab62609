"""A display that nobody looks at, a window on it, and hands that move its mouse and press its keys: events of the X
server, so that the window cannot tell them from a person's. Needs libX11 and libXtst, by way of ctypes."""

import contextlib
import ctypes
import json
import os
import struct
import subprocess
import time
import zlib

from harness import expect, expect_equal

KEY_NAMES = {"Ctrl": "Control_L", "Shift": "Shift_L", "Alt": "Alt_L", "Enter": "Return", "PageDown": "Next"}
# The modifiers' own keys are let go last.
SHIFTED = set('~!@#$%^&*()_+{}|:"<>?') | set("ABCDEFGHIJKLMNOPQRSTUVWXYZ")


@contextlib.contextmanager
def screen(width=1400, height=900):
    """A display of its own; its number is what DISPLAY says."""
    reading, writing = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{width}x{height}x24", "-nolisten", "tcp",
                               "-noreset"], pass_fds=[writing], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL)
    os.close(writing)
    try:
        with os.fdopen(reading) as told:
            number = told.readline().strip()
        expect(number.isdigit(), f"Xvfb gave no display, exit {server.poll()}")
        yield f":{number}"
    finally:
        server.terminate()
        server.wait(30)


class Picture:
    """Rows of red, green and blue."""

    def __init__(self, width, height, pixels):
        self.width, self.height, self.pixels = width, height, pixels
        expect_equal(len(pixels), 3 * width * height, "bytes of the picture")

    @staticmethod
    def of_file(path):
        """A PPM file as the window writes it."""
        magic, size, depth, pixels = path.read_bytes().split(b"\n", 3)
        expect_equal((magic, depth), (b"P6", b"255"), "the picture's header")
        return Picture(*map(int, size.split()), pixels)

    def at(self, x, y):
        first = 3 * (y * self.width + x)
        return tuple(self.pixels[first:first + 3])

    def colours(self):
        """How many different ones, on every fourth pixel."""
        return len({self.pixels[i:i + 3] for i in range(0, len(self.pixels), 12)})

    def png(self):
        """The same as PNG, without a library."""
        rows = b"".join(b"\0" + self.pixels[y * 3 * self.width:(y + 1) * 3 * self.width] for y in range(self.height))
        parts = [(b"IHDR", struct.pack(">IIBBBBB", self.width, self.height, 8, 2, 0, 0, 0)), (b"IDAT", zlib.compress(rows, 9)),
                 (b"IEND", b"")]
        return b"\x89PNG\r\n\x1a\n" + b"".join(struct.pack(">I", len(data)) + name + data +
                                              struct.pack(">I", zlib.crc32(name + data)) for name, data in parts)

    def difference(self, other, tolerance=24):
        """The share of pixels that differ by more than the tolerance in their green; 1 for another size."""
        if (self.width, self.height) != (other.width, other.height):
            return 1.0
        mine, theirs = self.pixels[1::3], other.pixels[1::3]
        return sum(abs(a - b) > tolerance for a, b in zip(mine, theirs) if a != b) / len(mine)


class XImageHead(ctypes.Structure):
    """The first fields of Xlib's XImage."""
    _fields_ = [("width", ctypes.c_int), ("height", ctypes.c_int), ("xoffset", ctypes.c_int), ("format", ctypes.c_int),
                ("data", ctypes.c_void_p), ("byte_order", ctypes.c_int), ("bitmap_unit", ctypes.c_int),
                ("bitmap_bit_order", ctypes.c_int), ("bitmap_pad", ctypes.c_int), ("depth", ctypes.c_int),
                ("bytes_per_line", ctypes.c_int)]


class Hands:
    """Mouse and keyboard of a display."""

    def __init__(self, display):
        self.x, self.test = ctypes.CDLL("libX11.so.6"), ctypes.CDLL("libXtst.so.6")
        for name, result in (("XOpenDisplay", ctypes.c_void_p), ("XDefaultRootWindow", ctypes.c_ulong),
                             ("XStringToKeysym", ctypes.c_ulong), ("XInternAtom", ctypes.c_ulong),
                             ("XGetImage", ctypes.POINTER(XImageHead))):
            getattr(self.x, name).restype = result
        self.display = ctypes.c_void_p(self.x.XOpenDisplay(display.encode()))
        expect(self.display, f"no display {display}")
        self.root = ctypes.c_ulong(self.x.XDefaultRootWindow(self.display))

    def close(self):
        self.x.XCloseDisplay(self.display)

    def set_resources(self, text):
        """What `xrdb` sets."""
        resource_manager, string, replace = ctypes.c_ulong(23), ctypes.c_ulong(31), 0
        self.x.XChangeProperty(self.display, self.root, resource_manager, string, 8, replace, text.encode(), len(text))
        self.x.XSync(self.display, 0)

    def focus(self, title):
        """What a window manager does for a new window."""
        root, parent, children, count = ctypes.c_ulong(), ctypes.c_ulong(), ctypes.POINTER(ctypes.c_ulong)(), ctypes.c_uint()
        self.x.XQueryTree(self.display, self.root, ctypes.byref(root), ctypes.byref(parent), ctypes.byref(children),
                          ctypes.byref(count))
        for child in children[:count.value]:
            name = ctypes.c_char_p()
            if self.x.XFetchName(self.display, ctypes.c_ulong(child), ctypes.byref(name)) and name.value == title.encode():
                self.x.XSetInputFocus(self.display, ctypes.c_ulong(child), 2, ctypes.c_ulong(0))
                self.x.XSync(self.display, 0)
                return
        expect(False, f"no window is called {title!r}")

    def move(self, x, y):
        self.test.XTestFakeMotionEvent(self.display, -1, int(x), int(y), ctypes.c_ulong(0))
        self.x.XSync(self.display, 0)

    def button(self, is_down, button=1):
        self.test.XTestFakeButtonEvent(self.display, button, int(is_down), ctypes.c_ulong(0))
        self.x.XSync(self.display, 0)

    def click(self, button=1):
        self.button(True, button)
        self.button(False, button)

    def key(self, name, is_down):
        keysym = ord(name) if len(name) == 1 else self.x.XStringToKeysym(KEY_NAMES.get(name, name).encode())
        code = self.x.XKeysymToKeycode(self.display, ctypes.c_ulong(keysym)) & 0xFF
        expect(code, f"no key {name!r}")
        self.test.XTestFakeKeyEvent(self.display, code, int(is_down), ctypes.c_ulong(0))
        self.x.XSync(self.display, 0)

    def press(self, combination):
        """"Ctrl+Shift+C"; also "?"."""
        names = combination.split("+") if len(combination) > 1 else [combination]
        if len(names[-1]) == 1 and names[-1] in SHIFTED and "Ctrl" not in names:
            names.insert(0, "Shift")
        for name in names:
            self.key(name.lower() if len(name) == 1 else name, True)
        for name in reversed(names):
            self.key(name.lower() if len(name) == 1 else name, False)

    def type(self, text):
        for letter in text:
            self.press("space" if letter == " " else letter)

    def picture(self, x, y, width, height):
        """What is on the screen."""
        image = self.x.XGetImage(self.display, self.root, x, y, width, height, ctypes.c_ulong(0xFFFFFFFF), 2)
        head = image.contents
        rows = ctypes.string_at(head.data, head.bytes_per_line * height)
        self.x.XDestroyImage(image)
        pixels = bytearray(3 * width * height)
        for colour in range(3):  # from blue, green, red and nothing
            pixels[2 - colour::3] = rows[colour::4]
        return Picture(width, height, bytes(pixels))


class Desktop:
    """A running `cairn view` that says what it shows, and what a person does to it."""

    def __init__(self, lab, display, *arguments, settings=None, cwd=None):
        self.state_file, self.config = lab.folder / "state.json", lab.folder / "config"
        self.state_file.unlink(missing_ok=True)
        (self.config / "cairn").mkdir(parents=True, exist_ok=True)
        if settings is not None:
            (self.config / "cairn" / "desktop.json").write_text(json.dumps(settings))
        environment = {**os.environ, "DISPLAY": display, "XDG_CONFIG_HOME": str(self.config),
                       "XDG_CACHE_HOME": str(lab.folder / "cache"), "CAIRN_VIEW_STATE": str(self.state_file)}
        self.lab, self.hands = lab, Hands(display)
        self.process = lab.start_cairn("view", *arguments, env=environment)

    def __enter__(self):
        self.await_state(lambda state: True, "the window is there")
        self.hands.focus("cairn")
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()
        self.hands.close()

    def settings(self):
        return json.loads((self.config / "cairn" / "desktop.json").read_text())

    def state(self):
        return json.loads(self.state_file.read_text()) if self.state_file.exists() else {"settled": False, "frame": 0}

    def await_state(self, holds, what, seconds=60):
        """Once nothing is going on any more and this holds."""
        end = time.monotonic() + seconds
        while True:
            state = self.state()
            if state["settled"] and holds(state):
                return state
            expect(self.process.poll() is None, f"{what}: the window has ended with {self.process.poll()}")
            expect(time.monotonic() < end, f"{what}: not after {seconds} s; {state}")
            time.sleep(0.01)

    def await_place(self, text):
        """Until it is where its place begins so, with all that belongs there."""
        return self.await_state(lambda state: state["place"].startswith(text) and state["page"].get("is_preview") is not True,
                                f"the place {text}")

    def await_widget(self, name):
        state = self.await_state(lambda state: name in state["widgets"], f"the widget {name}")
        left, top, right, bottom = state["widgets"][name]
        return state["window"][0] + (left + right) / 2, state["window"][1] + (top + bottom) / 2

    def hover(self, widget):
        before = self.state()["frame"]
        self.hands.move(*self.await_widget(widget))
        self.await_state(lambda state: state["frame"] > before, f"the mouse over {widget} is seen")

    def click(self, widget, button=1):
        self.hover(widget)
        self.hands.click(button)

    def palette(self, text):
        self.hands.press("Ctrl+p")
        self.await_widget("palette.text")
        self.hands.type(text)
        self.hands.press("Enter")

    def picture(self):
        """With the mouse out of the way."""
        before = self.state()["frame"]
        window, width, height = self.state()["window"], *self.state()["size"]
        self.hands.move(window[0] + 5, window[1] + height - 3)
        self.hands.move(window[0] + 3, window[1] + height - 2)
        self.await_state(lambda state: state["frame"] > before, "the mouse has gone")
        return self.hands.picture(*window, width, height)
