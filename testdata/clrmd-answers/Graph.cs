using System;
using System.Collections.Generic;
using Microsoft.Diagnostics.Runtime;

namespace ClrmdAnswers;

/// Objects in address order, from 1; number 0 is the root of them all.
sealed class Graph
{
    readonly List<ulong> addresses = [0];
    public readonly List<long> Sizes = [0];
    public readonly List<int> Targets = [];
    readonly List<long> offsets = [];

    public int Count => addresses.Count;

    public ReadOnlySpan<int> TargetsOf(int node)
    {
        int first = (int)offsets[node], end = node + 1 < offsets.Count ? (int)offsets[node + 1] : Targets.Count;
        return System.Runtime.InteropServices.CollectionsMarshal.AsSpan(Targets)[first..end];
    }

    public static Graph Read(ClrHeap heap)
    {
        var graph = new Graph();
        var found = new List<(ulong Address, long Size)>();
        foreach (ClrObject thing in heap.EnumerateObjects())
            if (!thing.IsFree && thing.Type is not null) found.Add((thing.Address, (long)thing.Size));
        found.Sort();
        foreach (var (address, size) in found)
        {
            graph.addresses.Add(address);
            graph.Sizes.Add(size);
        }
        graph.offsets.Add(0);
        foreach (ClrRoot root in heap.EnumerateRoots()) graph.Add(root.Object.Address);
        for (int node = 1; node < graph.Count; ++node)
        {
            graph.offsets.Add(graph.Targets.Count);
            ClrObject thing = heap.GetObject(graph.addresses[node]);
            foreach (ulong target in thing.EnumerateReferenceAddresses(carefully: false, considerDependantHandles: true))
                graph.Add(target);
        }
        return graph;
    }

    void Add(ulong address)
    {
        int node = addresses.BinarySearch(address);
        if (node > 0) Targets.Add(node);
    }

    /// By node: the one before it on a shortest path from the root; -1 where there is none.
    public int[] ShortestPaths()
    {
        var parents = new int[Count];
        Array.Fill(parents, -1);
        var waiting = new Queue<int>([0]);
        while (waiting.TryDequeue(out int node))
            foreach (int target in TargetsOf(node))
                if (parents[target] < 0)
                {
                    parents[target] = node;
                    waiting.Enqueue(target);
                }
        return parents;
    }
}
