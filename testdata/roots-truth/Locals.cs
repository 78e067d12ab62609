using System;
using System.Runtime.CompilerServices;
using System.Threading;
using RootsTruth.Held;

namespace RootsTruth;

static class Locals
{
    static readonly ManualResetEventSlim never = new();

    [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.NoOptimization)]
    public static void Parked(ManualResetEventSlim ready)
    {
        var local = new ByLocal();
        ready.Set();
        never.Wait();
        GC.KeepAlive(local);
    }

    /// An array that only a Span on this frame holds.
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Spanned(ManualResetEventSlim ready)
    {
        Span<BySpan> span = Middle();
        GC.Collect();
        GC.Collect();
        ready.Set();
        never.Wait();
        span[0] = span[1];
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static Span<BySpan> Middle()
    {
        var array = new BySpan[100];
        for (int i = 0; i < array.Length; i++) array[i] = new BySpan();
        return array.AsSpan(50, 10);
    }

    public static void StartThreads()
    {
        using var ready = new ManualResetEventSlim();
        new Thread(() => Spanned(ready)) { IsBackground = true, Name = "roots-span" }.Start();
        ready.Wait();
    }
}
