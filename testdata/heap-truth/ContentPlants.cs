using System;
using System.Collections.Generic;
using HeapTruth.Planted;

namespace HeapTruth.Planted
{
    sealed class Vault : IDisposable
    {
        public string Secret = "";
        bool _disposed;
        public void Dispose() => _disposed = true;
    }

    sealed class Primitives
    {
        public sbyte A = -1; public byte B = 200; public short C = -300; public ushort D = 60_000;
        public int E = -70_000; public uint F = 4_000_000_000; public long G = -5_000_000_000; public ulong H = 10_000_000_000_000_000_000;
        public float I = 1.5f; public double J = -2.25; public bool K = true; public char L = 'x';
        public Colour M = (Colour)2; public Money N = new() { Units = 77 };
    }

    sealed class Counted<T> { public List<T>? Items; public Dictionary<string, T>? ByName; public HashSet<T>? Known; public Queue<T>? Next; }
    delegate string Phrase(string word);
}

namespace HeapTruth
{
    /// What is kept of contents: texts, counts, flags, values.
    static class ContentPlants
    {
        const string Ns = "HeapTruth.Planted.";

        public static void Build(Truth truth)
        {
            // No literals: made when it runs, so that equal ones are objects of their own.
            for (int i = 0; i < 3; i++)
            {
                var vault = Kept.Keep(new Vault { Secret = string.Concat("cairn-", "secret-", (1_700 + i / 2).ToString()) });
                if (i == 1) vault.Dispose();
            }
            truth.Plant(Ns + "Vault", 3, Truth.Object(8 + 1), 3);
            Kept.Keep(new Primitives());
            Kept.Keep((object)123_456_789);
            Collections(truth);
            Kept.Keep((Phrase)Shout);
            truth.Plant(Ns + "Phrase", 1, Truth.Object(48), 1);
        }

        static void Collections(Truth truth)
        {
            var counted = Kept.Keep(new Counted<Half> { Items = new List<Half>(8), ByName = new(7), Known = new(), Next = new() });
            for (int i = 0; i < 5; i++) counted.Items!.Add((Half)i);
            counted.ByName!["a"] = (Half)1;
            counted.ByName["b"] = (Half)2;
            counted.ByName.Remove("a");
            for (int i = 0; i < 4; i++) counted.Known!.Add((Half)i);
            for (int i = 0; i < 6; i++) counted.Next!.Enqueue((Half)i);
            counted.Next!.Dequeue();
            truth.Plant(Ns + "Counted<System.Half>", 1, Truth.Object(4 * 8), 4);
        }

        static string Shout(string word) => word + "!";
    }
}
