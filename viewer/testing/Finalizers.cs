using System;
using System.Threading;

namespace Cairn.Testing;

/// Runs finalizers before the heap is looked at: what only waits for its finalizer is no leak, unless it waits for ever.
internal static class Finalizers
{
    // A finalizer may let go of objects that have one themselves.
    const int MostRounds = 5;
    static Thread? waiting;

    /// False: they did not end within `patience`. One caller at a time.
    public static bool Run(TimeSpan patience)
    {
        for (int round = 0; round < MostRounds; round++)
        {
            GC.Collect(GC.MaxGeneration, GCCollectionMode.Forced, blocking: true, compacting: false);
            if (GC.GetGCMemoryInfo(GCKind.FullBlocking).FinalizationPendingCount == 0) return true;
            if (!WaitFor(patience)) return false;
        }
        return true;
    }

    // A wait without an end would hang the tests where a finalizer hangs, which is what one of them may be about.
    static bool WaitFor(TimeSpan patience)
    {
        if (waiting is not { IsAlive: true })
        {
            waiting = new Thread(GC.WaitForPendingFinalizers) { IsBackground = true, Name = "cairn finalizers" };
            waiting.Start();
        }
        return waiting.Join(patience);
    }
}
