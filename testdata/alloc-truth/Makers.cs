using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Threading.Tasks;

namespace AllocTruth;

sealed class Order { public long A, B, C, D; }
sealed class Note { public long A; }
sealed class Leaf { public Leaf? Next; public long A; }

sealed class OrderMaker : Maker
{
    protected override string Type => "AllocTruth.Order";
    protected override string Method => "AllocTruth.OrderMaker.Make";
    protected override int Bytes => 8 + 8 + 4 * 8;
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override object Make() => new Order();
}

sealed class GenericMaker<T> : Maker
{
    sealed class Box { public T? Value; public long Padding; }
    protected override string Type => "AllocTruth.GenericMaker<System.String>+Box";
    protected override string Method => "AllocTruth.GenericMaker";
    protected override int Bytes => 8 + 8 + 8 + 8;
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override object Make() => new Box();
}

sealed class LambdaMaker : Maker
{
    readonly Func<object> make = [MethodImpl(MethodImplOptions.NoInlining)] () => new Note();
    protected override string Type => "AllocTruth.Note";
    protected override string Method => "AllocTruth.LambdaMaker+<>c.<.ctor>b__";
    protected override int Bytes => 8 + 8 + 8;
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override object Make() => make();
}

sealed class AsyncMaker : Maker
{
    sealed class Ticket { public long A, B; }
    protected override string Type => "AllocTruth.AsyncMaker+Ticket";
    protected override string Method => "AllocTruth.AsyncMaker+<Issue>d__";
    protected override int Bytes => 8 + 8 + 2 * 8;
    protected override object Make() => Issue().GetAwaiter().GetResult();
    static async ValueTask<object> Issue()
    {
        await Task.CompletedTask;
        return new Ticket();
    }
}

sealed class LargeMaker : Maker
{
    protected override string Type => "System.Int64[]";
    protected override string Method => "AllocTruth.LargeMaker.Make";
    protected override int Bytes => 8 + 16 + 25_000 * 8;
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override object Make() => new long[25_000];
}

sealed class PinnedMaker : Maker
{
    protected override string Type => "System.Int16[]";
    protected override string Method => "AllocTruth.PinnedMaker.Make";
    protected override double Share => 0.2;
    protected override int Bytes => 8 + 16 + 2_000 * 2;
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override object Make() => GC.AllocateArray<short>(2_000, pinned: true);
}

/// Below more frames than are kept.
sealed class DeepMaker : Maker
{
    const int Depth = 60;
    protected override string Type => "AllocTruth.Leaf";
    protected override string Method => "AllocTruth.DeepMaker.Descend";
    protected override int Bytes => 8 + 8 + 8 + 8;
    protected override double Share => 0.05;
    protected override object Make() => Descend(Depth);
    [MethodImpl(MethodImplOptions.NoInlining)]
    static Leaf Descend(int depth) => depth == 0 ? new Leaf() : Pass(Descend(depth - 1));
    [MethodImpl(MethodImplOptions.NoInlining)]
    static Leaf Pass(Leaf leaf) => leaf;
}

static class Kept
{
    static readonly List<object> all = [];

    public static void Plant(int count)
    {
        for (int i = 0; i < count; i++)
        {
            all.Add(MakeRed());
            all.Add(MakeBlue());
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static object MakeRed() => new Red();
    [MethodImpl(MethodImplOptions.NoInlining)]
    static object MakeBlue() => new Blue();
}

sealed class Red { public long A, B, C; }
sealed class Blue { public long A, B, C, D, E; }
