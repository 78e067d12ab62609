"""cairn trace --run: every call from the first on is counted, Main and static constructors among them; and however it
ends, the command does what it does without."""

import json
import signal
import subprocess
from pathlib import Path

from harness import expect, expect_equal, wait_until
from started import started
from trace_cases import ask, ended, expect_outermost, expect_truth, rounds, tracing

ALL = ("--method", "TraceTruth.*.*")


def traced(lab, *options, env=None, command=None):
    program = str(lab.targets / "trace-truth" / "trace-truth")
    return started(lab, "trace", "--run", "--json", "-o", "start.json", "--force", *options, "--", *(command or [program]),
                   env=env)


def written(lab):
    return [json.loads(line) for line in (lab.folder / "start.json").read_text().splitlines()]


def calls_of(documents, method):
    return sum(row["calls"] for row in documents[-1]["methods"] if row["method"] == method)


def with_first_round(answer):
    """Main runs a round before it takes orders."""
    count = answer["rounds"]
    more = [{**one, "calls": one["calls"] // count * (count + 1), "exceptions": one["exceptions"] // count * (count + 1)}
            for one in answer["methods"]]
    return {**answer, "methods": more}


def first_calls(env):
    def case(lab):
        with lab.start_target("trace-truth", env=env) as untraced:
            result = rounds(untraced, 1)["result"]
        with traced(lab, *ALL, env=env) as target:
            answer = rounds(target, 5)
            expect_equal(answer["result"], result, "what a round comes to")
            code, errors = target.quit()
        expect_equal((code, errors), (0, ""), "exit")
        documents = written(lab)
        for method in ("Program.Main", "Program..cctor", "Rounds..cctor"):
            expect_equal(calls_of(documents, "TraceTruth." + method), 1, f"calls of {method}")
        expect_equal(calls_of(documents, "TraceTruth.Rounds.One"), 6, "rounds: Main's own and five")
        expect_equal((documents[0]["method"], documents[0]["phase"]), ("TraceTruth.Program.Main", "enter"), "what comes first")
        expect_equal((documents[-2]["method"], documents[-2]["phase"]), ("TraceTruth.Program.Main", "leave"), "what comes last")
        expect_truth(with_first_round(answer), documents)
        expect_outermost(documents)
    return case


def framework(lab):
    """What the framework was compiled to beforehand is seen as well, whoever has inlined it: the same twice."""
    seen = []
    for _ in range(2):
        with traced(lab, "--summary", "--method", "System.Nullable.*", "--method", "System.AppContext.Setup") as target:
            rounds(target, 1)
            expect_equal(target.quit(), (0, ""), "exit")
        documents = written(lab)
        expect_equal(calls_of(documents, "System.AppContext.Setup"), 1, "calls of what the runtime calls first")
        seen.append(calls_of(documents, "System.Nullable.get_HasValue"))
    expect(seen[0] > 0 and seen[0] == seen[1], f"calls of what is inlined: {seen}")


def limits(lab):
    """More than --max-methods: the first of them, and it is said; none at all is said too."""
    with traced(lab, "--summary", *ALL, "--max-methods", "3") as target:
        rounds(target, 1)
        code, errors = target.quit()
    expect_equal(code, 4, f"exit ({errors})")
    expect("a trace takes 3 of them" in errors, errors)
    expect_equal(len(written(lab)[-1]["methods"]), 3, "methods that are traced")
    with traced(lab, "--method", "No.Such") as target:
        code, errors = target.quit()
    expect_equal(code, 0, f"exit ({errors})")
    expect("no method" in errors, errors)


def another_child(lab):
    """Only the process that is meant; the command's exit code passes, and so does how it ends."""
    program = lab.targets / "trace-truth" / "trace-truth"
    script = f"echo quit | {lab.targets}/events-truth/events-truth > /dev/null; {program}; exit 5"
    with traced(lab, *ALL, "--child", program.name, command=["sh", "-c", script]) as target:
        rounds(target, 2)
        code, errors = target.quit()
    expect_equal(code, 5, f"exit ({errors})")
    expect_equal(calls_of(written(lab), "TraceTruth.Program.Main"), 1, "calls of Main")
    with traced(lab, *ALL, env={"DOTNET_DbgEnableMiniDump": "0"}) as target:
        code, errors = target.quit("round nonsense")
    expect_equal(code, 128 + signal.SIGABRT, f"exit of what nobody catches ({errors})")
    expect("System.FormatException" in errors, errors)
    expect(calls_of(written(lab), "TraceTruth.Program.Main") <= 1, "calls of Main")


def killed(lab):
    """The methods are put back, and the process can be traced again; its results stay right."""
    with traced(lab, *ALL, "--summary") as target:
        rounds(target, 3)
        target.process.kill()
        rounds(target, 30)
        listed = ("trace", target.pid, "--method", "TraceTruth.Shapes.Tiny", "--list")
        wait_until(lambda: lab.cairn(*listed, code=None).code == 0, "the collector puts everything back")
        rounds(target, 3)
        with tracing(lab, target, "--method", "TraceTruth.*Shapes*.*", "--method", "TraceTruth.Triple.*", "--method",
                     "TraceTruth.Box.*", "--json") as trace:
            answer = rounds(target, 10)
            expect_truth(answer, ended(lab, trace))
        lab.cairn("capture", target.pid, "--light", "-o", "k.cairn")
        lab.verify(lab.folder / "k.cairn")


def killed_while_it_waits(lab):
    """The command goes on at once where the trace is killed, and may be traced and captured as any."""
    output, name = lab.folder / "output", lab.folder / "pid"
    program = lab.targets / "trace-truth" / "trace-truth"
    trace = subprocess.Popen(
        [str(lab.cairn_path), "trace", "--run", *ALL, "-o", "w.log", "--", "sh", "-c",
         f"kill -STOP $PPID; echo $$ > {name}; exec {program} > {output}"],
        stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=lab.folder)
    wait_until(lambda: name.exists() and name.read_text().strip(), "the command starts", 60)
    pid = int(name.read_text())
    wait_until(lambda: "cairn" in Path(f"/proc/{pid}/maps").read_text(), "the command calls", 60)
    expect_equal(output.read_text(), "", "what runs before the answer")
    trace.kill()
    wait_until(lambda: "READY" in output.read_text(), "the command goes on", 8)
    trace.wait()
    lab.capture(pid, lab.folder / "w.cairn")
    trace.communicate("quit\n", timeout=60)


CASES = [
    ("trace: from the first call", first_calls({})),
    ("trace: from the first call, optimized at once", first_calls({"DOTNET_TieredCompilation": "0"})),
    ("trace: from the first call, of the framework", framework),
    ("trace: of a command, more than are traced", limits),
    ("trace: of a command, as it ends", another_child),
    ("trace: of a command, killed", killed),
    ("trace: killed while the command waits for it", killed_while_it_waits),
]
