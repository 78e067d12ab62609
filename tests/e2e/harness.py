"""What the cases share: targets that are started and stopped, the cairn command, checks that say what they saw."""

import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path

CLSID = "{8C3A1E52-6B0D-4F57-9E4B-C41A12DD5A01}"

WORKSTATION = {"DOTNET_gcServer": "0"}
SERVER_DATAS = {"DOTNET_gcServer": "1"}
SERVER_TWO_HEAPS = {"DOTNET_gcServer": "1", "DOTNET_GCHeapCount": "2", "DOTNET_GCDynamicAdaptationMode": "0"}


class Failure(Exception):
    """A case's expectation that did not hold."""


def expect(holds, message):
    if not holds:
        raise Failure(message)


def expect_equal(seen, wanted, what):
    expect(seen == wanted, f"{what}: expected {wanted!r}, saw {seen!r}")


def wait_until(holds, what, seconds=20):
    """Polls: time never decides, only a condition that does not come about for very long."""
    end = time.monotonic() + seconds
    while not holds():
        expect(time.monotonic() < end, f"{what}: not after {seconds} s")
        time.sleep(0.02)


def diagnostics_socket(pid):
    """The newest: a killed process leaves its file behind, and its number is given again."""
    return max(Path("/tmp").glob(f"dotnet-diagnostic-{pid}-*-socket"), key=lambda path: path.stat().st_mtime)


class Outcome:
    """What one run of cairn came to."""

    def __init__(self, command, code, stdout, stderr):
        self.command, self.code, self.stdout, self.stderr = command, code, stdout, stderr

    def __str__(self):
        return f"`{' '.join(self.command[1:])}` → exit {self.code}\n  stdout: {self.stdout[-600:]!r}\n  stderr: {self.stderr[-600:]!r}"

    @property
    def json(self):
        try:
            return json.loads(self.stdout)
        except ValueError:
            raise Failure(f"no JSON document on stdout: {self}") from None


class Lab:
    """Paths of the built programs, and a temporary folder for one case."""

    def __init__(self, build, targets, seed, rounds, captures, child_kills):
        self.build, self.targets = Path(build).resolve(), Path(targets).resolve()
        self.rounds, self.captures, self.child_kills = rounds, captures, child_kills
        self.scratch = None  # for what several cases share
        self.random = random.Random(seed)
        self.cairn_path = self.build / "bin" / "cairn"
        self.static_cairn = self.build / "bin" / "cairn-static"
        self.library = self.build / "bin" / "libcairn_collector.so"
        self.folder = None
        self.part = (0, 1)  # of how many, of a case that is split
        self.trials = 0

    def tool(self, name):
        return self.build / "tests" / name

    @contextlib.contextmanager
    def case_folder(self):
        self.folder = Path(tempfile.mkdtemp(prefix="cairn-e2e-"))
        self.folder.chmod(0o755)
        try:
            yield
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)

    # ---- cairn ----

    def start_cairn(self, *arguments, program=None, **options):
        command = [str(program or self.cairn_path), *map(str, arguments)]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                stdin=subprocess.DEVNULL, cwd=self.folder, **options)

    def finish(self, process, seconds=180):
        try:
            stdout, stderr = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise Failure(f"`{' '.join(process.args[1:])}` hangs: not done after {seconds} s") from None
        return Outcome(process.args, process.returncode, stdout, stderr)

    def cairn(self, *arguments, code=0, **options):
        outcome = self.finish(self.start_cairn(*arguments, **options))
        expect(code is None or outcome.code == code, f"expected exit {code}: {outcome}")
        return outcome

    def cairn_fails(self, exit_code, error_code, *arguments, says=(), **options):
        """Runs it twice: with --json for the code, without for the sentence on stderr."""
        document = self.cairn(*arguments, "--json", code=exit_code, **options).json
        error = document.get("error", {})
        expect_equal(document.get("schema"), 1, "schema")
        expect_equal(error.get("code"), error_code, f"error code of {arguments[0]} ({error.get('message')})")
        expect(error.get("message", "").strip(), "the error has no message")
        plain = self.cairn(*arguments, code=exit_code, **options)
        expect(error["message"].splitlines()[0] in plain.stderr, f"stderr lacks the sentence {error['message']!r}: {plain}")
        for word in says:
            expect(word in error["message"] + error.get("hint", ""), f"{word!r} is not in {error!r}")
        return error

    def capture(self, pid, output, *more, code=0):
        return self.cairn("capture", pid, "--gc", "full", "-o", output, "--json", *more, code=code).json

    def verify(self, snapshot):
        document = self.cairn("info", snapshot, "--verify", "--json").json
        expect_equal(document["verified"]["errors"], [], f"verify {snapshot}")
        expect(document["complete"], f"{snapshot} is not complete: {document['problems']}")
        expect_equal(document["verified"]["objects"], document["objects"], "objects verified")
        expect_equal(document["verified"]["edges"], document["edges"], "edges verified")
        return document

    # ---- targets ----

    def start_target(self, name, *arguments, env=None, prefix=(), program=None):
        path = self.targets / name / (program or name)
        return Target([*prefix, str(path), *map(str, arguments)], env or {}, self.folder)

    @contextlib.contextmanager
    def renamed_target(self, name, new_name):
        """A second program file of the application `name`: its processes are called `new_name`."""
        program = self.targets / name / new_name
        shutil.copy(self.targets / name / name, program)
        try:
            yield new_name
        finally:
            program.unlink()

    def start_command(self, command, env=None):
        """A target behind a command of the case's own, with its lines on standard output."""
        return Target([str(part) for part in command], env or {}, self.folder)

    def heap_truth(self, millions=0, options="mix", env=None, prefix=()):
        return self.start_target("heap-truth", millions, options, env=env, prefix=prefix)

    # ---- other users ----

    AS_NOBODY = ("runuser", "-u", "nobody", "--")

    def heap_truth_of_nobody(self, options="mix"):
        """Started from a copy: the project may lie in a folder that only its owner may enter."""
        return Target([*self.AS_NOBODY, str(self.for_everybody(self.targets / "heap-truth") / "heap-truth"), "0", options],
                      WORKSTATION, self.folder)

    def for_everybody(self, path):
        """A copy of a program or an application's folder that every user may read and execute."""
        copy = self.folder / "for-everybody" / path.name
        copy.parent.mkdir(exist_ok=True)
        copy.parent.chmod(0o755)
        if path.is_dir():
            shutil.copytree(path, copy, dirs_exist_ok=True)
        else:
            shutil.copy(path, copy)
        for entry in [copy, *copy.rglob("*")]:
            entry.chmod(entry.stat().st_mode | (0o555 if entry.is_dir() or os.access(entry, os.X_OK) else 0o444))
        return copy

    def run_tool(self, command):
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=300)
        expect_equal(done.returncode, 0, f"exit of {command[0]} ({done.stderr[-400:]})")
        return [line.split("\t") for line in done.stdout.splitlines()]


class Target:
    """A process of ours that prints its lines up to READY and then answers one line per command."""

    def __init__(self, command, env, folder, until="READY"):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=folder,
                                        env={**os.environ, **env})
        self.lines = []
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n").split("\t"))
            if self.lines[-1][0] == until:
                break
        expect(self.lines and self.lines[-1][0] == until, f"{command[0]} did not come up: {self.lines[-3:]}")
        self.pid = int(next(line[1] for line in self.lines if line[0] == "PID"))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()
        for left in Path("/tmp").glob(f"dotnet-diagnostic-{self.pid}-*-socket"):
            left.unlink(missing_ok=True)

    def facts(self, kind):
        return [line[1:] for line in self.lines if line[0] == kind]

    def ask(self, command):
        expect(self.process.poll() is None, f"the target has died ({self.process.returncode})")
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        expect(answer, f"the target answers nothing to {command!r}")
        return answer.rstrip("\n")

    def stats(self):
        return json.loads(self.ask("stats"))

    def expect_working(self):
        """Its own request loop advances."""
        before = self.stats()["requests"]
        wait_until(lambda: self.stats()["requests"] > before, "the target's request loop advances")

    def signal(self, number):
        os.kill(self.pid, number)

    def kill(self):
        self.signal(signal.SIGKILL)
        self.process.wait()


class Footprint:
    """What a process holds that must not grow with captures. Left out is what the runtime takes and gives back on its
    own account, captures or not: threads that come and go with work to do, by their names, and two descriptors for
    each assembly that it loads."""

    PASSING_THREADS = (".NET BGC", ".NET Tiered Com", ".NET TP Worker", ".NET TP Gate")

    def __init__(self, pid):
        names = (read_text(f"/proc/{pid}/task/{task}/comm").strip() for task in os.listdir(f"/proc/{pid}/task"))
        self.threads = sorted(name for name in names if name and name not in self.PASSING_THREADS)
        files = (link_of(f"/proc/{pid}/fd/{number}") for number in os.listdir(f"/proc/{pid}/fd"))
        self.descriptors = sorted(file for file in files if file and not file.endswith(".dll"))
        maps = Path(f"/proc/{pid}/maps").read_text().splitlines()
        self.library_mappings = sum("cairn" in line for line in maps)
        self.mappings = len(maps)

    def __str__(self):
        return (f"{len(self.threads)} threads, {len(self.descriptors)} descriptors, {self.mappings} mappings, "
                f"{self.library_mappings} of ours")

    def differences(self, later, captures):
        """Mappings of the heap and of compiled code come and go; a capture that left one would leave one each time."""
        found = [f"+{name}" for name in (Counter(later.threads) - Counter(self.threads)).elements()]
        found += [f"+{name}" for name in (Counter(later.descriptors) - Counter(self.descriptors)).elements()]
        if later.library_mappings != self.library_mappings:
            found.append(f"{self.library_mappings} → {later.library_mappings} mappings of ours")
        if later.mappings >= self.mappings + max(captures // 2, 8):
            found.append(f"{self.mappings} → {later.mappings} mappings")
        return found

    def expect_unchanged(self, pid, captures):
        """The runtime ends its own short-lived threads a moment later than the capture."""
        try:
            wait_until(lambda: not self.differences(Footprint(pid), captures), "unchanged", 15)
        except Failure:
            expect(False, f"after {captures} captures: {self.differences(Footprint(pid), captures)} ({self}; {Footprint(pid)})")


def read_text(path):
    try:
        return Path(path).read_text()
    except OSError:  # gone meanwhile
        return ""


def link_of(path):
    try:
        return os.readlink(path)
    except OSError:
        return ""


def leftovers(folder):
    """Files under a final name or on their way to one."""
    return sorted(p.name for p in Path(folder).iterdir() if ".cairn" in p.name)
