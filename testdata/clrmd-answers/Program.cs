using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using Microsoft.Diagnostics.Runtime;

namespace ClrmdAnswers;

/// clrmd-answers DUMP CORE_FOLDER histogram|answers: what a program over ClrMD needs for the same questions that a
/// snapshot answers; the folder is the runtime's own. Prints how many objects there were and what came out.
static class Program
{
    static int Main(string[] args)
    {
        if (args.Length != 3 || args[2] is not ("histogram" or "answers"))
        {
            Console.Error.WriteLine("usage: clrmd-answers DUMP CORE_FOLDER histogram|answers");
            return 2;
        }
        using DataTarget target = DataTarget.LoadDump(args[0]);
        string access = Path.Combine(args[1], "libmscordaccore.so");
        using ClrRuntime runtime = target.ClrVersions.Single().CreateRuntime(access, ignoreMismatch: true);
        if (args[2] == "histogram") Histogram(runtime.Heap);
        else Answers(runtime.Heap);
        return 0;
    }

    static void Histogram(ClrHeap heap)
    {
        var types = new Dictionary<ulong, (long Objects, ulong Bytes)>();
        long objects = 0;
        foreach (ClrObject thing in heap.EnumerateObjects())
        {
            if (thing.IsFree || thing.Type is null) continue;
            types.TryGetValue(thing.Type.MethodTable, out var tally);
            types[thing.Type.MethodTable] = (tally.Objects + 1, tally.Bytes + thing.Size);
            ++objects;
        }
        Console.WriteLine($"objects {objects} types {types.Count}");
    }

    static void Answers(ClrHeap heap)
    {
        var clock = Stopwatch.StartNew();
        Graph graph = Graph.Read(heap);
        long read = clock.ElapsedMilliseconds;
        var tree = new Dominators(graph);
        long retained = tree.Retained();
        long dominators = clock.ElapsedMilliseconds - read;
        int reached = graph.ShortestPaths().Count(parent => parent >= 0);
        Console.WriteLine($"objects {graph.Count} edges {graph.Targets.Count} reached {reached} retained {retained} " +
                          $"read_ms {read} dominators_ms {dominators}");
    }
}
