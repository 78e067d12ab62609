using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Threading.Tasks;

namespace TraceTruth;

public struct Triple
{
    public long A, B, C;
    public readonly long Sum() => A + B + C;
}

public class Box<T>
{
    private T _value;
    public Box(T value) { _value = value; }
    public T Get() => _value;
    public ref T Slot() => ref _value;
    public TOther Swap<TOther>(TOther other) => other;
}

public interface ICounted
{
    int Count(int by);
}

// Methods of every shape that a rewriter of bodies has to get right. None of them depends on anything but its
// arguments, so that their results tell whether a body still does what it did.
public class Shapes : ICounted
{
    private int _state;

    public static int Tiny(int x) => x + 1;

    // Small enough to vanish into its caller.
    public static int Inlined(int x) => x * 3;

    public static int CallsInlined(int x) => Inlined(x) + Inlined(x + 1);

    public void Nothing() { _state++; }

    public static int Locals(int x)
    {
        long a = x, b = a * 2, c = b - 1;
        double d = c / 2.0;
        string text = d.ToString(System.Globalization.CultureInfo.InvariantCulture);
        return text.Length + (int)(a + b + c);
    }

    public static string Switch(int x)
    {
        switch (x)
        {
            case 0: return "none";
            case 1: return "one";
            case 2: return "two";
            case 3: return "three";
            case 4: return "four";
            case 5: return "five";
            default: return x < 0 ? "less" : "more";
        }
    }

    public static int Catches(int x)
    {
        try
        {
            return Throws(x);
        }
        catch (InvalidOperationException error)
        {
            return error.Message.Length;
        }
        finally
        {
            x++;
        }
    }

    public static int Filters(int x)
    {
        try
        {
            return Throws(x);
        }
        catch (InvalidOperationException error) when (error.Message.Length > 100)
        {
            return -1;
        }
        catch (Exception error) when (Tiny(error.Message.Length) > 1)
        {
            return error.Message.Length + x;
        }
    }

    public static int Throws(int x) => throw new InvalidOperationException("shape " + x);

    public static int ThrowsThroughFinally(int x, int[] seen)
    {
        try
        {
            if (x >= 0) throw new ArgumentOutOfRangeException(nameof(x));
            return x;
        }
        finally
        {
            seen[0]++;
        }
    }

    // What is thrown second takes the place of what was thrown first.
    public static int Replaces(int x)
    {
        try
        {
            throw new InvalidOperationException("first");
        }
        finally
        {
            if (x >= 0) throw new NotSupportedException("second");
        }
    }

    // The first exception passes by, is given up, and the method goes on.
    public static int Abandons(int x)
    {
        try
        {
            try
            {
                throw new InvalidOperationException("first");
            }
            finally
            {
                if (x >= 0) throw new NotSupportedException("second");
            }
        }
        catch (NotSupportedException)
        {
            return x + 7;
        }
    }

    public static int Rethrows(int x)
    {
        try
        {
            return Throws(x);
        }
        catch (InvalidOperationException)
        {
            x = 2;
            throw;
        }
    }

    public static T Generic<T>(T value, int x) => x > 0 ? value : default!;

    public static Triple Struct(int x) => new() { A = x, B = x + 1, C = x + 2 };

    public static ref int Ref(int[] values, int at) => ref values[at];

    public static ref readonly int ReadOnlyRef(int[] values, int at) => ref values[at];

    public static Span<int> Slice(Span<int> values, int from) => values.Slice(from);

    public static int Arguments(in Triple triple, ref int by, out int twice)
    {
        by++;
        twice = by * 2;
        return (int)triple.Sum();
    }

    public static unsafe int Stack(int x)
    {
        int* values = stackalloc int[16];
        for (int i = 0; i < 16; i++) values[i] = x + i;
        Span<byte> more = stackalloc byte[x & 15];
        more.Fill(3);
        return values[15] + more.Length;
    }

    public static unsafe int* Pointer(int* values, int at) => values + at;

    public static int Recurses(int x) => x == 0 ? 1 : Recurses(x - 1) + 1;

    [MethodImpl(MethodImplOptions.Synchronized)]
    public int Synchronized(int x) => _state + x - _state;

    public virtual int Virtual(int x) => x + 5;

    int ICounted.Count(int by) => by * 2;

    public static Func<int, int> Lambda(int x) => y => x + y;

    public static int Pattern(object value) => value switch
    {
        int number when number > 5 => number,
        string { Length: > 3 } text => text.Length,
        null => 0,
        _ => -1,
    };

    // Loops whose branches need four bytes once something is put around the body.
    public static long Long(int x)
    {
        long sum = 0;
        for (int i = 0; i < 3; i++)
        {
            sum += x; sum ^= 0x11; sum += i * 3; sum ^= 0x22; sum += x; sum ^= 0x33; sum += i * 5; sum ^= 0x44;
            sum += x; sum ^= 0x55; sum += i * 7; sum ^= 0x66; sum += x; sum ^= 0x77; sum += i * 9; sum ^= 0x88;
            if ((sum & 1) == 0) continue;
            sum += x; sum ^= 0x99; sum += i * 11; sum ^= 0xAA; sum += x; sum ^= 0xBB; sum += i * 13; sum ^= 0xCC;
        }
        return sum;
    }

    public static IEnumerable<int> Yields(int x)
    {
        for (int i = 0; i < x; i++) yield return i * 2;
    }

    public static async Task<int> Resumes(int x)
    {
        int sum = x;
        for (int i = 0; i < 3; i++)
        {
            await Task.Yield();
            sum += i;
        }
        return sum;
    }
}

public class MoreShapes : Shapes
{
    public override int Virtual(int x) => base.Virtual(x) + 1;
}
