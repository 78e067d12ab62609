using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using Microsoft.Diagnostics.Runtime;

namespace ClrmdOracle;

/// Retained sizes and distances from the roots, by ClrMD's reading of the heap. Immediate dominators are those of Cooper,
/// Harvey and Kennedy ("A Simple, Fast Dominance Algorithm", 2001): iterated to a fixed point, and so another way to
/// them than the one that is tested with it.
sealed class Retained
{
    const int Root = 0;   // the virtual root; objects are 1, 2, …

    readonly List<ulong> addresses = new() { 0 };
    readonly List<ulong> sizes = new() { 0 };
    readonly List<int[]> targets = new() { Array.Empty<int>() };
    readonly Dictionary<ulong, int> numbers = new();

    public static void Print(ClrRuntime runtime, Func<ulong, bool> counts, string rootsFile)
    {
        var heap = new Retained();
        heap.Read(runtime, counts);
        heap.AddRoots(rootsFile);
        int[] order = heap.PostOrder();
        int[] dominators = heap.Dominators(order);
        ulong[] retained = heap.Sums(order, dominators);
        int[] distances = heap.Distances();
        foreach (int at in order)
            if (at != Root)
                Console.WriteLine($"RETAINED\t{heap.addresses[at]:x}\t{heap.sizes[at]}\t{retained[at]}\t{distances[at]}");
    }

    void Read(ClrRuntime runtime, Func<ulong, bool> counts)
    {
        var things = new List<ClrObject>();
        foreach (ClrObject thing in runtime.Heap.EnumerateObjects())
        {
            if (thing.IsFree || !counts(thing.Address)) continue;
            numbers[thing.Address] = addresses.Count;
            addresses.Add(thing.Address);
            sizes.Add((thing.Size + 7) & ~7ul);
            things.Add(thing);
        }
        foreach (ClrObject thing in things)
            targets.Add(thing.EnumerateReferences(carefully: false, considerDependantHandles: true)
                .Where(target => numbers.ContainsKey(target.Address)).Select(target => numbers[target.Address]).ToArray());
    }

    /// A file of lines with the address of an object each, in hexadecimal.
    void AddRoots(string file)
    {
        var roots = new SortedSet<int>();
        foreach (string line in File.ReadLines(file))
            if (numbers.TryGetValue(ulong.Parse(line, NumberStyles.HexNumber, CultureInfo.InvariantCulture), out int number))
                roots.Add(number);
        targets[Root] = roots.ToArray();
    }

    /// With a stack of its own: real heaps hold lists of millions of nodes.
    int[] PostOrder()
    {
        var order = new List<int>();
        var seen = new bool[targets.Count];
        var waiting = new Stack<(int Node, int Next)>();
        waiting.Push((Root, 0));
        seen[Root] = true;
        while (waiting.Count > 0)
        {
            var (node, next) = waiting.Pop();
            if (next == targets[node].Length)
            {
                order.Add(node);
                continue;
            }
            waiting.Push((node, next + 1));
            int target = targets[node][next];
            if (seen[target]) continue;
            seen[target] = true;
            waiting.Push((target, 0));
        }
        return order.ToArray();
    }

    int[] Dominators(int[] order)
    {
        var place = new int[targets.Count];   // in post-order
        for (int i = 0; i < order.Length; i++) place[order[i]] = i;
        var sources = new List<int>[targets.Count];
        foreach (int node in order)
            foreach (int target in targets[node]) (sources[target] ??= new()).Add(node);
        int[] dominators = Enumerable.Repeat(-1, targets.Count).ToArray();
        dominators[Root] = Root;
        for (bool changed = true; changed;)
        {
            changed = false;
            for (int i = order.Length - 2; i >= 0; i--)   // the root is last
            {
                int found = -1;
                foreach (int source in sources[order[i]])
                    if (dominators[source] >= 0) found = found < 0 ? source : Intersect(found, source, dominators, place);
                if (dominators[order[i]] == found) continue;
                dominators[order[i]] = found;
                changed = true;
            }
        }
        return dominators;
    }

    static int Intersect(int a, int b, int[] dominators, int[] place)
    {
        while (a != b)
        {
            while (place[a] < place[b]) a = dominators[a];
            while (place[b] < place[a]) b = dominators[b];
        }
        return a;
    }

    /// What a node dominates comes before it in post-order.
    ulong[] Sums(int[] order, int[] dominators)
    {
        ulong[] retained = sizes.ToArray();
        foreach (int node in order)
            if (node != Root) retained[dominators[node]] += retained[node];
        return retained;
    }

    int[] Distances()
    {
        int[] distances = Enumerable.Repeat(-1, targets.Count).ToArray();
        distances[Root] = 0;
        var waiting = new Queue<int>();
        waiting.Enqueue(Root);
        while (waiting.TryDequeue(out int node))
            foreach (int target in targets[node])
            {
                if (distances[target] >= 0) continue;
                distances[target] = distances[node] + 1;
                waiting.Enqueue(target);
            }
        return distances;
    }
}
