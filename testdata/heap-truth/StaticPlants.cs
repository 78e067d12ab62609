using System;
using System.Runtime.CompilerServices;
using System.Threading;
using HeapTruth.Planted;

namespace HeapTruth;

static class GenericStatics<T>
{
    public static GenericStaticObject? Value;
}

static class Statics
{
    public static StaticObject? Anchor;
    public static readonly StaticObject Fixed = new();
    public static StaticStruct Structure;
    public static StaticObject[]? Several;
    public static int Number;
    public static string? Literal;
    [ThreadStatic] public static ThreadStaticObject? PerThread;
}

static class StaticPlants
{
    const string Ns = "HeapTruth.Planted.";
    static readonly ManualResetEventSlim never = new();

    public static void Build(Truth truth)
    {
        Plain(truth);
        Generics(truth);
        for (int i = 0; i < 2; i++) ParkThread(truth);
    }

    static void Plain(Truth truth)
    {
        Statics.Number = 7;
        Statics.Literal = "literal";
        Statics.Anchor = new StaticObject();
        Statics.Several = new StaticObject[4];
        Statics.Several[2] = new StaticObject();
        Statics.Structure = new StaticStruct { Node = ArrayPlants.NewNode(truth), Value = Statics.Fixed.Value };
        truth.Plant(Ns + "StaticObject", 3, Truth.Object(8));
        truth.Plant(Ns + "StaticObject[]", 1, Truth.Array(4, 8), 1);
        truth.Plant(Ns + "StaticStruct", 1, Truth.Object(16), 1);   // the runtime keeps a struct's static boxed
        truth.Root("static", "HeapTruth.Statics.Anchor", Ns + "StaticObject");
        truth.Root("static", "HeapTruth.Statics.Fixed", Ns + "StaticObject");
        truth.Root("static", "HeapTruth.Statics.Several", Ns + "StaticObject[]");
    }

    static void Generics(Truth truth)
    {
        GenericStatics<int>.Value = new GenericStaticObject();
        GenericStatics<string>.Value = new GenericStaticObject();
        truth.Plant(Ns + "GenericStaticObject", 2, Truth.Object(8));
    }

    /// A thread whose only work is to hold one object in a thread static and one in a local.
    static void ParkThread(Truth truth)
    {
        var ready = new ManualResetEventSlim();
        new Thread(() =>
        {
            FillThreadStatic();
            HoldLocal(ready);
        }) { IsBackground = true, Name = "parked" }.Start();
        ready.Wait();
        truth.Plant(Ns + "ThreadStaticObject", 1, Truth.Object(8));
        truth.Plant(Ns + "StackHeld", 1, Truth.Object(8));
        truth.Root("local", "", Ns + "StackHeld");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void FillThreadStatic() => Statics.PerThread = new ThreadStaticObject();

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void HoldLocal(ManualResetEventSlim ready)
    {
        var held = new StackHeld();
        ready.Set();
        never.Wait();
        GC.KeepAlive(held);
    }
}
