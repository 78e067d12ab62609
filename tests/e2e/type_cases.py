"""Types that other assemblies define: moved from one to another, and in two versions at once."""

from harness import WORKSTATION, expect_equal
from id_cases import ids_of

# By the type of the object: base, and its fields, as its own assembly sees the types that it refers to.
MOVED = {
    "MovedTruth.Warehouse": ("System.Object", {
        "_stacked: Goods.Pallet", "_more: System.Collections.Generic.List<Goods.Crate>", "_crate._kept: System.Object",
        "_crate._tag: System.String", "_crate._weight: System.Int64", "_lid._seal: System.Object", "_lid._width: System.Int64"}),
    "MovedTruth.Stacked": ("Goods.Pallet", {"_stack: System.Object", "_top: System.Object"}),
    "Goods.Crate[]": ("System.Array", {"_kept: System.Object", "_tag: System.String", "_weight: System.Int64"}),
    "Keeping.Keeper": ("System.Object", {
        "_crate._label: System.String", "_crate._content: System.Object", "_lid._handle: System.Object"}),
}


# The fields that the class itself declares, as the running process tells them.
DECLARED = {"_crate: Goods.Crate", "_lid: Goods.Crate+Lid", "_stacked: Goods.Pallet",
            "_more: System.Collections.Generic.List<Goods.Crate>"}


def fields_of(row):
    return {value for key, value in row["detail"].items() if key.startswith("field_")}


def moved(lab):
    with lab.start_target("moved-truth", env=WORKSTATION) as target:
        lab.capture(target.pid, "a.cairn")
        lab.verify("a.cairn")
        house, = (row for row in ids_of(lab, target.pid, "--kind", "class") if row["name"] == "MovedTruth.Warehouse")
        row, = ids_of(lab, target.pid, house["id"])
        expect_equal(fields_of(row), DECLARED, "fields in the process")
        target.ask("")
    classes = {row["name"]: row["id"] for row in ids_of(lab, "a.cairn", "--kind", "class")}
    expect_equal(classes["MovedTruth.Warehouse"], house["id"], "the ID in the process and in the snapshot")
    for name, (base, fields) in MOVED.items():
        row, = ids_of(lab, "a.cairn", classes[name])
        expect_equal((row["detail"]["base"], fields_of(row)), (base, fields), name)


CASES = [
    ("types: moved to another assembly, and two versions of one", moved),
]
