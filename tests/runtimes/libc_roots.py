"""Root folders with another C library than this machine's, and nothing else: no shell, no tools, as small images have it."""

import os
import shutil
from pathlib import Path

import debian_packages

MUSL_LOADER = Path("/lib/ld-musl-x86_64.so.1")
# What .NET needs besides the C library; it does without ICU by its own variable.
GLIBC_PACKAGES = ["libc6", "libgcc-s1", "libstdc++6"]
INVARIANT = {"DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"}

# In mounts of its own, and with a /tmp of its own: $2 is seen as $3 below the root $1; the processes are everybody's.
INSIDE = """root=$1 folder=$2 place=$1$3 && shift 3
mount -t tmpfs tmpfs "$root/tmp" && mount -t proc proc "$root/proc" && mount --bind /dev "$root/dev"
mkdir -p "$place" && mount --bind "$folder" "$place" && exec chroot "$root" "$@" """


def inside(root, folder, place, *command):
    """The command, as seen from inside `root`, where `folder` is `place`."""
    return ["unshare", "--mount", "sh", "-c", INSIDE, "sh", str(root), str(folder), str(place), *map(str, command)]


def make_places(root):
    for name in ("mnt", "tmp", "proc", "dev"):
        (root / name).mkdir(parents=True, exist_ok=True)


class NotServed(RuntimeError):
    """Its packages are not to be had any more."""


def make_glibc(root, release):
    """Out of the packages of an older Debian, which are unpacked but not installed."""
    try:
        packages = debian_packages.fetch(root / "apt", "amd64", GLIBC_PACKAGES, debian_packages.debian_sources(release))
    except RuntimeError as problem:
        raise NotServed(f"the packages of {release} cannot be had: {problem}") from None
    debian_packages.unpack(packages, root)
    shutil.rmtree(root / "apt")
    make_places(root)


def make_musl(root, libraries):
    """`libraries`: those of C++, made to serve a program of musl. The loader is the C library too."""
    (root / "lib").mkdir(parents=True, exist_ok=True)
    shutil.copy(os.path.realpath(MUSL_LOADER), root / "lib" / MUSL_LOADER.name)
    for library in libraries.glob("*.so*"):
        if not library.is_symlink():
            shutil.copy(library, root / "lib")
    (root / "lib" / "libc.musl-x86_64.so.1").symlink_to(MUSL_LOADER.name)
    # Needed, so that nothing has to be preloaded into what starts a program there.
    debian_packages.run(["patchelf", "--add-needed", "libshim.so", root / "lib" / "libstdc++.so.6"], "patching a library")
    make_places(root)
