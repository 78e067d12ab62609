"""Files that are not what they should be: told apart, never a crash, never believed."""

import shutil
import sqlite3

from harness import WORKSTATION, expect, expect_equal

READERS = (("info",), ("types",), ("objects", "--type", "System.String"))


def sample(lab):
    """One small snapshot for a case."""
    with lab.heap_truth(0, "idle", WORKSTATION) as target:
        lab.capture(target.pid, lab.folder / "good.cairn")
    return lab.folder / "good.cairn"


def all_readers_fail(lab, path, code, exit_code=4, says=()):
    for command, *more in READERS:
        lab.cairn_fails(exit_code, code, command, path, *more, says=says)
    lab.cairn_fails(exit_code, code, "diff", path, path)


def missing(lab):
    all_readers_fail(lab, lab.folder / "nothing.cairn", "snapshot.missing", exit_code=3, says=("nothing.cairn",))


def of_another_program(lab):
    text = lab.folder / "text.cairn"
    text.write_text("not a snapshot\n" * 1000)
    empty = lab.folder / "empty.cairn"
    empty.write_bytes(b"")
    database = lab.folder / "other.cairn"
    with sqlite3.connect(database) as other:
        other.execute("CREATE TABLE process (id INTEGER)")
    for path in (text, empty, database):
        all_readers_fail(lab, path, "snapshot.not_cairn", says=(path.name,))


def of_a_newer_version(lab):
    """user_version is the four bytes at 60 of the first page, big-endian."""
    path = sample(lab)
    with open(path, "r+b") as file:
        file.seek(60)
        file.write((999).to_bytes(4, "big"))
    all_readers_fail(lab, path, "snapshot.newer_version", says=("999",))


def truncated(lab):
    path = sample(lab)
    size = path.stat().st_size
    cut = lab.folder / "cut.cairn"
    for keep in (size - 1, size - 65_536, size * 3 // 4, size // 2, 65_536, 4_096, 100, 17):
        shutil.copyfile(path, cut)
        with open(cut, "r+b") as file:
            file.truncate(keep)
        for command in (("info", cut, "--verify"), ("types", cut)):
            outcome = lab.cairn(*command, "--json", code=None)
            expect_equal(outcome.code, 4, f"exit of {command} on {keep} of {size} bytes ({outcome})")
            expect(outcome.json.get("error", {}).get("code", "").startswith("snapshot."), f"error: {outcome}")


def bit_flipped(lab):
    """One bit at a time, all over the file: --verify notices every one, or it lay in bytes that mean nothing."""
    path = sample(lab)
    whole = path.read_bytes()
    good = lab.cairn("types", path, "--json").stdout
    flipped, unnoticed = lab.folder / "flipped.cairn", []
    for number in range(60):
        at = lab.random.randrange(len(whole))
        bit = 1 << lab.random.randrange(8)
        flipped.write_bytes(whole[:at] + bytes([whole[at] ^ bit]) + whole[at + 1:])
        outcome = lab.cairn("info", flipped, "--verify", "--json", code=None)
        expect(outcome.code in (0, 4), f"bit {bit} at {at}: {outcome}")
        if outcome.code == 0:
            unnoticed.append(at)
            expect_equal(lab.cairn("types", flipped, "--json").stdout.replace("flipped", "good"), good,
                         f"types after an unnoticed flip at {at}")
    expect(len(unnoticed) < 45, f"{len(unnoticed)} of 60 flips were not noticed")


def not_finished(lab):
    """A capture that never wrote its completeness record is not a snapshot."""
    path = sample(lab)
    with sqlite3.connect(path) as database:
        tables = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        expect("completeness" in tables, f"tables: {tables}")
        database.execute("DELETE FROM completeness")
    all_readers_fail(lab, path, "snapshot.unfinished")


CASES = [
    ("snapshot missing", missing),
    ("snapshot of another program", of_another_program),
    ("snapshot of a newer version", of_a_newer_version),
    ("snapshot truncated", truncated),
    ("snapshot with a flipped bit", bit_flipped),
    ("snapshot not finished", not_finished),
]
