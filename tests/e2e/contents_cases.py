"""What is kept of contents is what the target holds, and no text is kept unless it was asked for."""

import json

from harness import SERVER_DATAS, SERVER_TWO_HEAPS, WORKSTATION, expect, expect_equal

P = "HeapTruth.Planted."
COLLECTIONS = "System.Collections.Generic."
LIST, DICTIONARY = COLLECTIONS + "List<System.Half>", COLLECTIONS + "Dictionary<System.String, System.Half>"
SET, QUEUE = COLLECTIONS + "HashSet<System.Half>", COLLECTIONS + "Queue<System.Half>"
# Planted twice and once; made when the target runs.
SECRETS = ["cairn-secret-1700", "cairn-secret-1700", "cairn-secret-1701"]


def kept(lab, snapshot, *types):
    """Per type a list of (index, length, values by field, hash, text)."""
    found = {name: [] for name in types}
    for line in lab.run_tool([lab.tool("snapshot_contents"), snapshot, *types]):
        _, name, index, length, values, content_hash, text = line
        found[name].append((int(index), int(length), dict(v.rsplit("=", 1) for v in values.split()), content_hash, text))
    return found


def read(lab, snapshot, index):
    document = lab.cairn("object", snapshot, index, "--json").json
    return document, {field["name"]: field["value"] for field in document["fields"]}


def check_shapes(lab, snapshot):
    found = kept(lab, snapshot, LIST, DICTIONARY, SET, QUEUE, P + "Vault", P + "Phrase")
    # Two added, one taken out again: two slots were used and one of them is free.
    wanted = {LIST: {"_size": "5"}, DICTIONARY: {"_count": "2", "_freeCount": "1"},
              SET: {"_count": "4", "_freeCount": "0"}, QUEUE: {"_head": "1", "_tail": "6", "_size": "5"}}
    for name, values in wanted.items():
        expect_equal([o[2] for o in found[name]], [values], f"values of {name}")
    expect_equal([o[2] for o in found[P + "Vault"]], [{"_disposed": "0"}, {"_disposed": "1"}, {"_disposed": "0"}], "flags")
    (phrase, *_), = found[P + "Phrase"]
    _, fields = read(lab, snapshot, phrase)
    pointers = [str(fields[name]) for name in ("_methodPtr", "_methodPtrAux")]
    expect(any(p.endswith(" HeapTruth.ContentPlants.Shout") for p in pointers), f"the delegate's method: {pointers}")


def secret_strings(lab, snapshot):
    strings = {}
    for vault, *_ in kept(lab, snapshot, P + "Vault")[P + "Vault"]:
        document, _ = read(lab, snapshot, vault)
        strings[vault] = next(f["target"] for f in document["fields"] if f["name"] == "Secret")
    by_index = {o[0]: o for o in kept(lab, snapshot, "System.String")["System.String"]}
    return [by_index[strings[vault]] for vault in sorted(strings)]


def check_no_text(snapshot):
    content = snapshot.read_bytes()
    for secret in set(SECRETS):
        for encoding in ("utf-8", "utf-16-le"):
            expect(secret.encode(encoding) not in content, f"{secret} is in a file that should not hold it")


def check_hashes(lab, first, second):
    """Equal texts are equal, in one snapshot and in two; others differ. (Compressed pages hide a text as well, so the
    tool that decompresses everything looks too.)"""
    strings = [secret_strings(lab, snapshot) for snapshot in (first, second)]
    for found in strings:
        expect_equal([o[1] for o in found], [17, 17, 17], "lengths")
        expect_equal([o[4] for o in found], ["-", "-", "-"], "texts")
    hashes = [[o[3] for o in found] for found in strings]
    expect_equal(hashes[0], hashes[1], "hashes of two snapshots")
    one, same, other = hashes[0]
    expect(one == same != other and one != "0" and other != "0", f"hashes {hashes[0]}")
    for snapshot in (first, second):
        check_no_text(snapshot)


def default(env, method):
    def case(lab):
        with lab.heap_truth(0.1, "mix", env) as target:
            snapshots = [lab.folder / "a.cairn", lab.folder / "b.cairn"]
            for snapshot in snapshots:
                full_before = target.stats()["gcs"][2]
                captured = lab.capture(target.pid, snapshot, "--method", method)
                committed = json.loads(target.ask("meminfo"))["committedBytes"]
                # The target speaks of its latest full collection, and goes on while the capture is sent.
                only_ours = target.stats()["gcs"][2] == full_before + 1
                expect_equal(captured["problems"], [], "problems")
                expect_equal(captured["contents"], {"strings": "hash", "values": False}, "contents")
                check_memory(captured["memory"], committed if only_ours else None)
                lab.verify(snapshot)
            check_shapes(lab, snapshots[0])
            check_hashes(lab, *snapshots)
            target.expect_working()
    return case


def check_memory(memory, committed):
    """By GC.GetGCMemoryInfo of the same collection; what it gives back afterwards may be counted or not."""
    expect(memory["gc_committed_bytes"] > 0, "nothing is committed")
    expect(committed is None or abs(memory["gc_committed_bytes"] - committed) <= 0.05 * committed,
           f"committed {memory['gc_committed_bytes']}, the target says {committed}")
    expect(memory["rss_bytes"] > 0, "no resident set")


def everything(method):
    def case(lab):
        with lab.heap_truth(0.1, "idle", WORKSTATION) as target:
            snapshot = lab.folder / "all.cairn"
            captured = lab.capture(target.pid, snapshot, "--method", method, "--strings", "all", "--values")
            expect_equal((captured["problems"], captured["contents"]), ([], {"strings": "all", "values": True}), "contents")
            lab.verify(snapshot)
            expect_equal([o[4] for o in secret_strings(lab, snapshot)], SECRETS, "texts")
            check_shapes_of_all(lab, snapshot)
            check_primitives(lab, snapshot)
            boxed = kept(lab, snapshot, "System.Int32")["System.Int32"]
            expect("123456789" in [v for o in boxed for v in o[2].values()], "the boxed number is not there")
    return case


def check_shapes_of_all(lab, snapshot):
    (items, *_), = kept(lab, snapshot, LIST)[LIST]
    _, fields = read(lab, snapshot, items)
    expect_equal(fields["_size"], 5, "_size")
    expect_equal(fields["_version"], 5, "_version")


def check_primitives(lab, snapshot):
    (index, *_), = kept(lab, snapshot, P + "Primitives")[P + "Primitives"]
    _, fields = read(lab, snapshot, index)
    wanted = {"A": -1, "B": 200, "C": -300, "D": 60000, "E": -70000, "F": 4000000000, "G": -5000000000,
              "H": 10000000000000000000, "I": 1.5, "J": -2.25, "K": True, "L": ord("x"), "N.Units": 77, "N.Currency": 0}
    for name, value in wanted.items():
        expect_equal(fields[name], value, f"value of {name}")
    expect(2 in (fields.get("M"), fields.get("M.value__")), f"value of the enum: {fields}")


def nothing(lab):
    with lab.heap_truth(0.1, "idle", WORKSTATION) as target:
        snapshot = lab.folder / "none.cairn"
        captured = lab.capture(target.pid, snapshot, "--strings", "none")
        expect_equal(captured["contents"], {"strings": "none", "values": False}, "contents")
        strings = kept(lab, snapshot, "System.String")["System.String"]
        expect_equal({(o[3], o[4]) for o in strings}, {("0", "-")}, "hashes and texts")
        check_no_text(snapshot)


CASES = [
    ("contents: pause, workstation", default(WORKSTATION, "pause")),
    ("contents: fork, workstation", default(WORKSTATION, "fork")),
    ("contents: pause, server, two fixed heaps", default(SERVER_TWO_HEAPS, "pause")),
    ("contents: fork, server, adapting heap count", default(SERVER_DATAS, "fork")),
    ("contents: everything, in the pause", everything("pause")),
    ("contents: everything, by a child", everything("fork")),
    ("contents: nothing of strings", nothing),
]
