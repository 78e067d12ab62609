"""What is tried on each runtime. Every operation compares with what the target itself printed."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "e2e"))

from harness import CLSID, Footprint, Target, expect, expect_equal
from truth_cases import check_roots, check_types

REPEATED = 5
PAIR = "MiniTruth.Statics.Pair"


class Refused(Exception):
    """An operation that Cairn would not do, by the code of its words."""

    def __init__(self, code, sentence):
        super().__init__(f"{code}: {sentence}")
        self.code = code


class Trial:
    """One target of one bed, running, and where its snapshots go."""

    def __init__(self, lab, bed, target, start=None):
        self.lab, self.bed, self.target = lab, bed, target
        self.command, self.environment, self.library = start or ([], {}, "")
        self.snapshot = lab.folder / "trial.cairn"

    def capture(self, *options):
        """The document of a capture that is complete and verified; Refused where it was refused in words."""
        return self.checked(self.lab.finish(self.start(*options)))

    def start(self, *options):
        return self.lab.start_cairn("capture", self.target.pid, "-o", self.snapshot, "--force", "--json",
                                    *self.command_options(), *options)

    def checked(self, outcome, warnings=()):
        if outcome.code == 3:
            error = outcome.json["error"]
            expect(error["message"].strip(), f"a refusal without words: {outcome}")
            raise Refused(error["code"], error["message"])
        expect_equal(outcome.code, 0, f"exit ({outcome})")
        document = self.lab.verify(self.snapshot)
        problems = [problem for problem in document["problems"] if problem["code"] not in warnings]
        expect_equal(problems, [], "problems")
        expect_equal(document["reconciled"]["difference_bytes"] or 0, 0, "difference to the runtime's own figure")
        self.check_planted(document)
        return document

    def check_planted(self, document):
        check_types(self.lab, self.snapshot, document, self.target)
        edges = {line[1]: line[4] for line in self.lines() if line[0] == "TYPE"}
        wrong = [f"{name}: planted {n}, found {edges.get(name)}" for name, n in self.target.facts("TRUTH-REFERENCES")
                 if edges.get(name) != n]
        expect(not wrong, "references of planted types are wrong: " + "; ".join(wrong))

    def lines(self):
        return self.lab.run_tool([self.lab.tool("snapshot_edges"), self.snapshot])


    def command_options(self):
        """Where the collector is not the one beside cairn."""
        return ["--library", self.library] if self.bed.form == "qemu" else []


def described(document):
    pause = document["pause_ms"]["total"]
    return f"{document['objects']:,} objects, {document['gc_actual']}, {document['method']}, pause {pause:.1f} ms"


def attach(trial):
    """By the diagnostics socket, which leaves nothing in the environment; the process says what it is."""
    row = next((row for row in trial.lab.cairn("ps", "--json").json["processes"] if row["pid"] == trial.target.pid), None)
    expect(row is not None and row["attachable"], f"what ps says: {row}")
    document = trial.capture("--gc", "full")
    return f"attached, {described(document)}"


def counts(trial):
    """Objects and bytes of every planted type, references of those that have some, the runtime's own figures."""
    document = trial.capture("--gc", "full", "--self-check", "full")
    own = document["reconciled"]
    types, edges = trial.target.facts("TRUTH-COUNT"), trial.target.facts("TRUTH-REFERENCES")
    objects = sum(int(count) for _, count, _ in types)
    figure = "equal to the runtime's own figure" if own["source"] else "this runtime tells no figure of its own"
    return f"{objects:,} planted objects of {len(types)} types, references of {len(edges)}, as planted; {figure}"


def full(trial):
    document = trial.capture("--gc", "full")
    expect_equal((document["gc_actual"], document["roots"]), ("full", "full"), "collection")
    server = any("gcServer" in name for name in trial.bed.environment)
    expect_equal(document["process"]["gc_mode"], "server" if server else "workstation", "gc_mode")
    expected = trial.bed.framework.removeprefix("netcoreapp").removeprefix("net") + "."
    expect(document["process"]["runtime"].startswith(expected), f"runtime is {document['process']['runtime']}")
    return described(document)


def roots(trial):
    """A static struct has a name before .NET 10 only where no collection of the target's own comes in between."""
    for _ in range(5):
        trial.capture("--gc", "full")
        lines = trial.lines()
        check_roots(lines, trial.target)
        statics = [line[2] for line in lines if line[0] == "ROOT" and line[1] == "static"]
        if PAIR in statics:
            break
    expect(PAIR in statics, f"{PAIR} has no name in five captures")
    named = [name for name in statics if name and "unknown" not in name]
    ours = sorted({name for name in named if "MiniTruth." in name})
    return f"{len(named)} of {len(statics)} statics named, {len(ours)} of the target's own"


def pause(trial):
    document = trial.capture("--gc", "full", "--method", "pause")
    expect_equal(document["method"], "pause", "method")
    return described(document)


def fork(trial):
    document = trial.capture("--gc", "full", "--method", "fork")
    expect_equal(document["method"], "fork", "method")
    return described(document)


def young(trial):
    """Induced, or where the runtime offers no way, one of the application's own."""
    natural = trial.bed.expected.get("young") == "natural"
    if natural:
        outcome = trial.lab.finish(trial.start("--wait-natural", "20ms"))
        expect_equal(outcome.json.get("error", {}).get("code"), "gc.none_natural", f"without a collection ({outcome})")
    process = trial.start(*(["--wait-natural", "60s"] if natural else []))
    while natural and process.poll() is None:
        trial.target.ask("fill")
    # Without a call into the runtime there is no thread that may ask for every class.
    document = trial.checked(trial.lab.finish(process), ["types.no_layout"] if natural else [])
    expect_equal(document["roots"], "young", "roots")
    expect(document["gc_actual"] in ("gen0", "gen1"), f"gc_actual is {document['gc_actual']}")
    said = f"awaited, {len(document['problems'])} types without layout: " if natural else ""
    return said + described(document)


def light(trial):
    document = trial.capture("--light")
    expect_equal(document["concurrent_gc_off_ms"], 0, "concurrent_gc_off_ms")
    return described(document)


def strings(trial):
    (text, copies, each), = trial.target.facts("TRUTH-TWINS")
    for wanted, shown in (("none", None), ("hash", None), ("all", text)):
        document = trial.capture("--gc", "full", "--strings", wanted)
        expect_equal(document["contents"]["strings"], wanted, "contents.strings")
        rows = trial.lab.cairn("waste", trial.snapshot, "--json").json["duplicates"] or []
        found = any((row["copies"], row["bytes_each"], row["text"]) == (int(copies), int(each), shown) for row in rows)
        expect_equal(found, wanted != "none", f"whether the {copies} equal strings are found by --strings {wanted}")
    return "equal strings found by hash, texts kept on request, neither with none"


def detach(trial):
    """After captures of every kind the target works, and holds what it held."""
    trial.capture("--gc", "full")
    before = Footprint(trial.target.pid)
    for _ in range(REPEATED):
        trial.capture("--gc", "full")
    before.expect_unchanged(trial.target.pid, REPEATED)
    trial.target.expect_working()
    return f"{REPEATED} captures more leave {before}"


def start(trial):
    """Loaded by the variables at start; asked to leave; an ordinary capture afterwards."""
    variables = {"CORECLR_ENABLE_PROFILING": "1", "CORECLR_PROFILER": CLSID, "CORECLR_PROFILER_PATH": trial.library}
    with Target(trial.command, {**trial.environment, **variables}, trial.lab.folder) as target:
        answer = trial.lab.cairn("detach", target.pid, "--json").json
        expect_equal(answer["detached"], True, "detached")
        started = (trial.command, trial.environment, trial.library)
        document = Trial(trial.lab, trial.bed, target, started).capture("--gc", "full")
        target.expect_working()
        return described(document)


OPERATIONS = {f.__name__: f for f in (attach, start, full, young, fork, counts, roots, detach, pause, light, strings)}
