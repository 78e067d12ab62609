using System;
using System.Collections.Generic;
using System.Reflection;
using HeapTruth.Planted;

namespace HeapTruth;

static class GenericPlants
{
    const string Ns = "HeapTruth.Planted.";
    const string Generic = "System.Collections.Generic.";

    public static void Build(Truth truth)
    {
        Nested(truth);
        Collections(truth);
        Arguments(truth);
        Delegates(truth);
    }

    static void Nested(Truth truth)
    {
        for (int i = 0; i < 12; i++) Kept.Keep(new Outer<int>.Middle<Money>.Inner<string> { Third = "third" });
        truth.Plant($"{Ns}Outer<System.Int32>+Middle<{Ns}Money>+Inner<System.String>", 12, Truth.Object(8 + 16 + 4), 12);
        for (int i = 0; i < 7; i++) Kept.Keep(new Outer<Alpha>.Middle<Beta[]>.Inner<Box<Alpha>> { First = NewAlpha(truth) });
        truth.Plant($"{Ns}Outer<{Ns}Alpha>+Middle<{Ns}Beta[]>+Inner<{Ns}Box<{Ns}Alpha>>", 7, Truth.Object(24), 7);
    }

    static Alpha NewAlpha(Truth truth)
    {
        truth.Plant(Ns + "Alpha", 1, Truth.Object(8));
        return new Alpha();
    }

    static void Collections(Truth truth)
    {
        string tuple = $"System.Tuple<{Ns}Alpha, {Ns}Beta>";
        string list = $"{Generic}List<{tuple}>";
        string dictionary = $"{Generic}Dictionary<System.String, {list}>";
        for (int i = 0; i < 4; i++)
        {
            var map = Kept.Keep(new Dictionary<string, List<Tuple<Alpha, Beta>>>(7));   // 7 is prime: 7 buckets, 7 entries
            map["a"] = new List<Tuple<Alpha, Beta>>(2) { Tuple.Create(NewAlpha(truth), new Beta()) };
        }
        truth.Plant(Ns + "Beta", 4, Truth.Object(8));
        truth.Plant(tuple, 4, Truth.Object(16), 4 * 2);
        truth.Plant(list, 4, Truth.Object(8 + 4 + 4), 4);
        // buckets, entries, comparer, keys, values: 40; fast-mod multiplier 8; count, free list, free count, version: 16.
        // Set: buckets, entries, and the comparer of string keys.
        truth.Plant(dictionary, 4, Truth.Object(40 + 8 + 16), 4 * 3);
        truth.Plant(dictionary + "+Entry[]", 4, Truth.Array(7, 4 + 4 + 8 + 8), 4 * 2);
    }

    static void Arguments(Truth truth)
    {
        Plant(new Box<Node[]>(), $"{Ns}Box<{Ns}Node[]>", 8);
        Plant(new Box<MatrixNode[,]>(), $"{Ns}Box<{Ns}MatrixNode[,]>", 8);
        Plant(new Box<Box<Box<int>>>(), $"{Ns}Box<{Ns}Box<{Ns}Box<System.Int32>>>", 8);
        Plant(new Box<(Node, int)>(), $"{Ns}Box<System.ValueTuple<{Ns}Node, System.Int32>>", 16);
        Plant(new Box<int?>(), $"{Ns}Box<System.Nullable<System.Int32>>", 8);
        // A compiler-generated name with angle brackets of its own: state, current, thread, value, its copy.
        Kept.Keep(Iterators.Repeat(NewAlpha(truth)));
        truth.Plant($"{Ns}Iterators+<Repeat>d__0<{Ns}Alpha>", 1, Truth.Object(4 + 8 + 4 + 8 + 8), 1);

        void Plant(object thing, string name, int fields)
        {
            Kept.Keep(thing);
            truth.Plant(name, 1, Truth.Object(fields));
        }
    }

    /// Target, method base, two code pointers, invocation list, invocation count: 48 bytes of fields.
    static void Delegates(Truth truth)
    {
        for (int i = 0; i < 11; i++) Kept.Keep(new Rule(new RuleTarget { Factor = i }.Apply));   // closed: target
        for (int i = 0; i < 6; i++) Kept.Keep(OpenRule());   // open: the target is the delegate itself
        var both = Kept.Keep((Rule)Delegate.Combine(OpenRule(), OpenRule(), new Rule(new RuleTarget().Apply))!);
        GC.KeepAlive(both);
        truth.Plant(Ns + "RuleTarget", 12, Truth.Object(8));
        // Multicast: three parts, and the whole with itself as target and an invocation list.
        truth.Plant(Ns + "Rule", 11 + 6 + 3 + 1, Truth.Object(48), 11 + 6 + 3 + 2);
    }

    static Rule OpenRule() =>
        (Rule)Delegate.CreateDelegate(typeof(Rule), typeof(GenericPlants).GetMethod(nameof(Double), BindingFlags.NonPublic | BindingFlags.Static)!);
    static long Double(long value) => value * 2;
}
