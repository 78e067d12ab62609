using System;
using System.Threading;

namespace RootsTruth;

/// Objects held in every way there is, one type for each. Prints PID and READY; the line `quit` ends it.
/// With `shrink` all of it is made while the collector has several heaps, of which one is left at READY.
static class Program
{
    static int Main(string[] wanted)
    {
        bool shrinks = Array.IndexOf(wanted, "shrink") >= 0;
        using HeapCount? count = shrinks ? new HeapCount() : null;
        if (shrinks && !HeapCount.Grow()) return 1;
        StaticRoots.Build();
        Handles.Build();
        Collectible.Build();
        StaticRoots.StartThreads();
        Locals.StartThreads();
        Handles.FillFinalizerQueue();
        for (int i = 0; i < 3; i++) GC.Collect(2, GCCollectionMode.Forced, true, true);
        if (shrinks && !HeapCount.Shrink()) return 2;
        Console.WriteLine($"PID\t{Environment.ProcessId}");
        Console.WriteLine("READY");
        while (Console.ReadLine() is string line && line != "quit")
        {
            if (line == "gc") GC.Collect();
            if (line == "shrink") HeapCount.Shrink();
            Console.WriteLine(line == "shrink" ? $"{HeapCount.Now}" : $"OK {line}");
        }
        return 0;
    }
}
