"""SQL over a real snapshot: what the commands say, and nothing but reading."""

import csv
import io

from harness import WORKSTATION, expect, expect_equal

ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"
REFUSED = ("ATTACH 'other.db' AS other", "CREATE TABLE t (x)", "INSERT INTO objects VALUES (1)", "PRAGMA user_version",
           "VACUUM INTO 'copy.db'", "SELECT load_extension('./x.so')", "SELECT * FROM json_each('[1]')",
           "SELECT * FROM pragma_database_list")
INVALID = ("SELECT 1; SELECT 2", "DELETE FROM objects", "UPDATE objects SET bytes = 0", "SELECT missing FROM objects")


def sample(lab):
    path = lab.folder / "heap.cairn"
    with lab.heap_truth(0.02, "idle", WORKSTATION) as target:
        lab.capture(target.pid, path)
    return path


def rows(lab, path, sql, *more, code=0):
    return lab.cairn("query", path, sql, "--json", *more, code=code).json["rows"]


def same_as_the_commands(lab):
    path = sample(lab)
    info = lab.cairn("info", path, "--json").json
    expect_equal(rows(lab, path, "SELECT count(*), sum(bytes) FROM objects"), [[info["objects"], info["bytes"]]], "objects")
    expect_equal(rows(lab, path, "SELECT count(*) FROM edges WHERE kind = 'slot'"), [[info["edges"]]], "edges")
    columns = ("type", "module", "objects", "bytes", "retained", "unreachable_objects", "unreachable_bytes")
    of_types = {tuple(row[c] for c in columns) for row in lab.cairn("types", path, "--json").json["types"]}
    sql = f"SELECT {', '.join(columns)} FROM types WHERE objects + unreachable_objects > 0"
    expect_equal({tuple(row) for row in rows(lab, path, sql)}, of_types, "types")
    listed = lab.cairn("objects", path, "--type", "HeapTruth.Planted.Node", "--json").json["objects"]
    sql = "SELECT object, bytes, retained, generation FROM objects WHERE type = 'HeapTruth.Planted.Node' AND reachable"
    expect(len(listed) > 100, f"only {len(listed)} nodes")
    expect_equal(sorted(rows(lab, path, sql)),
                 sorted([o["object"], o["bytes"], o["retained"], o["generation"]] for o in listed), "objects of a type")
    roots = lab.cairn("roots", path, "--json").json["roots"]
    expect_equal(rows(lab, path, "SELECT kind, name, object FROM roots"),
                 [[r["kind"], r["name"] or None, r["object"]] for r in roots], "roots")
    one = max(listed, key=lambda o: o["retained"])["object"]
    referrers = lab.cairn("object", path, f"@{one}", "--json").json["referrers"]
    expect_equal(sorted(row[0] for row in rows(lab, path, f"SELECT source FROM edges WHERE target = {one}")),
                 sorted(r["object"] for r in referrers), "referrers")


def nothing_but_reading(lab):
    path = sample(lab)
    before = (path.read_bytes(), sorted(p.name for p in lab.folder.iterdir()))
    for sql in REFUSED:
        lab.cairn_fails(2, "query.refused", "query", path, sql)
    for sql in INVALID:
        lab.cairn_fails(2, "query.invalid", "query", path, sql)
    lab.cairn_fails(3, "query.timeout", "query", path, ENDLESS, "--timeout", "1s")
    lab.cairn_fails(3, "query.memory", "query", path, "SELECT length(zeroblob(2000000000))")
    lab.cairn_fails(3, "query.memory", "query", path, "--memory", "16MB",
                    "SELECT a.object, b.object FROM objects a, objects b ORDER BY a.bytes * b.bytes", "--timeout", "60s")
    expect_equal((path.read_bytes(), sorted(p.name for p in lab.folder.iterdir())), before, "files afterwards")


def odd_values(lab):
    path = sample(lab)
    sql = "SELECT x'00ff' AS b, 9e999 AS up, -9e999 AS down, 'a' || char(10) || 'b' AS lines, NULL AS none"
    expect_equal(rows(lab, path, sql), [["x'00ff'", "Infinity", "-Infinity", "a\nb", None]], "JSON")
    text = lab.cairn("query", path, sql, "--csv").stdout
    table = list(csv.reader(io.StringIO(text, newline="")))
    expect_equal(table, [["b", "up", "down", "lines", "none"], ["x'00ff'", "inf", "-inf", "a\nb", ""]], "CSV")


CASES = [
    ("query: says what the commands say", same_as_the_commands),
    ("query: nothing but reading", nothing_but_reading),
    ("query: values that other formats lack", odd_values),
]
