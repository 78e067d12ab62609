using System;
using System.Runtime;

namespace IdentityTruth;

/// Collections of every kind in turn: young and full, sweeping and compacting, in the background, of large objects too.
static class Collector
{
    const int Kinds = 7;

    public static void Collect(int number, bool background)
    {
        switch (number % Kinds)
        {
            case 0: GC.Collect(0, GCCollectionMode.Forced, true, false); break;
            case 1: GC.Collect(1, GCCollectionMode.Forced, true, false); break;
            case 2: GC.Collect(0, GCCollectionMode.Forced, true, true); break;
            case 3: GC.Collect(2, GCCollectionMode.Forced, true, false); break;
            case 4: GC.Collect(1, GCCollectionMode.Forced, true, true); break;
            case 5: GC.Collect(2, GCCollectionMode.Forced, !background, !background); break;
            case 6: CompactLarge(number); break;
        }
    }

    static void CompactLarge(int number)
    {
        bool large = number / Kinds % 2 == 0;
        if (large) GCSettings.LargeObjectHeapCompactionMode = GCLargeObjectHeapCompactionMode.CompactOnce;
        GC.Collect(2, GCCollectionMode.Forced, true, true);
    }
}
