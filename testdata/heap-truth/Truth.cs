using System;
using System.Collections.Generic;
using System.IO;

namespace HeapTruth;

/// What was planted, as it will be printed. Every plant adds its own lines, so that the sum per type is exact.
/// Sizes are what an object occupies on 64 bits: header 8, method table 8, fields; at least 24; rounded up to 8.
sealed class Truth
{
    readonly SortedDictionary<string, (long Count, long Bytes, long References)> types = new(StringComparer.Ordinal);
    readonly SortedDictionary<(string Kind, string Name, string Type), long> roots = new();
    readonly List<string> other = new();

    public static long Object(long fieldBytes) => Math.Max(24, Up8(16 + fieldBytes));
    /// A one-dimensional array from zero: header, method table, length padded to 8, elements.
    public static long Array(long length, int element) => Up8(24 + length * element);
    /// Any other array: as above and a length and a lower bound, 4 bytes each, per dimension.
    public static long Matrix(int rank, long length, int element) => Up8(24 + 8L * rank + length * element);
    public static long String(int length) => Up8(22 + 2L * length);
    static long Up8(long bytes) => (bytes + 7) & ~7L;

    /// `count` objects of `type`, of `bytesEach`, holding `references` non-null slots between them.
    public void Plant(string type, long count, long bytesEach, long references = 0)
    {
        types.TryGetValue(type, out var old);
        types[type] = (old.Count + count, old.Bytes + count * bytesEach, old.References + references);
    }

    public void Root(string kind, string name, string type, long count = 1)
    {
        roots.TryGetValue((kind, name, type), out long old);
        roots[(kind, name, type)] = old + count;
    }

    public void Dependent(string primary, string secondary, long count) =>
        other.Add($"TRUTH-DEPENDENT\t{primary}\t{secondary}\t{count}");
    public void Many(string prefix, long types, long bytesEach) => other.Add($"TRUTH-MANY\t{prefix}\t{types}\t{bytesEach}");
    /// What the one object of a type retains, and by which static field, and which further fields, it is held.
    public void Retained(string type, long bytes, string path) => other.Add($"TRUTH-RETAINED\t{type}\t{bytes}\t{path}");
    /// An object that cannot move.
    public void At(nint address, string type, long bytes, string generation) =>
        other.Add($"TRUTH-AT\t0x{address:x}\t{type}\t{bytes}\t{generation}");

    public long Objects
    {
        get
        {
            long sum = 0;
            foreach (var type in types.Values) sum += type.Count;
            return sum;
        }
    }

    public void Print(TextWriter output)
    {
        foreach (var (type, t) in types)
        {
            output.WriteLine($"TRUTH-COUNT\t{type}\t{t.Count}\t{t.Bytes}");
            output.WriteLine($"TRUTH-REFERENCES\t{type}\t{t.References}");
        }
        foreach (var ((kind, name, type), count) in roots) output.WriteLine($"TRUTH-ROOT\t{kind}\t{name}\t{type}\t{count}");
        foreach (string line in other) output.WriteLine(line);
    }
}

/// Holds what nothing else holds.
static class Kept
{
    static readonly List<object> things = new();
    public static T Keep<T>(T thing) where T : class
    {
        things.Add(thing);
        return thing;
    }
}
