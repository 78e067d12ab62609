#!/usr/bin/env python3
"""Folders in which Wine runs, of 32 and of 64 bits, made of Debian's packages without installing anything on the machine.
wine_room.py --missing: exit 1, and says why, where there can be none."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from debian_packages import debian_sources, fetch, unpack


@dataclass
class Wine:
    """What is called differently by the number of bits."""

    rid: str
    architecture: str  # as Debian calls it
    package: str
    program: str
    server: str
    libraries: str     # below /usr/lib
    cross: str         # below /usr
    more: tuple = ()   # packages

    def packages(self):
        """Wine without sound, pictures and windows needs no more than this."""
        return [self.package, "libwine", "libz-mingw-w64", "libc6", "libgcc-s1", *self.more]

    def environment(self):
        """mscoree must stay what it is: without it no .NET library is loaded."""
        return {"PATH": "/usr/lib/wine", "WINELOADER": self.program, "WINESERVER": self.server, "WINEPREFIX": "/t/prefix",
                "WINEDEBUG": "-all", "WINEDLLOVERRIDES": "mshtml=", "HOME": "/t"}


WINES = {wine.rid: wine for wine in (
    Wine("win-x86", "i386", "wine32", "/usr/lib/wine/wine", "/usr/lib/wine/wineserver32",
         "i386-linux-gnu/wine/i386-windows", "i686-w64-mingw32"),
    Wine("win-x64", "amd64", "wine64", "/usr/lib/wine/wine64", "/usr/lib/wine/wineserver64",
         "x86_64-linux-gnu/wine/x86_64-windows", "x86_64-w64-mingw32",
         ("libunwind8", "liblzma5")))}


def missing():
    """Why this machine cannot have it, or nothing."""
    if os.geteuid() != 0:
        return "needs to be root"
    tools = [tool for tool in ("apt-get", "dpkg-deb", "unshare", "chroot") if not shutil.which(tool)]
    if tools:
        return f"needs {', '.join(tools)}"
    if not debian_sources():
        return "needs Debian's own packages"
    if subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode != 0:
        return "needs mount namespaces"
    return None


class WineRoom:
    """Made once; `home` is what programs in it see as Z:\\t."""

    def __init__(self, folder, wine):
        self.folder, self.wine = Path(folder), wine
        self.root = self.folder / "room"
        self.home = self.root / "t"

    def make(self):
        ready = self.folder / "room-1"
        if ready.exists():
            return
        shutil.rmtree(self.root, ignore_errors=True)
        unpack(fetch(self.folder / "apt", self.wine.architecture, self.wine.packages()), self.root)
        self.complete_zlib()
        for name in ("proc", "dev", "tmp", "t"):
            (self.root / name).mkdir()
        done = self.run([self.wine.program, "wineboot", "-i"], seconds=180)
        if done.returncode != 0:
            raise RuntimeError(f"wineboot: {(done.stdout + done.stderr).strip()[-1200:]}")
        self.stop()
        ready.touch()

    def complete_zlib(self):
        """What the package does when it is installed: the library becomes one of Wine's own by a mark in its header."""
        library = next((self.root / "usr" / self.wine.cross / "lib").glob("zlib*.dll"))
        content = library.read_bytes()
        own = content[:64] + b"Wine builtin DLL".ljust(32, b"\0") + content[96:]
        (self.root / "usr/lib" / self.wine.libraries / library.name).write_bytes(own)

    def command(self, program, environment=None, complaints=None):
        """The command that runs `program` in the room; `complaints`: a file for its standard error. Mounts end with it."""
        errors = f' 2>>"{complaints}"' if complaints else ""
        inside = f'mount -t proc proc "$1/proc" && mount --bind /dev "$1/dev" && shift && exec "$@"{errors}'
        variables = [f"{name}={value}" for name, value in {**self.wine.environment(), **(environment or {})}.items()]
        chroot = shutil.which("chroot")
        return ["unshare", "-m", "sh", "-c", inside, "sh", str(self.root), "env", "-i", *variables, chroot,
                str(self.root), *map(str, program)]

    def run(self, program, seconds=60):
        return subprocess.run(self.command(program), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              errors="replace", timeout=seconds)

    def stop(self):
        """Ends everything that runs in this room, and nothing else."""
        self.run([self.wine.server, "-k"])
        self.run([self.wine.server, "-w"])


if __name__ == "__main__":
    why = missing()
    print(why or "")
    sys.exit(1 if why else 0)
