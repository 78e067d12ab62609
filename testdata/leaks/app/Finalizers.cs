using System;
using System.Runtime.CompilerServices;
using System.Threading;

namespace Leaks.App;

/// Its finalizer waits for a lock that somebody holds: nothing is finalized behind it.
public sealed class DeadlockedHandle
{
    static readonly ManualResetEventSlim entered = new(), free = new(initialState: true);

    ~DeadlockedHandle()
    {
        entered.Set();
        free.Wait();
    }

    public static bool IsStalling => !free.IsSet;

    /// Returns when the thread of the finalizers stands still.
    public static void Stall()
    {
        free.Reset();
        entered.Reset();
        Abandon();
        GC.Collect();
        entered.Wait();
    }

    public static void Release() => free.Set();

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Abandon() => new DeadlockedHandle().GetHashCode();
}

public sealed class NativeBuffer
{
    public static int Freed;

    ~NativeBuffer() => Interlocked.Increment(ref Freed);
}

public static class NativeBuffers
{
    public static void UseBehindADeadlock()
    {
        DeadlockedHandle.Stall();
        for (int i = 0; i < 3; i++) Use();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Use() => new NativeBuffer().GetHashCode();
}
