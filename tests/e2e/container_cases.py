"""Targets in namespaces of their own, as containers have them, captured from outside; and from a container beside."""

import contextlib
import os
import shutil
from pathlib import Path

from harness import WORKSTATION, expect, expect_equal, wait_until
from input_cases import doctor_says, refused
from young_cases import check_planted

PROGRAM = "heap-truth"
OWN_PROCESSES = ["unshare", "--pid", "--mount", "--fork", "--kill-child", "--mount-proc"]
# $1: the folder with the program, which may itself lie in /tmp.
OWN_TMP = 'mount --bind "$1" /mnt && shift && mount -t tmpfs tmpfs /tmp && exec /mnt/heap-truth "$@"'
READ_ONLY_ROOT = """program=$1 && shift
mount -t tmpfs tmpfs /mnt && mkdir /mnt/root && mount --bind / /mnt/root && mount --bind "$program" /mnt/root/media
mount -t tmpfs tmpfs /mnt/root/tmp && mount -t proc proc /mnt/root/proc && mount --bind /dev /mnt/root/dev
mount -o remount,ro,bind /mnt/root
exec chroot /mnt/root /media/heap-truth "$@" """
FOLDER_MOUNTED = 'options=$1 && shift && mount -t tmpfs -o "$options" tmpfs /mnt && exec "$@"'


def descendants(pid):
    with contextlib.suppress(OSError):
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            yield int(child)
            yield from descendants(int(child))


def outer_pid(target):
    """What the target's process is called out here: the one of its family that runs the program."""
    def found():
        for pid in (target.process.pid, *descendants(target.process.pid)):
            with contextlib.suppress(OSError):
                if os.readlink(f"/proc/{pid}/exe").endswith("/" + PROGRAM):
                    return pid
        return None
    wait_until(lambda: found() is not None, "the target's process")
    return found()


@contextlib.contextmanager
def contained(lab, prefix, env=None, script=None, options="mix"):
    """With `script` the program is started by a shell inside, which gets the program's folder first."""
    if script is not None:
        prefix = [*prefix, "sh", "-c", script, "sh", str(lab.targets / PROGRAM)]
        started = lab.start_command([*prefix, "0", options], {**WORKSTATION, **(env or {})})
    else:
        started = lab.heap_truth(0, options, {**WORKSTATION, **(env or {})}, prefix)
    with started as target:
        target.pid = outer_pid(target)
        yield target


def capture(lab, target, name="container.cairn", **options):
    """Young, and everything that was planted is there."""
    snapshot = lab.folder / name
    lab.cairn("capture", target.pid, "-o", snapshot, "--json", **options)
    lab.verify(snapshot)
    check_planted(lab, snapshot, target)
    target.expect_working()


def seen_and_captured(lab, target):
    rows = {row["pid"]: row for row in lab.cairn("ps", "--json").json["processes"]}
    expect(target.pid in rows, f"ps does not list {target.pid}")
    expect_equal((rows[target.pid]["attachable"], rows[target.pid]["reason"]), (True, None), "attachable, reason")
    expect_equal(lab.cairn("doctor", target.pid, "--json").json["ok"], True, "doctor")
    capture(lab, target)


def works(prefix, env=None, script=None):
    def case(lab):
        with contained(lab, prefix, env, script) as target:
            seen_and_captured(lab, target)
    return case


def sharing_tmp(lab):
    """Each is process 1 of its container, and their sockets lie side by side."""
    with contained(lab, OWN_PROCESSES) as one, contained(lab, OWN_PROCESSES, options="mix,lasting") as other:
        expect_equal({line[0] for t in (one, other) for line in t.facts("PID")}, {"1"}, "what they call themselves")
        capture(lab, one, "one.cairn")
        capture(lab, other, "other.cairn")
        names = ("one.cairn", "other.cairn")
        commands = [lab.cairn("info", name, "--json").json["process"]["command_line"] for name in names]
        expect(["lasting" in command for command in commands] == [False, True], f"command lines: {commands}")


def long_folder(lab):
    """The runtime cuts the name of its socket where the path becomes too long."""
    folder = lab.folder / ("d" * (80 - len(str(lab.folder))))
    folder.mkdir(mode=0o777)
    with lab.heap_truth(0, "mix", {**WORKSTATION, "TMPDIR": str(folder)}) as target:
        expect(not list(folder.glob("*-socket")), "the name of the socket was not cut")
        seen_and_captured(lab, target)


def folder_too_long(lab):
    folder = lab.folder / ("d" * 110)
    folder.mkdir(mode=0o777)
    with lab.heap_truth(0, "mix", {"TMPDIR": str(folder)}) as target:
        refused(lab, target.pid, "target.no_socket", says=("the path of its temporary folder has",))
        doctor_says(lab, target.pid, "socket")


def folder_missing(lab):
    with lab.heap_truth(0, "mix", {"TMPDIR": "/no/such/folder"}) as target:
        refused(lab, target.pid, "target.no_socket", says=("there is no folder /no/such/folder",))


def folder_read_only(lab):
    prefix = ["unshare", "--mount", "sh", "-c", FOLDER_MOUNTED, "sh", "ro"]
    with contained(lab, prefix, {"TMPDIR": "/mnt"}) as target:
        refused(lab, target.pid, "target.no_socket", says=("/mnt is mounted read-only",))
        doctor_says(lab, target.pid, "socket")


def sidecar(lab):
    """In a container beside the target's: the same processes in sight, but neither its files nor its /tmp."""
    shutil.copy(lab.cairn_path, lab.folder)
    shutil.copy(lab.library, lab.folder)
    program = lab.folder / "sidecar"
    program.write_text(f"""#!/bin/sh
exec unshare --mount sh -c 'mount --bind "$1" /mnt && shift && mount -t tmpfs tmpfs /tmp && cd /mnt && exec ./cairn "$@"' \\
  sh '{lab.folder}' "$@"
""")
    program.chmod(0o755)
    with contained(lab, ["unshare", "--mount"], script=OWN_TMP) as target:
        document = lab.cairn("capture", target.pid, "-o", "/mnt/beside.cairn", "--json", program=program).json
        expect(document["complete"], f"problems: {document['problems']}")
        lab.verify(lab.folder / "beside.cairn")
        check_planted(lab, lab.folder / "beside.cairn", target)


CASES = [
    ("container: a folder for sockets with a long path", long_folder),
    ("container: a folder for sockets whose path is too long", folder_too_long),
    ("container: no folder for sockets", folder_missing),
]
if os.geteuid() == 0:  # only root makes namespaces everywhere
    CASES += [
        ("container: own processes", works(OWN_PROCESSES)),
        ("container: own processes, files and /tmp", works(OWN_PROCESSES, script=OWN_TMP)),
        ("container: a root that is read-only", works(OWN_PROCESSES, script=READ_ONLY_ROOT)),
        ("container: made by somebody else",
         works(["runuser", "-u", "nobody", "--", "unshare", "--user", "--map-root-user", "--pid", "--fork", "--mount-proc"])),
        ("container: a clock of its own", works(["unshare", "--time", "--boottime", "100000", "--fork"])),
        ("container: /tmp from which nothing may be executed",
         works(["unshare", "--mount", "sh", "-c", FOLDER_MOUNTED, "sh", "noexec"], {"TMPDIR": "/mnt"})),
        ("container: a read-only folder for sockets", folder_read_only),
        ("container: two that share /tmp", sharing_tmp),
        ("container: cairn in one beside it", sidecar),
    ]
