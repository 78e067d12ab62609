"""A process that has another profiler already: captures are made beside it, and do it no harm."""

import socket
import struct
import subprocess
import uuid
from pathlib import Path

from harness import (SERVER_TWO_HEAPS, WORKSTATION, Footprint, Target, diagnostics_socket, expect, expect_equal, leftovers,
                     wait_until)
from young_cases import check_planted, publish_single_file

OTHER_CLSID = "{5F1D7C0E-2D3B-4B8E-9A57-0C6E3B1F2A44}"


class Other:
    """The other profiler: tests/e2e/fake_profiler.cpp, and the file it counts collections in."""

    def __init__(self, lab):
        self.library, self.file = str(lab.tool("fake_profiler.so")), lab.folder / "other"

    def environment(self):
        return {"CORECLR_ENABLE_PROFILING": "1", "CORECLR_PROFILER": OTHER_CLSID, "CORECLR_PROFILER_PATH": self.library,
                "FAKE_PROFILER_FILE": str(self.file)}

    def attach(self, pid):
        path = str(diagnostics_socket(pid))
        library, data = (self.library + "\0").encode("utf-16-le"), str(self.file).encode()
        payload = struct.pack("<I", 5000) + uuid.UUID(OTHER_CLSID).bytes_le
        payload += struct.pack("<I", len(library) // 2) + library + struct.pack("<I", len(data)) + data
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(30)
            connection.connect(path)
            connection.sendall(b"DOTNET_IPC_V1\0" + struct.pack("<HBBH", 20 + len(payload), 3, 1, 0) + payload)
            expect_equal(connection.recv(64)[16:17], b"\xff", "the runtime's answer")
        wait_until(self.file.exists, "the other profiler starts")

    def collections(self):
        return struct.unpack("<Q", self.file.read_bytes())[0]

    def leave(self):
        Path(f"{self.file}.leave").touch()


def capture(lab, pid, *options):
    return lab.cairn("capture", pid, "-o", lab.folder / "beside.cairn", "--force", "--json", *options).json


def expect_beside(document):
    problems = [p["code"] for p in document["problems"]]
    expect_equal((document["complete"], problems), (True, ["attach.beside_profiler"]), "problems")
    expect_equal((document["gc_actual"], document["roots"], document["concurrent_gc_off_ms"]), ("full", "full", 0),
                 "collection")


def expect_counting(lab, target, other):
    before = other.collections()
    target.ask("gc")
    wait_until(lambda: other.collections() > before, "the other profiler hears of collections")
    target.expect_working()


def several(lab, target, other):
    for options in (("--gc", "full"), ("--light",), ("--gc", "full", "--method", "fork"), ("--gc", "full", "--method", "pause")):
        expect_beside(capture(lab, target.pid, *options))
        lab.verify(lab.folder / "beside.cairn")
        check_planted(lab, lab.folder / "beside.cairn", target)
        expect_counting(lab, target, other)


def loaded_at_start(env):
    def case(lab):
        other = Other(lab)
        with lab.heap_truth(0, "mix,lasting", other.environment() | env) as target:
            error = lab.cairn_fails(3, "attach.other_profiler", "capture", target.pid, "-o", "young.cairn",
                                    says=("fake_profiler.so", "--gc full"))
            expect("full" in error["hint"] and leftovers(lab.folder) == [], f"a young capture that became another: {error}")
            several(lab, target, other)
            baseline = Footprint(target.pid)
            for _ in range(10):
                capture(lab, target.pid, "--gc", "full")
            expect_counting(lab, target, other)
            baseline.expect_unchanged(target.pid, 10)
            probes = lab.cairn("doctor", target.pid, "--json").json["probes"]
            probe = next(p for p in probes if p["name"] == "profiler")
            expect(probe["ok"] and "fake_profiler.so" in probe["detail"] and "--gc full" in probe["detail"], f"{probe}")
            expect_equal(probe["remedy"], error["hint"], "what doctor advises, and the refusal of a young capture")
            row = next(p for p in lab.cairn("ps", "--json").json["processes"] if p["pid"] == target.pid)
            expect(row["attachable"] and "fake_profiler.so" in row["reason"], f"ps: {row}")
    return case


def attached(lab):
    """The runtime alone knows of it. When it has left, captures are ordinary ones again."""
    other = Other(lab)
    with lab.heap_truth(0, "mix,lasting", WORKSTATION) as target:
        other.attach(target.pid)
        lab.cairn_fails(3, "attach.other_profiler", "capture", target.pid, "-o", "young.cairn", says=("--gc full",))
        several(lab, target, other)
        other.leave()

        def ordinary():
            problems = capture(lab, target.pid, "--gc", "full")["problems"]
            return problems == []

        wait_until(ordinary, "an ordinary capture after the other profiler has left", 60)
        expect_equal(capture(lab, target.pid)["roots"], "young", "roots of a capture after that")
        target.expect_working()


def leaves_meanwhile(lab):
    """At any moment of a capture. What the runtime has forgotten must not be asked to leave: that crashes it."""
    for _ in range(6):
        other = Other(lab)
        with lab.heap_truth(0, "mix,lasting", WORKSTATION) as target:
            other.attach(target.pid)
            process = lab.start_cairn("capture", target.pid, "--gc", "full", "-o", "leaving.cairn", "--force", "--json")
            try:
                process.wait(lab.random.uniform(0.6, 1.6))
            except subprocess.TimeoutExpired:
                pass
            other.leave()
            outcome = lab.finish(process)
            expect(outcome.code in (0, 3), f"{outcome}")
            if outcome.code == 0:
                lab.verify(lab.folder / "leaving.cairn")
            target.expect_working()
            wait_until(lambda: lab.cairn("capture", target.pid, "-o", "after.cairn", "--force", code=None).code in (0, 3),
                       "an answer afterwards")
            target.expect_working()
        for name in ("other", "other.leave"):
            (lab.folder / name).unlink(missing_ok=True)


def single_file(lab):
    other = Other(lab)
    program = publish_single_file(lab)
    with Target([program, "0", "mix,lasting"], WORKSTATION | other.environment(), lab.folder) as target:
        expect_beside(capture(lab, target.pid, "--gc", "full"))
        lab.verify(lab.folder / "beside.cairn")
        expect_counting(lab, target, other)


CASES = [
    ("beside: another profiler from the start, workstation", loaded_at_start(WORKSTATION)),
    ("beside: another profiler from the start, server, two fixed heaps", loaded_at_start(SERVER_TWO_HEAPS)),
    ("beside: another profiler that was attached", attached),
    ("beside: the other profiler leaves during the capture", leaves_meanwhile),
    ("beside: a single-file application", single_file),
]
