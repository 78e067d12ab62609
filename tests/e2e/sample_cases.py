"""Cairn.Testing on the sample of classic leaks, without a test framework: tests/leaks runs it with each of them."""

import os
import re
import shutil
import subprocess

from beside_cases import Other
from harness import expect, expect_equal

# Objects of the sample that a leak leaves behind, by type; those of load contexts and growth have cases of their own.
PLANTED = ["PriceView", "OpenOrder", "Poller", "Report", "Attachment", "Session", "Upload", "AuditHandler"]


def sample(lab, *arguments, env=None, program="leaks"):
    path = lab.targets / program / "leaks-console"
    # Loaded from where it was built, as from the package's own folder.
    environment = {**os.environ, "CAIRN_NATIVE": str(lab.build / "bin"), "CAIRN_ARTIFACTS": str(lab.folder / "kept"), **(env or {})}
    done = subprocess.run([path, *map(str, arguments)], capture_output=True, text=True, timeout=300, cwd=lab.folder, env=environment)
    return done.returncode, done.stdout + done.stderr


def every_leak_and_every_twin(lab):
    code, said = sample(lab)
    expect_equal((code, said.splitlines()[-1]), (0, "24 passed, 0 failed"), f"verdict ({said})")
    # One snapshot for each leak that was found, none for a twin.
    expect_equal(len(list((lab.folder / "kept").glob("*.cairn"))), 12, "snapshots kept")


def what_counts(lab):
    code, said = sample(lab, "semantics")
    expect(code == 0 and re.search(r"^\d+ passed, 0 failed$", said, re.MULTILINE), said)


def cannot_measure(lab):
    status, said = sample(lab, "measure", env={"DOTNET_EnableDiagnostics": "0"})
    expect_equal((status, said.split(": ")[:2]), (0, ["cannot measure", "target.diagnostics_off"]), said)
    # Beside another profiler either everything can be seen, or nothing is said: never a leak.
    status, said = sample(lab, "measure", env=Other(lab).environment())
    expect(status == 0 and said.startswith(("passed", "cannot measure: ")), said)


def starts_what_only_its_owner_may(lab):
    """As a package manager leaves it that does not keep modes."""
    native = lab.folder / "native"
    native.mkdir()
    for name in ("cairn", "libcairn_collector.so"):
        shutil.copyfile(lab.build / "bin" / name, native / name)
    status, said = sample(lab, "measure", env={"CAIRN_NATIVE": str(native)})
    expect_equal((status, said), (0, "passed\n"), "verdict")


def fingerprints(lab, program):
    snapshot = lab.folder / f"{program}.cairn"
    status, said = sample(lab, "plant", snapshot, program=program)
    expect_equal(status, 0, said)
    rules = "".join(f'[[limit]]\ntype = "Leaks.App.{name}"\nmax_objects = 0\n' for name in PLANTED)
    (lab.folder / "none.toml").write_text(rules)
    found = lab.cairn("check", snapshot, "--rules", "none.toml", "--json", code=1).json["violations"]
    closure = lab.cairn("path", snapshot, "--type", "Leaks.App.Report", "--json").json["paths"][0]["steps"][1]["type"]
    return {violation["type"]: violation["fingerprint"] for violation in found}, closure


def an_unrelated_edit(lab):
    """A lambda and an async method above, which renumber what the compiler makes of those below."""
    before, closure = fingerprints(lab, "leaks")
    after, edited_closure = fingerprints(lab, "leaks-edited")
    expect_equal(sorted(before), sorted(f"Leaks.App.{name}" for name in PLANTED), "types that leak")
    expect(closure != edited_closure, f"the edit renumbers nothing: {closure}")
    expect_equal(after, before, "fingerprints")


CASES = [
    ("sample/every-leak-is-found-and-every-twin-is-clean", every_leak_and_every_twin),
    ("sample/what-counts-as-a-leak", what_counts),
    ("sample/what-cannot-be-measured-is-neither", cannot_measure),
    ("sample/starts-what-only-its-owner-may", starts_what_only_its_owner_may),
    ("sample/an-unrelated-edit-leaves-fingerprints", an_unrelated_edit),
]
