using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

// Types that are allocated by the plants and nowhere else.
namespace HeapTruth.Planted;

sealed class Node { public Node? Next; public long Value; }                             // 16 + 16
sealed class SparseNode { public long Value; }                                          // 16 + 8
sealed class MatrixNode { public int Value; }                                           // 16 + 4

struct Slot { public object? Key; public long Hash; public Node? Value; }               // 24, two references
struct NestedSlot { public int Id; public Slot Inner; public string? Name; public byte Flag; }
struct DenseSlot { public Node? A, B; }
struct Odd { public byte Value; }
struct EmptyCell { public long Value; }
struct Voxel { public short X, Y, Z; }                                                  // 6

struct Money { public long Units, Currency; }
enum Colour : byte { Red, Green, Blue }
struct StampedNode { public Node? Node; public DateTime At; }

[InlineArray(5)] struct FiveReferences { object? first; }
[InlineArray(3)] struct ThreeSlots { Slot first; }
[InlineArray(100_000)] struct VeryManyReferences { Node? first; }
sealed class InlineHolder { public long Before; public FiveReferences Five; public ThreeSlots Slots; public string? After; }
sealed class HugeHolder { public VeryManyReferences Many; }

[StructLayout(LayoutKind.Explicit, Size = 32)]
struct Overlay
{
    [FieldOffset(0)] public object? First;
    [FieldOffset(8)] public long Bits;
    [FieldOffset(8)] public double Number;
    [FieldOffset(16)] public Node? Second;
    [FieldOffset(24)] public int Tail;
}
[StructLayout(LayoutKind.Explicit)]
sealed class OverlayClass
{
    [FieldOffset(0)] public long Bits;
    [FieldOffset(8)] public object? Reference;
    [FieldOffset(16)] public Overlay Nested;                                            // 16 + 16 + 32
}

delegate long Rule(long value);
sealed class RuleTarget { public long Factor; public long Apply(long value) => value * Factor; }

sealed class Outer<A> { public sealed class Middle<B> { public sealed class Inner<C> { public A? First; public B? Second; public C? Third; } } }
sealed class Box<T> { public T? Value; }
sealed class Alpha { public long Value; }
sealed class Beta { public long Value; }
sealed class Embeds
{
    public KeyValuePair<string, Node> Pair;                                             // 16, two references
    public Slot? Maybe;                                                                 // 8 + 24
    public (Node? Left, int Number, Node? Right) Triple;                                // 24
    public Dictionary<string, Node>.Enumerator Walk;
}
class Level0 { public Node? Base; public byte B0; }
class Level1 : Level0 { public Node? Derived; public byte B1; }
sealed class Level2 : Level1 { public StampedNode Stamp; public byte B2; }

static class Iterators
{
    public static IEnumerable<T> Repeat<T>(T value) { while (true) yield return value; }
}

sealed class HandleStrong { public long Value; }
sealed class HandleWeak { public long Value; }
struct PinnedCell { public int X, Y; }
struct PohCell { public long Value; }
sealed class CwtKey { public long Value; }
sealed class CwtValue { public Node? Node; }
sealed class DependentKey { public long Value; }
sealed class DependentValue { public CwtKey? Key; }

sealed class StaticObject { public long Value; }
struct StaticStruct { public Node? Node; public long Value; }
sealed class GenericStaticObject { public long Value; }
sealed class ThreadStaticObject { public long Value; }
sealed class StackHeld { public long Value; }
sealed class CollectibleHeld { public long Value; }

sealed class Finalizable { public long Value; ~Finalizable() { Value = -1; } }
sealed class LargeChild { public int Value; }
struct LargeCell { public long Value; }
struct Wide { public long A, B, C, D, E, F, G, H, I, J; }                               // 80

sealed class Leaked { public object? Self; public long A, B, C, D, E, F; }              // 16 + 56
