using System;
using System.Runtime.CompilerServices;
using HeapTruth.Planted;

namespace HeapTruth;

/// Objects that live in heaps of their own: large, pinned, frozen.
static class HeapPlants
{
    const string Ns = "HeapTruth.Planted.";
    const string FrozenLiteral = "a literal of heap-truth that the runtime freezes";
    static readonly string frozen = FrozenLiteral;

    public static void Build(Truth truth)
    {
        Large(truth);
        Pinned(truth);
        Frozen(truth);
        for (int i = 0; i < 15; i++) Kept.Keep(new Finalizable());
        truth.Plant(Ns + "Finalizable", 15, Truth.Object(8));
        Kept.Keep(new string('x', 0));   // string.Empty: 22 bytes, occupies 24
    }

    static void Large(Truth truth)
    {
        var children = Kept.Keep(new LargeChild[20_000]);
        for (int i = 0; i < children.Length; i++) children[i] = new LargeChild { Value = i };
        truth.Plant(Ns + "LargeChild[]", 1, Truth.Array(20_000, 8), 20_000);
        truth.Plant(Ns + "LargeChild", 20_000, Truth.Object(4));
        for (int i = 0; i < 6; i++) Kept.Keep(new LargeCell[30_001]);
        truth.Plant(Ns + "LargeCell[]", 6, Truth.Array(30_001, 8));
    }

    static void Pinned(Truth truth)
    {
        for (int i = 0; i < 64; i++)
        {
            var cells = Kept.Keep(GC.AllocateArray<PohCell>(100 + i, pinned: true));
            truth.Plant(Ns + "PohCell[]", 1, Truth.Array(100 + i, 8));
            truth.At(AddressOf(cells), Ns + "PohCell[]", Truth.Array(100 + i, 8), "poh");
        }
        var bytes = Kept.Keep(GC.AllocateUninitializedArray<byte>(1_003, pinned: true));
        truth.At(AddressOf(bytes), "System.Byte[]", Truth.Array(1_003, 1), "poh");
    }

    static void Frozen(Truth truth)
    {
        truth.At(AddressOf(frozen), "System.String", Truth.String(FrozenLiteral.Length), "frozen");
        truth.At(AddressOf(string.Empty), "System.String", Truth.String(0), "frozen");
    }

    /// Only for objects that cannot move.
    static unsafe nint AddressOf(object thing) => *(nint*)Unsafe.AsPointer(ref thing);
}
