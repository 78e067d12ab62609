"""Captures after a young collection, and captures that leave concurrent collections on."""

import subprocess
from pathlib import Path

from harness import SERVER_DATAS, SERVER_TWO_HEAPS, WORKSTATION, Target, expect, expect_equal

YOUNG_CAPTURES = 50
SOURCES = Path(__file__).resolve().parents[2] / "testdata" / "heap-truth"


def capture(lab, target, snapshot, *options):
    return lab.cairn("capture", target.pid, "-o", snapshot, "--force", "--json", *options).json


def rows_of(lab, snapshot):
    """Reachable and other objects by type."""
    return {row["type"]: (row["objects"], row["unreachable_objects"] or 0)
            for row in lab.cairn("types", snapshot, "--json").json["types"]}


def check_planted(lab, snapshot, target):
    rows = rows_of(lab, snapshot)
    wrong = [f"{t}: planted {n}, found {rows.get(t)}" for t, n, _ in target.facts("TRUTH-COUNT")
             if sum(rows.get(t, (0, 0))) != int(n)]
    expect(not wrong, f"{len(wrong)} planted types are wrong:\n  " + "\n  ".join(wrong))
    return rows


def expect_young(document):
    expect_equal((document["gc_requested"], document["roots"]), ("young", "young"), "collection")
    expect(document["gc_actual"] in ("gen0", "gen1"), f"gc_actual is {document['gc_actual']}")


def expect_same_reachable(target, seen, full, what):
    """Of what the target planted; the runtime's own objects come and go with each capture."""
    differing = [f"{t}: {what} {seen.get(t)}, full {full.get(t)}" for t, _, _ in target.facts("TRUTH-COUNT")
                 if seen.get(t) != full.get(t)]
    expect(not differing, f"reachable and other objects of {len(differing)} types differ:\n  " + "\n  ".join(differing))


def young_against_full(env):
    def case(lab):
        with lab.heap_truth(0.1, "idle", env) as target:
            full, young = lab.folder / "full.cairn", lab.folder / "young.cairn"
            capture(lab, target, full, "--gc", "full")
            expect_young(capture(lab, target, young))
            document = lab.verify(young)
            expect_equal(document["problems"], [], "problems")
            expect_equal(document["reconciled"]["difference_bytes"], 0, "difference to the runtime's own figure")
            expect_same_reachable(target, check_planted(lab, young, target), check_planted(lab, full, target), "young")
    return case


def many_young(env):
    """No reference leads to where no object starts, whatever the application does meanwhile."""
    def case(lab):
        with lab.heap_truth(0.05, "mix", env) as target:
            for _ in range(YOUNG_CAPTURES):
                document = capture(lab, target, lab.folder / "young.cairn")
                if document["gc_actual"] == "full":  # the runtime's own decision, which must be told
                    expect("gc.escalated" in [p["code"] for p in document["problems"]], "an escalation without a word")
                else:
                    expect_young(document)
                lab.verify(lab.folder / "young.cairn")
            check_planted(lab, lab.folder / "young.cairn", target)
            target.expect_working()
    return case


def light(env):
    def case(lab):
        with lab.heap_truth(0.1, "idle,lasting", env) as target:
            full, other = lab.folder / "full.cairn", lab.folder / "light.cairn"
            expect_equal(target.ask("background"), "OK background", "before any capture")
            capture(lab, target, full, "--gc", "full")
            document = capture(lab, target, other, "--light")
            expect_equal((document["gc_requested"], document["gc_actual"], document["roots"]), ("full",) * 3, "collection")
            expect_equal(document["concurrent_gc_off_ms"], 0, "concurrent_gc_off_ms")
            lab.verify(other)
            expect_same_reachable(target, check_planted(lab, other, target), check_planted(lab, full, target), "light")
            expect_equal(target.ask("background"), "OK background", "after the captures")
    return case


def light_with_contexts(lab):
    """Reports of the heap by events crash a runtime whose load contexts come and go: none are asked for."""
    with lab.start_target("churn", "contexts", env=WORKSTATION) as target:
        lab.cairn_fails(3, "light.load_contexts", "capture", target.pid, "-o", lab.folder / "none.cairn", "--light")
        capture(lab, target, lab.folder / "young.cairn")
        lab.verify(lab.folder / "young.cairn")


def publish_single_file(lab):
    """Once in a run."""
    output = lab.scratch / "single"
    if (output / "heap-truth").exists():
        return str(output / "heap-truth")
    done = subprocess.run(["dotnet", "publish", SOURCES, "-c", "Release", "-r", "linux-x64", "--self-contained",
                           "-p:PublishSingleFile=true", "--artifacts-path", lab.scratch / "artifacts", "-o", output],
                          capture_output=True, text=True, timeout=600)
    expect_equal(done.returncode, 0, f"exit of dotnet publish ({done.stdout[-600:]})")
    return str(output / "heap-truth")


def single_file(lab):
    """It offers no way to induce a young collection: one of its own is awaited, and never a full one made."""
    program = publish_single_file(lab)
    with Target([program, "0.05", "mix"], WORKSTATION, lab.folder) as target:
        expect_young(capture(lab, target, lab.folder / "young.cairn", "--wait-natural", "60s"))
        lab.verify(lab.folder / "young.cairn")
        check_planted(lab, lab.folder / "young.cairn", target)
        target.expect_working()
    with Target([program, "0.05", "idle"], WORKSTATION, lab.folder) as target:
        lab.cairn_fails(3, "gc.none_natural", "capture", target.pid, "-o", lab.folder / "none.cairn", "--wait-natural",
                        "50ms", says=["--gc full"])
        expect(not (lab.folder / "none.cairn").exists(), "a snapshot without a capture")
        expect_equal(capture(lab, target, lab.folder / "full.cairn", "--gc", "full")["gc_actual"], "full", "gc_actual")


CASES = [
    ("young against full: workstation", young_against_full(WORKSTATION)),
    ("young against full: server, adapting heap count", young_against_full(SERVER_DATAS)),
    ("young against full: server, two fixed heaps", young_against_full(SERVER_TWO_HEAPS)),
    ("young: fifty of a busy workstation process", many_young(WORKSTATION)),
    ("young: fifty of a busy server process", many_young(SERVER_DATAS)),
    ("light: workstation", light(WORKSTATION)),
    ("light: server, two fixed heaps", light(SERVER_TWO_HEAPS)),
    ("light: refused where load contexts come and go", light_with_contexts),
    ("young: a single-file application", single_file),
]
