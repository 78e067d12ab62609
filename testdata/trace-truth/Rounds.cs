using System;
using System.Collections.Generic;

namespace TraceTruth;

// One round calls every shape a fixed number of times; so calls and exceptions are known without counting.
public static class Rounds
{
    // Pattern of the method, calls in one round, and how many of them are left by which exception.
    public static readonly (string Method, int Calls, int Exceptions, string? Type)[] Truth =
    {
        ("Shapes.Tiny", 1 + 1, 0, null),  // one by the filter of Filters
        ("Shapes.Inlined", 2, 0, null),
        ("Shapes.CallsInlined", 1, 0, null),
        ("Shapes.Nothing", 1, 0, null),
        ("Shapes.Locals", 1, 0, null),
        ("Shapes.Switch", 8, 0, null),
        ("Shapes.Catches", 1, 0, null),
        ("Shapes.Filters", 1, 0, null),
        ("Shapes.Throws", 3, 3, "System.InvalidOperationException"),  // by Catches, Filters, Rethrows
        ("Shapes.ThrowsThroughFinally", 1, 1, "System.ArgumentOutOfRangeException"),
        ("Shapes.Replaces", 1, 1, "System.NotSupportedException"),
        ("Shapes.Abandons", 1, 0, null),
        ("Shapes.Rethrows", 1, 1, "System.InvalidOperationException"),
        ("Shapes.Generic", 4, 0, null),
        ("Shapes.Struct", 1, 0, null),
        ("Shapes.Ref", 1, 0, null),
        ("Shapes.ReadOnlyRef", 1, 0, null),
        ("Shapes.Slice", 1, 0, null),
        ("Shapes.Arguments", 1, 0, null),
        ("Shapes.Stack", 1, 0, null),
        ("Shapes.Pointer", 1, 0, null),
        ("Shapes.Recurses", 5, 0, null),
        ("Shapes.Synchronized", 1, 0, null),
        ("Shapes.Virtual", 1, 0, null),
        ("Shapes.TraceTruth.ICounted.Count", 1, 0, null),
        ("Shapes.Lambda", 1, 0, null),
        ("Shapes.Pattern", 4, 0, null),
        ("Shapes.Long", 1, 0, null),
        ("Shapes.Resumes", 1, 0, null),
        ("Shapes+<Resumes>*.MoveNext", 4, 0, null),  // the start and three resumptions
        ("Shapes+<Yields>*.MoveNext", 4, 0, null),   // three values and the end
        ("Shapes..ctor", 2, 0, null),                // its own, and that of MoreShapes
        ("MoreShapes.Virtual", 1, 0, null),
        ("Triple.Sum", 1 + 1, 0, null),  // one by Arguments
        ("Box..ctor", 3, 0, null),
        ("Box.Get", 3, 0, null),
        ("Box.Slot", 1, 0, null),
        ("Box.Swap", 2, 0, null),
    };

    // The same every time: a body that does something else changes it.
    public static long One()
    {
        long sum = Shapes.Tiny(1);
        var shapes = new Shapes();
        sum = sum * 31 + Shapes.CallsInlined(3);
        shapes.Nothing();
        sum = sum * 31 + Shapes.Locals(7);
        for (int i = -1; i < 7; i++) sum = sum * 31 + Shapes.Switch(i).Length;
        sum = sum * 31 + Shapes.Catches(4);
        sum = sum * 31 + Shapes.Filters(5);
        sum = sum * 31 + Failing();
        sum = sum * 31 + Caught<Exception>(() => Shapes.Abandons(8));
        sum = sum * 31 + Shapes.Generic("text", 1).Length + Shapes.Generic(5, 1) + (long)Shapes.Generic(2.5, 1);
        sum = sum * 31 + (Shapes.Generic(new object(), 0) == null ? 1 : 2);
        sum = sum * 31 + Memory();
        sum = sum * 31 + Shapes.Recurses(4);
        sum = sum * 31 + shapes.Synchronized(9);
        sum = sum * 31 + ((Shapes)new MoreShapes()).Virtual(3);
        sum = sum * 31 + ((ICounted)shapes).Count(6);
        sum = sum * 31 + Shapes.Lambda(2)(3);
        foreach (object? value in new object?[] { 7, "long text", null, 2.0 }) sum = sum * 31 + Shapes.Pattern(value!);
        sum = sum * 31 + Shapes.Long(11);
        foreach (int value in Shapes.Yields(3)) sum = sum * 31 + value;
        sum = sum * 31 + Shapes.Resumes(2).GetAwaiter().GetResult();
        return sum * 31 + Boxes();
    }

    private static long Failing()
    {
        int[] seen = new int[1];
        long sum = Caught<ArgumentOutOfRangeException>(() => Shapes.ThrowsThroughFinally(1, seen));
        sum = sum * 31 + Caught<Exception>(() => Shapes.Replaces(1));
        sum = sum * 31 + Caught<InvalidOperationException>(() => Shapes.Rethrows(1));
        return sum * 31 + seen[0];
    }

    private static long Caught<T>(Func<int> call) where T : Exception
    {
        try
        {
            return call();
        }
        catch (T error)
        {
            return error.GetType().Name.Length;
        }
    }

    private static unsafe long Memory()
    {
        int[] values = { 1, 2, 3, 4 };
        Shapes.Ref(values, 1) = 20;
        long sum = values[1] + Shapes.ReadOnlyRef(values, 2);
        sum = sum * 31 + Shapes.Slice(values, 2).Length;
        int by = 4;
        Triple triple = Shapes.Struct(5);
        sum = sum * 31 + Shapes.Arguments(in triple, ref by, out int twice) + by + twice;
        sum = sum * 31 + triple.Sum() + Shapes.Stack(6);
        fixed (int* first = values) sum = sum * 31 + *Shapes.Pointer(first, 3);
        return sum;
    }

    private static long Boxes()
    {
        var number = new Box<int>(3);
        var text = new Box<string>("four");
        var triple = new Box<Triple>(new Triple { A = 1, B = 2, C = 3 });
        number.Slot() = 9;
        long sum = number.Get() + text.Get().Length + triple.Get().A;
        return sum * 31 + number.Swap("other").Length + text.Swap(8L);
    }
}
