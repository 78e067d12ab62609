using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Microsoft.Diagnostics.Runtime;

namespace ClrmdOracle;

/// clrmd-oracle PID [RANGES [ROOTS]]: what ClrMD finds in the heap of a process, as lines that a snapshot can be compared
/// with. RANGES is a file of lines `start end`, in hexadecimal: only objects that start in one of them count. With
/// ROOTS, a file of lines with the address of an object each: what every object retains, and how far it is from them.
static class Program
{
    static int Main(string[] args)
    {
        if (args.Length is < 1 or > 3 || !int.TryParse(args[0], out int pid))
        {
            Console.Error.WriteLine("usage: clrmd-oracle PID [RANGES [ROOTS]]");
            return 2;
        }
        using DataTarget target = DataTarget.AttachToProcess(pid, suspend: true);
        using ClrRuntime runtime = OpenRuntime(target, pid);
        var types = new SortedDictionary<string, Tally>(StringComparer.Ordinal);
        Func<ulong, bool> counts = args.Length >= 2 ? Within(args[1]) : _ => true;
        if (args.Length == 3)
        {
            Retained.Print(runtime, counts, args[2]);
            return 0;
        }
        foreach (ClrObject thing in runtime.Heap.EnumerateObjects())
            if (counts(thing.Address)) Add(types, thing);
        Print(types);
        return 0;
    }

    /// This runtime's own data access library, by path: its version cannot be read from outside here.
    static ClrRuntime OpenRuntime(DataTarget target, int pid)
    {
        string core = File.ReadLines($"/proc/{pid}/maps").First(line => line.EndsWith("/libcoreclr.so"));
        string folder = Path.GetDirectoryName(core[core.IndexOf('/')..])!;
        return target.ClrVersions.Single().CreateRuntime(Path.Combine(folder, "libmscordaccore.so"), ignoreMismatch: true);
    }

    static Func<ulong, bool> Within(string file)
    {
        var ranges = new SortedList<ulong, ulong>();
        foreach (string line in File.ReadLines(file))
        {
            ulong[] ends = line.Split(' ').Select(word => Convert.ToUInt64(word, 16)).ToArray();
            if (ends[0] < ends[1]) ranges.Add(ends[0], ends[1]);
        }
        ulong[] starts = ranges.Keys.ToArray();
        return address =>
        {
            int at = Array.BinarySearch(starts, address);
            if (at < 0) at = ~at - 1;
            return at >= 0 && address < ranges[starts[at]];
        };
    }

    static void Add(SortedDictionary<string, Tally> types, ClrObject thing)
    {
        string name = thing.IsFree ? "Free" : thing.Type?.Name ?? "";
        if (!types.TryGetValue(name, out Tally? tally)) types[name] = tally = new Tally();
        tally.Objects++;
        tally.Bytes += (thing.Size + 7) & ~7ul;
        if (thing.IsFree) return;
        foreach (ClrObject reference in thing.EnumerateReferences(carefully: false, considerDependantHandles: false))
        {
            tally.Edges++;
            unchecked { tally.Checksum += Checksum(thing.Address, reference.Address); }
        }
    }

    /// FNV-1a over the 16 bytes of the edge, little-endian: the sum over all edges does not depend on their order.
    static ulong Checksum(ulong from, ulong to)
    {
        ulong hash = 0xcbf29ce484222325;
        unchecked
        {
            foreach (ulong word in stackalloc[] { from, to })
                for (int shift = 0; shift < 64; shift += 8) hash = (hash ^ (word >> shift & 0xff)) * 0x100000001b3;
        }
        return hash;
    }

    static void Print(SortedDictionary<string, Tally> types)
    {
        foreach (var (name, t) in types) Console.WriteLine($"TYPE\t{name}\t{t.Objects}\t{t.Bytes}\t{t.Edges}\t{t.Checksum:x16}");
        var all = types.Where(t => t.Key != "Free").Select(t => t.Value).ToList();
        Console.WriteLine($"TOTAL\t{all.Sum(t => t.Objects)}\t{all.Sum(t => (long)t.Bytes)}\t{all.Sum(t => t.Edges)}");
    }

    sealed class Tally
    {
        public long Objects, Edges;
        public ulong Bytes, Checksum;
    }
}
