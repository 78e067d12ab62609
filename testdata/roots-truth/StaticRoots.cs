using System;
using System.Runtime.CompilerServices;
using System.Threading;
using RootsTruth.Held;

namespace RootsTruth;

struct Pair
{
    public long Number;
    public object? Thing;
}

class Plain
{
    public static ByStatic? Instance;
    public static Pair Struct;
    public static string[] Words = { "a", "b" };
}

class Box<T>
{
    public T? Value;
    public static ByStaticOfGeneric? Instance;
}

static class Registry
{
    public static ByStaticWithoutInstance? Only;
}

/// Nothing of it is ever in the heap, and no field but these refers to what it holds.
static class Cache<T>
{
    public static ByGenericWithoutInstance? Item;
    [ThreadStatic] public static ByThreadStaticOfGeneric? PerThread;
}

static class PerThread
{
    [ThreadStatic] public static ByThreadStatic? Value;
    [ThreadStatic] public static Pair Struct;
    [ThreadStatic] public static int Number;
}

static class StaticRoots
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Build()
    {
        Plain.Instance = new ByStatic();
        Plain.Struct = new Pair { Number = 1, Thing = new ByStaticOfStruct() };
        GC.KeepAlive(new Plain());
        Box<string>.Instance = new ByStaticOfGeneric();
        GC.KeepAlive(new Box<string>());
        Registry.Only = new ByStaticWithoutInstance();
        Cache<Version>.Item = new ByGenericWithoutInstance();
    }

    /// Two threads with values of their own; they wait for ever.
    public static void StartThreads()
    {
        foreach (string name in new[] { "roots-one", "roots-two" })
        {
            using var ready = new ManualResetEventSlim();
            new Thread(() => Park(ready)) { IsBackground = true, Name = name }.Start();
            ready.Wait();
        }
    }

    static void Park(ManualResetEventSlim ready)
    {
        Plant();
        Locals.Parked(ready);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Plant()
    {
        PerThread.Number = 7;
        PerThread.Value = new ByThreadStatic();
        PerThread.Struct = new Pair { Thing = new ByThreadStaticOfStruct() };
        Cache<Uri>.PerThread = new ByThreadStaticOfGeneric();
    }
}
