using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using HeapTruth.Retaining;

// Types of which each planted object is the only one of its type that is asked about.
namespace HeapTruth.Retaining
{
    sealed class Leaf { public long Value; }                                                    // 24
    sealed class Branch { public Branch? Left, Right; }                                         // 32
    sealed class Tree { public Branch? Top; }                                                   // 24
    sealed class Link { public Link? Next; public string? Tag; }                                // 32
    sealed class Chain { public Link? First; }                                                  // 24
    sealed class Diamond { public Side? A, B; }                                                 // 32
    sealed class Side { public Leaf[]? Common; }                                                // 24
    sealed class FirstOwner { public Leaf[]? Shared, Own; }                                     // 32
    sealed class SecondOwner { public Leaf[]? Shared; }                                         // 24
    sealed class Publisher { public event Action? Changed; public void Raise() => Changed?.Invoke(); }   // 24
    sealed class Subscriber { public long Value; public void OnChanged() => Value++; }          // 24
    sealed class Key { public long Value; }                                                     // 24
    sealed class Attached { public Leaf[]? Leaves; }                                            // 24
}

namespace HeapTruth
{
    /// What single objects retain, and by which path they are held.
    static class RetainedPlants
    {
        const string Ns = "HeapTruth.Retaining.";
        const string Here = "HeapTruth.RetainedPlants.";
        const int Levels = 9, Links = 20_000, Leaves = 50;
        const long Leaf = 24, Delegate = 64;

        static Tree[]? trees;
        static Chain? chain;
        static Diamond? diamond;
        static (FirstOwner First, SecondOwner Second)[]? owners;
        static Publisher? publisher;
        static Key? key;
        static readonly ConditionalWeakTable<Key, Attached> attached = new();
        static readonly string tag = string.Concat("a tag ", Links.ToString());

        public static void Build(Truth truth)
        {
            OfTree(truth);
            OfChain(truth);
            OfDiamond(truth);
            OfOwners(truth);
            OfPublisher(truth);
            OfKey(truth);
        }

        static void OfTree(Truth truth)
        {
            trees = new Tree[4];
            trees[2] = new Tree { Top = NewBranch(Levels) };
            long branches = (1 << Levels) - 1;   // 511
            truth.Plant(Ns + "Branch", branches, Truth.Object(16), branches - 1);
            truth.Plant(Ns + "Tree", 1, Truth.Object(8), 1);
            truth.Retained(Ns + "Tree", Truth.Object(8) + branches * Truth.Object(16), Here + "trees → [2]");
        }

        static Branch NewBranch(int levels) =>
            levels == 1 ? new Branch() : new Branch { Left = NewBranch(levels - 1), Right = NewBranch(levels - 1) };

        /// The text that all of its links share has another holder, too.
        static void OfChain(Truth truth)
        {
            chain = new Chain();
            for (int i = 0; i < Links; i++) chain.First = new Link { Next = chain.First, Tag = tag };
            truth.Plant(Ns + "Link", Links, Truth.Object(16), 2 * Links - 1);
            truth.Plant(Ns + "Chain", 1, Truth.Object(8), 1);
            truth.Retained(Ns + "Chain", Truth.Object(8) + Links * Truth.Object(16), Here + "chain");
        }

        static void OfDiamond(Truth truth)
        {
            Leaf[] common = NewLeaves(truth);
            diamond = new Diamond { A = new Side { Common = common }, B = new Side { Common = common } };
            truth.Plant(Ns + "Side", 2, Truth.Object(8), 2);
            truth.Plant(Ns + "Diamond", 1, Truth.Object(16), 2);
            truth.Retained(Ns + "Diamond", Truth.Object(16) + 2 * Truth.Object(8) + BytesOfLeaves, Here + "diamond");
        }

        /// What both refer to neither retains.
        static void OfOwners(Truth truth)
        {
            Leaf[] shared = NewLeaves(truth);
            owners = new[] { (new FirstOwner { Shared = shared, Own = NewLeaves(truth) }, new SecondOwner { Shared = shared }) };
            truth.Plant(Ns + "FirstOwner", 1, Truth.Object(16), 2);
            truth.Plant(Ns + "SecondOwner", 1, Truth.Object(8), 1);
            truth.Retained(Ns + "FirstOwner", Truth.Object(16) + BytesOfLeaves, Here + "owners → [0].Item1");
            truth.Retained(Ns + "SecondOwner", Truth.Object(8), Here + "owners → [0].Item2");
        }

        /// One handler: its delegate is in the event's field itself.
        static void OfPublisher(Truth truth)
        {
            publisher = new Publisher();
            publisher.Changed += new Subscriber().OnChanged;
            truth.Plant(Ns + "Subscriber", 1, Truth.Object(8));
            truth.Plant(Ns + "Publisher", 1, Truth.Object(8), 1);
            truth.Retained(Ns + "Publisher", Truth.Object(8) + Delegate + Truth.Object(8), Here + "publisher");
            truth.Retained(Ns + "Subscriber", Truth.Object(8), Here + "publisher → Changed → _target");
        }

        /// What a table attaches to a key lives as long as the key: the way leads over a dependent handle.
        static void OfKey(Truth truth)
        {
            key = new Key();
            attached.Add(key, new Attached { Leaves = NewLeaves(truth) });
            truth.Plant(Ns + "Key", 1, Truth.Object(8));
            truth.Plant(Ns + "Attached", 1, Truth.Object(8), 1);
            long ofAttached = Truth.Object(8) + BytesOfLeaves;
            truth.Retained(Ns + "Key", Truth.Object(8) + ofAttached, Here + "key");
            truth.Retained(Ns + "Attached", ofAttached, Here + "key → (dependent)");
        }

        static long BytesOfLeaves => Truth.Array(Leaves, 8) + Leaves * Leaf;

        static Leaf[] NewLeaves(Truth truth)
        {
            var leaves = new Leaf[Leaves];
            for (int i = 0; i < Leaves; i++) leaves[i] = new Leaf();
            truth.Plant(Ns + "Leaf", Leaves, Truth.Object(8));
            truth.Plant(Ns + "Leaf[]", 1, Truth.Array(Leaves, 8), Leaves);
            return leaves;
        }
    }
}
