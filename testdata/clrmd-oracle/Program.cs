using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Microsoft.Diagnostics.Runtime;

namespace ClrmdOracle;

/// clrmd-oracle PID: what ClrMD finds in the heap of a process, as lines that a snapshot can be compared with.
static class Program
{
    static int Main(string[] args)
    {
        if (args.Length != 1 || !int.TryParse(args[0], out int pid))
        {
            Console.Error.WriteLine("usage: clrmd-oracle PID");
            return 2;
        }
        using DataTarget target = DataTarget.AttachToProcess(pid, suspend: true);
        using ClrRuntime runtime = OpenRuntime(target, pid);
        var types = new SortedDictionary<string, Tally>(StringComparer.Ordinal);
        foreach (ClrObject thing in runtime.Heap.EnumerateObjects()) Add(types, thing);
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

    static void Add(SortedDictionary<string, Tally> types, ClrObject thing)
    {
        string name = thing.IsFree ? "Free" : thing.Type?.Name ?? "";
        if (!types.TryGetValue(name, out Tally? tally)) types[name] = tally = new Tally();
        tally.Objects++;
        tally.Bytes += (thing.Size + 7) & ~7ul;
        if (thing.IsFree) return;
        foreach (ulong reference in thing.EnumerateReferenceAddresses(carefully: false, considerDependantHandles: false))
        {
            tally.Edges++;
            unchecked { tally.Checksum += Checksum(thing.Address, reference); }
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
