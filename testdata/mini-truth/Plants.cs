using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;
using MiniTruth.Planted;

namespace MiniTruth
{
    static class Statics
    {
        public static StaticThing Anchor;
        public static StaticPair Pair;
        public static readonly List<object> Kept = new List<object>();
        public static readonly List<GCHandle> Handles = new List<GCHandle>();
        public static readonly ConditionalWeakTable<TableKey, TableValue> Table = new ConditionalWeakTable<TableKey, TableValue>();
        [ThreadStatic] public static ThreadThing PerThread;
    }

    static class GenericStatics<T> { public static StaticThing Value; }

    static class Plants
    {
        const string Ns = "MiniTruth.Planted.";
        static readonly int Word = Truth.Word;
        static readonly int SlotBytes = Word + 8 + Word;
        static readonly ManualResetEvent never = new ManualResetEvent(false);

        public static void Build(Truth truth)
        {
            Lists(truth);
            Arrays(truth);
            Values(truth);
            Generics(truth);
            Handles(truth);
            StaticFields(truth);
            for (int i = 0; i < 2; i++) ParkThread(truth);
            truth.Root("thread-static", "MiniTruth.Statics.PerThread", Ns + "ThreadThing", 2);
        }

        static T Keep<T>(T thing) where T : class
        {
            Statics.Kept.Add(thing);
            return thing;
        }

        static Node NewNode(Truth truth)
        {
            truth.Plant(Ns + "Node", 1, Truth.Object(Word + 8));
            return new Node();
        }

        /// 20,000 nodes, one behind the other, and leaves that only an array holds.
        static void Lists(Truth truth)
        {
            Node head = Keep(NewNode(truth));
            for (int i = 1; i < 20000; i++)
            {
                Node next = NewNode(truth);
                next.Next = head.Next;
                head.Next = next;
            }
            truth.Plant(Ns + "Node", 0, 0, 19999);
            var leaves = Keep(new Leaf[30000]);
            for (int i = 0; i < 10000; i++) leaves[i * 3] = new Leaf { Value = i };
            truth.Plant(Ns + "Leaf[]", 1, Truth.Array(30000, Word), 10000);   // the large heap
            truth.Plant(Ns + "Leaf", 10000, Truth.Object(4));
        }

        static void Arrays(Truth truth)
        {
            var slots = Keep(new Slot[100]);
            for (int i = 0; i < 50; i++) slots[i * 2] = new Slot { Key = NewNode(truth), Value = NewNode(truth) };
            truth.Plant(Ns + "Slot[]", 1, Truth.Array(100, SlotBytes), 100);
            var grid = Keep(new Leaf[7, 5]);
            for (int i = 0; i < 7; i++) grid[i, 2] = new Leaf();
            truth.Plant(Ns + "Leaf[,]", 1, Truth.Matrix(2, 35, Word), 7);
            truth.Plant(Ns + "Leaf", 7, Truth.Object(4));
            var jagged = Keep(new Money[3][]);
            for (int i = 0; i < 3; i++) jagged[i] = new Money[i];
            truth.Plant(Ns + "Money[][]", 1, Truth.Array(3, Word), 3);
            for (int i = 0; i < 3; i++) truth.Plant(Ns + "Money[]", 1, Truth.Array(i, 16));
            Keep(new Colour[5]);
            truth.Plant(Ns + "Colour[]", 1, Truth.Array(5, 1));
        }

        static void Values(Truth truth)
        {
            for (int i = 0; i < 11; i++) Keep<object>(new Money { Units = i });
            truth.Plant(Ns + "Money", 11, Truth.Object(16));
            Keep<object>(Colour.Green);
            truth.Plant(Ns + "Colour", 1, Truth.Object(1));
            for (int i = 0; i < 9; i++)
            {
                Keep(new Embeds { First = new Slot { Value = NewNode(truth) }, Maybe = new Slot { Key = NewNode(truth) }, Name = "name" });
            }
            truth.Plant(Ns + "Embeds", 9, Truth.Object(SlotBytes + Word + (Word + SlotBytes)), 27);
            var target = new RuleTarget { Factor = 3 };
            Keep(new Rule(target.Apply));
            truth.Plant(Ns + "RuleTarget", 1, Truth.Object(8));
            for (int i = 0; i < 5; i++) Keep(new string('m', 20));   // TRUTH-TWINS
            truth.Twins(new string('m', 20), 5, Truth.String(20));
        }

        static void Generics(Truth truth)
        {
            for (int i = 0; i < 4; i++) Keep(new Box<Node> { Value = NewNode(truth) });
            truth.Plant(Ns + "Box<MiniTruth.Planted.Node>", 4, Truth.Object(Word), 4);
            for (int i = 0; i < 6; i++) Keep(new Box<Money>());
            truth.Plant(Ns + "Box<MiniTruth.Planted.Money>", 6, Truth.Object(16));
            Keep(new Outer<Node>.Inner<int> { First = NewNode(truth) });
            truth.Plant(Ns + "Outer<MiniTruth.Planted.Node>+Inner<System.Int32>", 1, Truth.Object(Word + 4), 1);
        }

        static void Handles(Truth truth)
        {
            for (int i = 0; i < 5; i++) Statics.Handles.Add(GCHandle.Alloc(new HandleStrong()));
            for (int i = 0; i < 4; i++) Statics.Handles.Add(GCHandle.Alloc(Keep(new HandleWeak()), GCHandleType.Weak));
            for (int i = 0; i < 3; i++) Statics.Handles.Add(GCHandle.Alloc(Keep(new Money[10]), GCHandleType.Pinned));
            for (int i = 0; i < 2; i++) Keep(new Finalized());
            truth.Plant(Ns + "HandleStrong", 5, Truth.Object(8));
            truth.Plant(Ns + "HandleWeak", 4, Truth.Object(8));
            truth.Plant(Ns + "Money[]", 3, Truth.Array(10, 16));
            truth.Plant(Ns + "Finalized", 2, Truth.Object(8));
            truth.Root("handle-strong", "", Ns + "HandleStrong", 5);
            truth.Root("handle-weak", "", Ns + "HandleWeak", 4);
            truth.Root("handle-pinned", "", Ns + "Money[]", 3);
            for (int i = 0; i < 8; i++) Statics.Table.Add(Keep(new TableKey()), new TableValue { Node = NewNode(truth) });
            truth.Plant(Ns + "TableKey", 8, Truth.Object(8));
            truth.Plant(Ns + "TableValue", 8, Truth.Object(Word), 8);
            truth.Dependent(Ns + "TableKey", Ns + "TableValue", 8);
        }

        static void StaticFields(Truth truth)
        {
            Statics.Anchor = new StaticThing();
            Statics.Pair = new StaticPair { Node = NewNode(truth) };
            GenericStatics<int>.Value = new StaticThing();
            GenericStatics<string>.Value = new StaticThing();
            truth.Plant(Ns + "StaticThing", 3, Truth.Object(8));
            truth.Plant(Ns + "StaticPair", 1, Truth.Object(Word + 8), 1);   // the runtime keeps a struct's static boxed
            truth.Root("static", "MiniTruth.Statics.Anchor", Ns + "StaticThing");
        }

        /// A thread whose only work is to hold one object in a thread static and one in a local.
        static void ParkThread(Truth truth)
        {
            var ready = new ManualResetEvent(false);
            var thread = new Thread(() => { Statics.PerThread = new ThreadThing(); HoldLocal(ready); });
            thread.IsBackground = true;
            thread.Name = "parked";
            thread.Start();
            ready.WaitOne();
            truth.Plant(Ns + "ThreadThing", 1, Truth.Object(8));
            truth.Plant(Ns + "StackThing", 1, Truth.Object(8));
            truth.Root("local", "", Ns + "StackThing");
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        static void HoldLocal(ManualResetEvent ready)
        {
            var held = new StackThing();
            ready.Set();
            never.WaitOne();
            GC.KeepAlive(held);
        }
    }
}
