using System;
using System.Threading;

// Types that are allocated by the plants and nowhere else. Bytes of the fields are those of 64-bit processes.
namespace MiniTruth.Planted
{
    sealed class Node { public Node Next; public long Value; }                          // 16 + 16
    sealed class Leaf { public int Value; }                                             // 16 + 4
    struct Slot { public object Key; public long Hash; public Node Value; }             // 24, two references
    sealed class Embeds { public Slot First; public string Name; public Slot? Maybe; }  // 16 + 24 + 8 + 32
    struct Money { public long Units, Currency; }
    enum Colour : byte { Red, Green }
    sealed class Box<T> { public T Value; }
    sealed class Outer<A> { public sealed class Inner<B> { public A First; public B Second; } }
    delegate long Rule(long value);
    sealed class RuleTarget { public long Factor; public long Apply(long value) { return value * Factor; } }

    sealed class HandleStrong { public long Value; }
    sealed class HandleWeak { public long Value; }
    sealed class PinnedThing { public long Value; }
    sealed class TableKey { public long Value; }
    sealed class TableValue { public Node Node; }
    sealed class Finalized { public long Value; ~Finalized() { Interlocked.Increment(ref Value); } }

    sealed class StaticThing { public long Value; }
    sealed class ThreadThing { public long Value; }
    sealed class StackThing { public long Value; }
    struct StaticPair { public Node Node; public long Value; }
}
