using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Text;

namespace IdentityTruth;

sealed class Leaf(long id)
{
    public readonly long Id = id;
}

sealed class Branch(long id, Leaf? leaf)
{
    public readonly long Id = id;
    public readonly Leaf? Leaf = leaf;
    public readonly long One = id, Two = id;
}

struct LargeCell
{
    public long Value { get; init; }
}

struct PinnedCell
{
    public long Value { get; init; }
}

/// Their arrays have no field to tell one by; their holders have.
sealed class Large(long id)
{
    public readonly long Id = id;
    public readonly LargeCell[] Cells = new LargeCell[Plants.LargeCells];
}

sealed class Pinned(long id)
{
    public readonly long Id = id;
    public readonly PinnedCell[] Cells = GC.AllocateArray<PinnedCell>(Plants.PinnedCells, pinned: true);
}

/// What is planted, one list per type, and how many of those of the last step are still there.
sealed class Plants
{
    public const int LargeCells = 12_000, PinnedCells = 100;

    readonly Bed[] beds =
    [
        new("IdentityTruth.Leaf", 20_000, id => new Leaf(id)),
        new("IdentityTruth.Branch", 10_000, id => new Branch(id, null)),
        new("IdentityTruth.Large", 100, id => new Large(id)),
        new("IdentityTruth.Pinned", 500, id => new Pinned(id)),
    ];

    public void Fill()
    {
        foreach (Bed bed in beds) bed.Fill();
    }

    public void Forget()
    {
        foreach (Bed bed in beds) bed.Forget();
    }

    /// One in `share` of each list, anywhere in it.
    public void Replace(int share)
    {
        foreach (Bed bed in beds) bed.Replace(share);
    }

    /// TRUTH, then per type its name, and how many objects of the last step survived, died, and are new.
    public string Truth()
    {
        var text = new StringBuilder("TRUTH");
        foreach (Bed bed in beds) text.Append('\t').Append(bed.Truth());
        return text.ToString();
    }
}

sealed class Bed(string type, int size, Func<long, object> make)
{
    static long nextId = 1;

    readonly object[] objects = new object[size];
    readonly bool[] replaced = new bool[size];
    readonly Random random = new(size);

    public void Fill()
    {
        for (int i = 0; i < size; i++) Plant(i);
    }

    public void Forget() => Array.Clear(replaced);

    public void Replace(int share)
    {
        for (int i = 0; i < size / share; i++) Plant(random.Next(size));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    void Plant(int place)
    {
        objects[place] = make(nextId++);
        replaced[place] = true;
    }

    public string Truth()
    {
        int changed = 0;
        foreach (bool one in replaced) changed += one ? 1 : 0;
        return $"{type}={size - changed},{changed},{changed}";
    }
}
