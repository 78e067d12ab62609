#!/usr/bin/env python3
"""A folder in which 32-bit Wine runs, made of Debian's packages without installing anything on the machine.
wine_room.py --missing: exit 1, and says why, where there can be none."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

# Wine without sound, pictures and windows needs no more than this.
PACKAGES = ["wine32", "libwine", "libz-mingw-w64", "libc6", "libgcc-s1"]
WINE = "/usr/lib/wine/wine"
SERVER = "/usr/lib/wine/wineserver32"

# mscoree must stay what it is: without it no .NET library is loaded.
ENVIRONMENT = {"PATH": "/usr/lib/wine", "WINELOADER": WINE, "WINESERVER": SERVER, "WINEPREFIX": "/t/prefix",
               "WINEDEBUG": "-all", "WINEDLLOVERRIDES": "mshtml=", "HOME": "/t"}

APT = """APT::Architecture "i386";
APT::Architectures {{ "i386"; }};
APT::Sandbox::User "root";
APT::Get::List-Cleanup "false";
Dir::State "{folder}/state";
Dir::State::status "{folder}/state/status";
Dir::Cache "{folder}/cache";
Dir::Etc::sourcelist "{folder}/sources.list";
Dir::Etc::sourceparts "-";
Acquire::Languages "none";
Acquire::IndexTargets::deb::DEP-11::DefaultEnabled "false";
"""


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


def run(command, what, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise RuntimeError(f"{what}: {(done.stdout + done.stderr).strip()[-1200:]}")
    return done.stdout


def debian_sources():
    """The machine's own Debian source, as lines of a sources.list. Security has no twins of these packages."""
    form = "$(REPO_URI)|$(RELEASE)|$(COMPONENT)|$(LABEL)"
    listed = run(["apt-get", "indextargets", "--format", form, "Created-By: Packages"], "apt-get indextargets")
    lines = set()
    for target in listed.splitlines():
        uri, release, component, label = target.split("|")
        if label == "Debian" and component == "main":
            lines.add(f"deb {uri} {release} main")
    return sorted(lines)


class WineRoom:
    """Made once; `home` is what programs in it see as Z:\\t."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.root = self.folder / "room"
        self.home = self.root / "t"

    def make(self):
        ready = self.folder / "room-1"
        if ready.exists():
            return
        shutil.rmtree(self.root, ignore_errors=True)
        self.unpack(self.download())
        self.complete_zlib()
        for name in ("proc", "dev", "tmp", "t"):
            (self.root / name).mkdir()
        self.run([WINE, "wineboot", "-i"], seconds=180)
        self.stop()
        ready.touch()

    def download(self):
        apt = self.folder / "apt"
        for part in ("state/lists/partial", "cache/archives/partial", "packages"):
            (apt / part).mkdir(parents=True, exist_ok=True)
        (apt / "state/status").touch()
        (apt / "sources.list").write_text("\n".join(debian_sources()) + "\n")
        (apt / "apt.conf").write_text(APT.format(folder=apt))
        environment = {**os.environ, "APT_CONFIG": str(apt / "apt.conf")}
        run(["apt-get", "update", "-q"], "apt-get update", env=environment)
        run(["apt-get", "download", "-q", *PACKAGES], "apt-get download", env=environment, cwd=apt / "packages")
        return sorted((apt / "packages").glob("*.deb"))

    def unpack(self, packages):
        for package in packages:
            run(["dpkg-deb", "-x", package, self.root], f"unpacking {package.name}")
            package.unlink()

    def complete_zlib(self):
        """What the package does when it is installed: the library becomes one of Wine's own by a mark in its header."""
        library = next((self.root / "usr/i686-w64-mingw32/lib").glob("zlib*.dll"))
        content = library.read_bytes()
        own = content[:64] + b"Wine builtin DLL".ljust(32, b"\0") + content[96:]
        (self.root / "usr/lib/i386-linux-gnu/wine/i386-windows" / library.name).write_bytes(own)

    def command(self, program, environment=None, complaints=None):
        """The command that runs `program` in the room; `complaints`: a file for its standard error. Mounts end with it."""
        errors = f' 2>>"{complaints}"' if complaints else ""
        inside = f'mount -t proc proc "$1/proc" && mount --bind /dev "$1/dev" && shift && exec "$@"{errors}'
        variables = [f"{name}={value}" for name, value in {**ENVIRONMENT, **(environment or {})}.items()]
        chroot = shutil.which("chroot")
        return ["unshare", "-m", "sh", "-c", inside, "sh", str(self.root), "env", "-i", *variables, chroot,
                str(self.root), *map(str, program)]

    def run(self, program, seconds=60):
        return subprocess.run(self.command(program), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              errors="replace", timeout=seconds)

    def stop(self):
        """Ends everything that runs in this room, and nothing else."""
        self.run([SERVER, "-k"])
        self.run([SERVER, "-w"])


if __name__ == "__main__":
    why = missing()
    print(why or "")
    sys.exit(1 if why else 0)
