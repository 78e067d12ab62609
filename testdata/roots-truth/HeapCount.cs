using System;
using System.Collections.Generic;
using System.Diagnostics.Tracing;
using System.Runtime;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;
using RootsTruth.Held;

namespace RootsTruth;

/// Lets a server collector that adapts the number of its heaps grow to several and, later, shrink to one. Handles made
/// in between lie in tables of heaps that are not used any more.
sealed class HeapCount : EventListener
{
    const int AllocatingThreads = 6, HandlesPerThread = 25, SlicesMs = 10, LongestWaitSlices = 6_000;
    const int GlobalHeapHistory = 205, HeapsField = 1;
    static int now;
    static volatile bool busy;
    static readonly List<DependentHandle> dependents = [];

    public static int Now => Volatile.Read(ref now);

    protected override void OnEventSourceCreated(EventSource source)
    {
        if (source.Name == "Microsoft-Windows-DotNETRuntime")
            EnableEvents(source, EventLevel.Informational, (EventKeywords)1);
    }

    protected override void OnEventWritten(EventWrittenEventArgs written)
    {
        if (written.EventId == GlobalHeapHistory) Volatile.Write(ref now, Convert.ToInt32(written.Payload![HeapsField]));
    }

    /// False: the collector does not adapt, or has one processor.
    public static bool Grow()
    {
        busy = true;
        for (int i = 0; i < AllocatingThreads; i++) new Thread(Allocate) { IsBackground = true }.Start();
        bool grown = Wait(() => Now > 1);
        SpreadHandles();
        busy = false;
        return grown;
    }

    public static bool Shrink() => Wait(() =>
    {
        for (int i = 0; i < 2_000; i++) GC.KeepAlive(new byte[1_000]);
        return Now == 1;
    });

    static bool Wait(Func<bool> holds)
    {
        for (int i = 0; i < LongestWaitSlices; i++)
        {
            if (holds()) return true;
            Thread.Sleep(SlicesMs);
        }
        return false;
    }

    static void Allocate()
    {
        var ring = new object[2_000];
        for (int i = 0; busy; i++) ring[i % ring.Length] = new byte[i % 400];
    }

    static void SpreadHandles()
    {
        var threads = new Thread[AllocatingThreads];
        for (int i = 0; i < threads.Length; i++) (threads[i] = new Thread(MakeHandles)).Start();
        foreach (Thread thread in threads) thread.Join();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void MakeHandles()
    {
        for (int i = 0; i < HandlesPerThread; i++)
        {
            var primary = new BySpreadHandle();
            GCHandle.Alloc(primary);
            lock (dependents) dependents.Add(new DependentHandle(primary, new BySpreadDependent()));
        }
    }
}
