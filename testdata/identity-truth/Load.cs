using System;
using System.Threading;

namespace IdentityTruth;

/// Allocates what is planted too, and keeps a little of it for a while, so that others come into the place of what died.
sealed class Load(int seed, CancellationToken stop)
{
    const int Kept = 2000;
    readonly Random random = new(seed);

    public void Run()
    {
        var kept = new object[Kept];
        for (int i = 0; !stop.IsCancellationRequested; i++) kept[random.Next(Kept)] = Make(i);
    }

    static object Make(int i) => (i % 512) switch
    {
        0 => new LargeCell[Plants.LargeCells],
        1 => GC.AllocateArray<PinnedCell>(Plants.PinnedCells, pinned: true),
        < 200 => new Leaf(-1),
        < 400 => new Branch(-1, null),
        _ => new byte[i % 300],
    };
}
