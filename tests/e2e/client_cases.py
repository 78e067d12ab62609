"""The commands around a capture, used as a person or a script would."""

import os
import re
from pathlib import Path

from harness import CLSID, SERVER_DATAS, WORKSTATION, expect, expect_equal, leftovers


def process_list(lab):
    with lab.heap_truth(0, "idle") as target:
        rows = {p["pid"]: p for p in lab.cairn("ps", "--json").json["processes"]}
        expect(target.pid in rows, f"ps does not list {target.pid}: {sorted(rows)}")
        row = rows[target.pid]
        expect_equal((row["name"], row["attachable"], row["reason"]), ("heap-truth", True, None), "row of ps")
        expect(re.fullmatch(r"10\.\d+\.\d+.*", row["runtime"]), f"runtime {row['runtime']!r}")
        expect(row["rss_bytes"] > 10 << 20, f"rss_bytes {row['rss_bytes']}")
        plain = lab.cairn("ps").stdout
        expect(re.search(rf"\b{target.pid}\b.*heap-truth", plain), f"text of ps: {plain!r}")


def doctor_of_the_healthy(lab):
    with lab.heap_truth(0, "idle") as target:
        document = lab.cairn("doctor", target.pid, "--json").json
        expect(document["ok"] and all(p["ok"] for p in document["probes"]), f"doctor: {document}")
        expect(len(document["probes"]) >= 6, f"few probes: {document}")
        expect(lab.cairn("doctor", target.pid).stdout.count("\n") >= 6, "text of doctor is short")


def default_name(lab):
    with lab.heap_truth(0, "idle") as target:
        document = lab.cairn("capture", target.pid, "--gc", "full", "--json").json
        expect_equal(leftovers(lab.folder), [Path(document["snapshot"]).name], "files")
        pattern = rf"heap-truth_{target.pid}_\d{{8}}_\d{{6}}\.cairn"
        expect(re.fullmatch(pattern, leftovers(lab.folder)[0]), f"default name {leftovers(lab.folder)}")
        mode = (lab.folder / leftovers(lab.folder)[0]).stat().st_mode & 0o777
        expect_equal(oct(mode), "0o600", "mode of the snapshot")


def by_name(lab):
    # A name of its own: another run on this machine may have processes called heap-truth.
    with lab.renamed_target("heap-truth", f"named-{os.getpid()}") as name:
        with lab.start_target("heap-truth", 0, "idle", program=name) as target:
            document = lab.cairn("capture", "-n", name, "--gc", "full", "-o", "named.cairn", "--json").json
            expect_equal(document["process"]["pid"], target.pid, "pid found by name")
            with lab.start_target("heap-truth", 0, "idle", program=name) as second:
                error = lab.cairn_fails(2, "target.ambiguous", "capture", "-n", name, "--gc", "full")
                expect(str(second.pid) in error["message"] + error["hint"], f"the matches are not listed: {error}")


def existing_file(lab):
    with lab.heap_truth(0, "idle") as target:
        taken = lab.folder / "taken.cairn"
        taken.write_text("mine")
        lab.cairn_fails(2, "output.exists", "capture", target.pid, "--gc", "full", "-o", taken)
        expect_equal(taken.read_text(), "mine", "content of the refused file")
        lab.capture(target.pid, taken, "--force")
        lab.verify(taken)


def young_by_default(lab):
    """No full collection unless asked for."""
    with lab.heap_truth(0, "idle") as target:
        before = target.stats()["gcs"]
        document = lab.cairn("capture", target.pid, "-o", "young.cairn", "--json").json
        expect_equal((document["gc_requested"], document["gc_actual"], document["roots"]), ("young", "gen0", "young"),
                     "collection")
        expect_equal(target.stats()["gcs"][2], before[2], "full collections")


def silent_in_the_target(lab):
    errors = lab.folder / "stderr"
    prefix = ("sh", "-c", f'exec "$@" 2>{errors}', "sh")
    with lab.heap_truth(0, "mix", SERVER_DATAS, prefix) as target:
        for number in range(3):
            lab.capture(target.pid, lab.folder / f"{number}.cairn")
            expect_equal(target.ask("mark"), "OK mark", "the next line of the target's output")
        expect_equal(errors.read_text(), "", "the target's stderr")


def growth(lab):
    """500 objects of 72 bytes more: 36,000 bytes; and the list that holds them."""
    with lab.heap_truth(0, "mix", SERVER_DATAS) as target:
        target.ask("leak 100")
        lab.capture(target.pid, lab.folder / "base.cairn")
        target.ask("leak 500")
        lab.capture(target.pid, lab.folder / "head.cairn")
        rows = lab.cairn("diff", "base.cairn", "head.cairn", "--json").json["types"]
        row = next((r for r in rows if r["type"] == "HeapTruth.Planted.Leaked"), None)
        expect(row, "the leaked type is not in the diff")
        expect_equal((row["objects"], row["bytes"]), ([100, 600], [7_200, 43_200]), "objects and bytes")
        grown = max(rows, key=lambda r: r["bytes"][1] - r["bytes"][0])
        expect_equal(grown["type"], "HeapTruth.Planted.Leaked", "the type that grew most")
        text = lab.cairn("diff", "base.cairn", "head.cairn", "--top", 5).stdout
        expect("HeapTruth.Planted.Leaked" in text, f"text of diff: {text}")


def instances(lab):
    with lab.heap_truth(0, "idle") as target:
        lab.capture(target.pid, lab.folder / "a.cairn")
        rows = lab.cairn("objects", "a.cairn", "--type", "HeapTruth.Planted.PohCell[]", "--json").json["objects"]
        seen = {(r["address"], r["type"], str(r["bytes"]), r["generation"]) for r in rows}
        wanted = {tuple(f) for f in target.facts("TRUTH-AT") if f[1] == "HeapTruth.Planted.PohCell[]"}
        expect_equal(len(wanted), 64, "planted pinned arrays")
        expect_equal(seen, wanted, "pinned arrays by address")


def loaded_at_start(lab):
    """A collector that the environment loads stays until `cairn detach`; then captures work as ever."""
    env = {"CORECLR_ENABLE_PROFILING": "1", "CORECLR_PROFILER": CLSID, "CORECLR_PROFILER_PATH": str(lab.library)}
    with lab.heap_truth(0, "mix", env | WORKSTATION) as target:
        expect_equal(lab.cairn("detach", target.pid, "--json").json,
                     {"schema": 1, "pid": target.pid, "detached": True}, "detach")
        target.expect_working()
        lab.capture(target.pid, lab.folder / "after.cairn")
        lab.verify(lab.folder / "after.cairn")
        lab.cairn_fails(3, "detach.none", "detach", target.pid)


def nothing_to_detach(lab):
    with lab.heap_truth(0, "idle") as target:
        lab.cairn_fails(3, "detach.none", "detach", target.pid)


def clean_up(lab):
    """The placed library goes when no process maps it, and not before."""
    with lab.heap_truth(0, "idle", {"TMPDIR": str(lab.folder)}) as target:
        lab.capture(target.pid, lab.folder / "a.cairn")
        placed = list(lab.folder.rglob("libcairn_collector-*.so"))
        expect_equal(len(placed), 1, f"placed libraries {placed}")
        lab.cairn("clean", "--json", env={**os.environ, "TMPDIR": str(lab.folder)})
        expect(placed[0].exists(), "clean removed a library that a process maps")
    removed = lab.cairn("clean", "--json", env={**os.environ, "TMPDIR": str(lab.folder)}).json["removed"]
    expect(str(placed[0]) in removed and not placed[0].exists(), f"clean removed {removed}")


CASES = [
    ("ps lists a target", process_list),
    ("doctor finds nothing wrong", doctor_of_the_healthy),
    ("capture names its file", default_name),
    ("capture by name", by_name),
    ("capture keeps an existing file", existing_file),
    ("capture never collects everything unasked", young_by_default),
    ("capture prints nothing in the target", silent_in_the_target),
    ("diff shows what grew", growth),
    ("objects lists instances", instances),
    ("a collector loaded at start detaches", loaded_at_start),
    ("detach without a collector", nothing_to_detach),
    ("clean removes unused libraries", clean_up),
]
