"""Everything that can be wrong before a capture: each with its own code, sentence and exit code."""

import contextlib
import os
import shutil
import signal
import socket
import struct
import subprocess
import uuid
from pathlib import Path

from harness import CLSID, WORKSTATION, Footprint, diagnostics_socket, expect, expect_equal, leftovers, wait_until


def refused(lab, pid, code, exit_code=3, output="out.cairn", **options):
    """A capture that must fail, and leaves nothing."""
    error = lab.cairn_fails(exit_code, code, "capture", pid, "--gc", "full", "-o", output, **options)
    expect_equal(leftovers(lab.folder), [], "files left behind")
    return error


def doctor_says(lab, pid, probe, **options):
    document = lab.cairn("doctor", pid, "--json", code=3, **options).json
    broken = [p["name"] for p in document["probes"] if not p["ok"]]
    expect(not document["ok"] and probe in broken, f"doctor: expected {probe}, broken are {broken}")
    expect(all(p["remedy"] for p in document["probes"] if not p["ok"]), f"a broken probe without remedy: {document}")


def no_such_process(lab):
    process = subprocess.Popen(["true"])
    process.wait()
    refused(lab, process.pid, "target.not_found", says=(str(process.pid),))
    doctor_says(lab, process.pid, "process")


def wrong_usage(lab):
    for arguments in (["capture"], ["capture", "1", "--gc", "sometimes"], ["capture", "abc"], ["nonsense"],
                      ["types"], ["types", "a.cairn", "--sort", "colour"], ["diff", "only-one.cairn"]):
        outcome = lab.cairn(*arguments, code=2)
        expect(outcome.stderr.strip(), f"no sentence: {outcome}")


def not_dotnet(lab):
    with subprocess.Popen(["sleep", "60"]) as process:
        try:
            refused(lab, process.pid, "target.not_dotnet", says=("sleep",))
            doctor_says(lab, process.pid, "dotnet")
        finally:
            process.kill()


def native_aot(lab):
    with lab.start_target("native-hello") as target:
        refused(lab, target.pid, "target.native_aot", says=("NativeAOT",))
        doctor_says(lab, target.pid, "dotnet")


def another_user(lab):
    """As nobody, on a process of ours; and the other way round as root it works."""
    program = lab.for_everybody(lab.cairn_path)
    lab.for_everybody(lab.library)
    open_folder = lab.folder / "open"
    open_folder.mkdir(mode=0o777)
    open_folder.chmod(0o777)
    with lab.heap_truth(0, "idle") as target:
        done = subprocess.run([*lab.AS_NOBODY, program, "capture", str(target.pid), "--gc", "full", "--json", "-o",
                               open_folder / "a.cairn"], capture_output=True, text=True, timeout=60)
        expect_equal(done.returncode, 3, f"exit ({done})")
        expect('"target.other_user"' in done.stdout, f"code: {done}")
        expect_equal(list(open_folder.iterdir()), [], "files left behind")
    with lab.heap_truth_of_nobody() as target:
        lab.capture(target.pid, lab.folder / "theirs.cairn")
        lab.verify(lab.folder / "theirs.cairn")
        target.expect_working()


def stopped(lab):
    """SIGSTOP: refused; and an attach that was queued meanwhile finds nobody and does nothing."""
    with lab.heap_truth(0, "mix", WORKSTATION) as target:
        before = Footprint(target.pid)
        target.signal(signal.SIGSTOP)
        refused(lab, target.pid, "target.stopped", says=("SIGSTOP",))
        doctor_says(lab, target.pid, "state")
        connection = queue_attach(lab, target.pid)
        target.signal(signal.SIGCONT)
        connection.settimeout(20)
        answer = connection.recv(64)
        expect_equal(answer[16:18], b"\xff\xff", "kind of the runtime's answer (an error)")
        expect_equal(struct.unpack_from("<I", answer, 20)[0], 0x80131375, "HRESULT: the profiler cancelled itself")
        connection.close()
        target.expect_working()
        expect_equal(len(Footprint(target.pid).threads) <= len(before.threads) + 1, True, "threads after the late attach")
        lab.capture(target.pid, lab.folder / "later.cairn")
        lab.verify(lab.folder / "later.cairn")


def waiting_to_go_on(lab):
    """A runtime whose diagnostics port keeps it from beginning; and once it may begin, a capture works."""
    env = {**os.environ, **WORKSTATION, "DOTNET_DefaultDiagnosticPortSuspend": "1"}
    process = subprocess.Popen([lab.targets / "heap-truth" / "heap-truth", "0", "idle"], env=env, text=True, cwd=lab.folder,
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: list(Path("/tmp").glob(f"dotnet-diagnostic-{process.pid}-*-socket")), "the diagnostics socket")
        refused(lab, process.pid, "attach.not_yet", says=("paused at its start",))
        doctor_says(lab, process.pid, "answers")
        expect("DOTNET_DefaultDiagnosticPortSuspend=1" in lab.cairn("doctor", process.pid, code=3).stdout, "the variable is not named")
        with socket.socket(socket.AF_UNIX) as connection:  # ResumeRuntime
            connection.connect(str(diagnostics_socket(process.pid)))
            connection.sendall(b"DOTNET_IPC_V1\0" + struct.pack("<HBBH", 20, 4, 1, 0))
            expect("READY\n" in iter(process.stdout.readline, ""), "the process did not come up")
        lab.capture(process.pid, lab.folder / "resumed.cairn")
        lab.verify(lab.folder / "resumed.cairn")
    finally:
        process.kill()
        process.communicate()


def queue_attach(lab, pid):
    """Writes an attach request whose client is gone by the time the runtime reads it."""
    path = str(diagnostics_socket(pid))
    nobody = str(lab.folder / "gone.sock").encode()
    # collector/protocol/protocol.h, Options: magic, version, size, four choices, two limits, two measured figures,
    # flags, the wait for a natural collection, nonce, path.
    options = struct.pack("<4sII4BIIII4xI16s108s", b"CRNO", 2, 164, 1, 0, 1, 0, 0, 5000, 0, 0, 0, bytes(range(16)), nobody)
    expect_equal(len(options), 164, "size of the option block")
    library = (str(lab.library) + "\0").encode("utf-16-le")
    payload = struct.pack("<I", 5) + uuid.UUID(CLSID).bytes_le + struct.pack("<I", len(library) // 2) + library
    payload += struct.pack("<I", len(options)) + options
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(path)
    connection.sendall(b"DOTNET_IPC_V1\0" + struct.pack("<HBBH", 20 + len(payload), 3, 1, 0) + payload)
    return connection


def library_missing(lab):
    program = lab.folder / "alone" / "cairn"
    program.parent.mkdir()
    shutil.copy(lab.cairn_path, program)
    with lab.heap_truth(0, "idle") as target:
        refused(lab, target.pid, "library.missing", program=program, says=("libcairn_collector.so",))
        doctor_says(lab, target.pid, "library", program=program)


def library_of(lab, change):
    """A cairn of its own folder, with a library that `change` made wrong."""
    folder = lab.folder / "wrong"
    folder.mkdir()
    folder.chmod(0o755)
    shutil.copy(lab.cairn_path, folder)
    shutil.copy(lab.library, folder)
    change(folder / lab.library.name)
    return folder / "cairn"


def library_unreadable(lab):
    """For root every file is readable, so as somebody else on a process of theirs."""
    program = library_of(lab, lambda path: path.chmod(0))
    root = os.geteuid() == 0
    prefix = lab.AS_NOBODY if root else ()
    with lab.heap_truth_of_nobody("idle") if root else lab.heap_truth(0, "idle") as target:
        done = subprocess.run([*prefix, program, "capture", str(target.pid), "--gc", "full", "--json", "-o", "/tmp/no.cairn"],
                              capture_output=True, text=True, timeout=60)
        expect_equal(done.returncode, 3, f"exit ({done})")
        expect('"library.unreadable"' in done.stdout and str(program.parent) in done.stdout, f"code and path: {done}")


def library_of_another_architecture(lab):
    def to_arm(path):  # e_machine, at 18 of the ELF header: 183 is AArch64
        image = bytearray(path.read_bytes())
        image[18:20] = (183).to_bytes(2, "little")
        path.write_bytes(image)

    program = library_of(lab, to_arm)
    with lab.heap_truth(0, "idle") as target:
        refused(lab, target.pid, "library.wrong_architecture", program=program, says=("arm64",))
        doctor_says(lab, target.pid, "architecture", program=program)


def library_no_library(lab):
    program = library_of(lab, lambda path: path.write_text("no ELF file\n" * 100))
    with lab.heap_truth(0, "idle") as target:
        refused(lab, target.pid, "library.not_elf", program=program)


def output_folder_missing(lab):
    with lab.heap_truth(0, "mix") as target:
        refused(lab, target.pid, "output.no_folder", output=lab.folder / "nowhere" / "a.cairn", says=("nowhere",))
        target.expect_working()


def output_unwritable(lab):
    with lab.heap_truth(0, "mix") as target:
        refused(lab, target.pid, "output.unwritable", output="/sys/kernel/a.cairn", says=("/sys/kernel",))
        target.expect_working()


@contextlib.contextmanager
def small_disk(folder, megabytes):
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", folder], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)


def output_full(lab):
    with lab.heap_truth(1, "mix") as target, small_disk(lab.folder / "small", 1) as folder:
        refused(lab, target.pid, "output.full", output=folder / "a.cairn")
        expect_equal(list(folder.iterdir()), [], "files on the full disk")
        target.expect_working()
        lab.capture(target.pid, lab.folder / "elsewhere.cairn")
        lab.verify(lab.folder / "elsewhere.cairn")


def diagnostics_off(lab):
    with lab.heap_truth(0, "mix", {"DOTNET_EnableDiagnostics": "0"}) as target:
        refused(lab, target.pid, "target.diagnostics_off", says=("DOTNET_EnableDiagnostics",))
        doctor_says(lab, target.pid, "switches")


CASES = [
    ("wrong usage", wrong_usage),
    ("no such process", no_such_process),
    ("not a .NET process", not_dotnet),
    ("a NativeAOT process", native_aot),
    ("a stopped process, and a late attach", stopped),
    ("a runtime that waits to be let go on", waiting_to_go_on),
    ("diagnostics switched off", diagnostics_off),
    ("collector library missing", library_missing),
    ("collector library unreadable", library_unreadable),
    ("collector library of another architecture", library_of_another_architecture),
    ("collector library that is none", library_no_library),
    ("output folder missing", output_folder_missing),
    ("output folder unwritable", output_unwritable),
]
if os.geteuid() == 0:  # they need to become someone else, or to mount
    CASES += [("another user's process", another_user), ("output disk full", output_full)]
