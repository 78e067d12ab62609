"""What `cmake --install` places: it works below any prefix, after a move, by a link, and for users other than its owner."""

import os
import subprocess

from harness import expect, expect_equal


def installed(lab):
    """The command and the collector, without the desktop."""
    prefix = lab.folder / "prefix"
    done = subprocess.run(["cmake", "--install", lab.build, "--prefix", prefix, "--component", "cairn"], capture_output=True,
                          text=True, timeout=60)
    expect_equal(done.returncode, 0, f"exit of cmake --install ({done.stderr[-400:]})")
    return prefix


def captures(lab, target, program, name):
    lab.cairn("capture", target.pid, "-o", f"{name}.cairn", "--json", program=program)
    lab.verify(lab.folder / f"{name}.cairn")


def install_and_move(lab):
    prefix = installed(lab)
    places = sorted(str(path.relative_to(prefix)) for path in prefix.rglob("*") if path.is_file())
    for wanted in ("bin/cairn", "lib/cairn/libcairn_collector.so", "share/doc/cairn/README.md", "share/man/man1/cairn.1"):
        expect(wanted in places, f"{wanted} is not among {places}")
    with lab.heap_truth(0, "idle") as target:
        captures(lab, target, prefix / "bin" / "cairn", "placed")
        moved = lab.folder / "some where else"
        prefix.rename(moved)
        captures(lab, target, moved / "bin" / "cairn", "moved")
        link = lab.folder / "link"
        link.symlink_to(moved / "bin" / "cairn")
        captures(lab, target, link, "linked")


def manual_page(lab):
    page = (installed(lab) / "share" / "man" / "man1" / "cairn.1").read_text()
    listed = [line.split()[0] for line in lab.cairn("--help").stdout.splitlines() if line.startswith("  ")]
    expect(len(listed) > 10, f"commands: {listed}")
    missing = [name for name in listed if f'.SS "cairn {name}' not in page]
    expect_equal(missing, [], "commands without a section in the manual page")


def only_its_owner_may_execute(lab):
    """As packages unpack it that root installed: others may read it, and the loader runs what may be read."""
    prefix = installed(lab)
    program = prefix / "bin" / "cairn"
    program.chmod(0o744)
    loader = next(line.split()[-1].rstrip("]") for line in
                  subprocess.run(["readelf", "-l", program], capture_output=True, text=True, check=True).stdout.splitlines()
                  if "interpreter" in line)
    theirs = lab.folder / "theirs"
    theirs.mkdir()
    theirs.chmod(0o777)
    with lab.heap_truth_of_nobody() as target:
        done = subprocess.run([*lab.AS_NOBODY, loader, program, "capture", str(target.pid), "-o", theirs / "a.cairn"],
                              capture_output=True, text=True, timeout=60)
        expect_equal(done.returncode, 0, f"exit ({done})")
    lab.verify(theirs / "a.cairn")


CASES = [
    ("package: installed, moved, by a link", install_and_move),
    ("package: the manual page knows every command", manual_page),
]
if os.geteuid() == 0:  # it needs to become someone else
    CASES += [("package: of root, for another user", only_its_owner_may_execute)]
