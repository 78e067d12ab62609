using System;
using System.Collections.Generic;
using System.Runtime;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;
using RootsTruth.Held;

namespace RootsTruth;

/// In the finalizer queue for ever, once it is garbage: the finalizer before it does not return.
class Slow
{
    public static readonly ManualResetEventSlim Entered = new();
    readonly ByFinalizer? held;
    public Slow(ByFinalizer? held) => this.held = held;
    ~Slow()
    {
        Entered.Set();
        Thread.Sleep(Timeout.Infinite);
        GC.KeepAlive(held);
    }
}

static class Handles
{
    static readonly ConditionalWeakTable<ByTable, ByTableValue> table = new();
    static readonly List<object> kept = new();
    static readonly List<DependentHandle> dependents = new();

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static unsafe void Build()
    {
        var key = new ByTable();
        kept.Add(key);
        table.Add(key, new ByTableValue());
        var primary = new ByDependent();
        kept.Add(primary);
        dependents.Add(new DependentHandle(primary, new ByDependentValue()));
        GCHandle.Alloc(new ByStrong());
        GCHandle.Alloc(new ByPinned(), GCHandleType.Pinned);
        var weak = new ByWeak();
        kept.Add(weak);
        GCHandle.Alloc(weak, GCHandleType.Weak);
        GCHandle.Alloc(weak, GCHandleType.WeakTrackResurrection);
    }

    /// 8 objects whose finalizers have to run; the first never ends.
    public static void FillFinalizerQueue()
    {
        Abandon();
        GC.Collect();
        Slow.Entered.Wait();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Abandon()
    {
        for (int i = 0; i < 8; i++) GC.KeepAlive(new Slow(new ByFinalizer()));
    }
}
