using System;
using System.Threading;

namespace RootsTruth;

/// Objects held in every way there is, one type for each. Prints PID and READY; the line `quit` ends it.
static class Program
{
    static int Main()
    {
        StaticRoots.Build();
        Handles.Build();
        Collectible.Build();
        StaticRoots.StartThreads();
        Locals.StartThreads();
        Handles.FillFinalizerQueue();
        for (int i = 0; i < 3; i++) GC.Collect(2, GCCollectionMode.Forced, true, true);
        Console.WriteLine($"PID\t{Environment.ProcessId}");
        Console.WriteLine("READY");
        while (Console.ReadLine() is string line && line != "quit")
        {
            if (line == "gc") GC.Collect();
            Console.WriteLine($"OK {line}");
        }
        return 0;
    }
}
