using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using HeapTruth.Planted;

namespace HeapTruth;

static class ValuePlants
{
    const string Ns = "HeapTruth.Planted.";

    public static void Build(Truth truth)
    {
        Boxed(truth);
        Inline(truth);
        Explicit(truth);
        Embedded(truth);
        Inherited(truth);
    }

    static void Boxed(Truth truth)
    {
        for (int i = 0; i < 13; i++) Kept.Keep((object)new Money { Units = i });
        truth.Plant(Ns + "Money", 13, Truth.Object(16));
        for (int i = 0; i < 9; i++) Kept.Keep((object)(Colour)(i % 3));
        truth.Plant(Ns + "Colour", 9, Truth.Object(1));
        for (int i = 0; i < 3; i++) Kept.Keep((object)new Slot { Key = "key", Value = ArrayPlants.NewNode(truth) });
        truth.Plant(Ns + "Slot", 3, Truth.Object(24), 2 * 3);
        Kept.Keep((object)new KeyValuePair<Node, Money>(ArrayPlants.NewNode(truth), default));
        truth.Plant($"System.Collections.Generic.KeyValuePair<{Ns}Node, {Ns}Money>", 1, Truth.Object(8 + 16), 1);
    }

    static void Inline(Truth truth)
    {
        for (int i = 0; i < 21; i++)
        {
            var holder = Kept.Keep(new InlineHolder { After = "after" });
            holder.Five[4] = ArrayPlants.NewNode(truth);
            holder.Slots[2] = new Slot { Key = "key", Value = ArrayPlants.NewNode(truth) };
        }
        truth.Plant(Ns + "InlineHolder", 21, Truth.Object(8 + 5 * 8 + 3 * 24 + 8), 21 * (1 + 1 + 2));

        var many = Kept.Keep(new FiveReferences[400]);
        for (int i = 0; i < 400; i++) many[i][i % 5] = "one";
        truth.Plant(Ns + "FiveReferences[]", 1, Truth.Array(400, 5 * 8), 400);

        var huge = Kept.Keep(new HugeHolder());
        for (int i = 0; i < 100_000; i += 1_000) huge.Many[i] = ArrayPlants.NewNode(truth);
        truth.Plant(Ns + "HugeHolder", 1, Truth.Object(100_000 * 8), 100);
    }

    static void Explicit(Truth truth)
    {
        var overlays = Kept.Keep(new Overlay[60]);
        for (int i = 0; i < 60; i++) overlays[i] = new Overlay { First = "first", Bits = -1, Second = ArrayPlants.NewNode(truth) };
        truth.Plant(Ns + "Overlay[]", 1, Truth.Array(60, 32), 2 * 60);
        for (int i = 0; i < 14; i++)
            Kept.Keep(new OverlayClass { Bits = -1, Reference = "reference", Nested = new Overlay { Bits = -1, Second = ArrayPlants.NewNode(truth) } });
        truth.Plant(Ns + "OverlayClass", 14, Truth.Object(16 + 32), 14 * 2);
    }

    static void Embedded(Truth truth)
    {
        for (int i = 0; i < 8; i++)
        {
            Kept.Keep(new Embeds
            {
                Pair = new KeyValuePair<string, Node>("pair", ArrayPlants.NewNode(truth)),
                Maybe = new Slot { Key = "key" },
                Triple = (ArrayPlants.NewNode(truth), i, ArrayPlants.NewNode(truth)),
            });
        }
        int fields = 16 + Unsafe.SizeOf<Slot?>() + Unsafe.SizeOf<(Node?, int, Node?)>() + Unsafe.SizeOf<Dictionary<string, Node>.Enumerator>();
        truth.Plant(Ns + "Embeds", 8, Truth.Object(fields), 8 * (2 + 1 + 2));
    }

    /// A level's small fields fill the gap that its base left before its own references follow.
    static void Inherited(Truth truth)
    {
        for (int i = 0; i < 6; i++)
        {
            Kept.Keep(new Level2
            {
                Base = ArrayPlants.NewNode(truth),
                Derived = ArrayPlants.NewNode(truth),
                Stamp = new StampedNode { Node = ArrayPlants.NewNode(truth) },
            });
        }
        // Base 8, B0 and B1 8; Derived 8; B2 8; Stamp 16.
        truth.Plant(Ns + "Level2", 6, Truth.Object(48), 6 * 3);
    }
}
