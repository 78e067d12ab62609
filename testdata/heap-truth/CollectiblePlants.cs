using System;
using System.Collections;
using System.Collections.Generic;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.Loader;
using HeapTruth.Planted;

namespace HeapTruth;

/// Types of a load context that can be unloaded: each instance keeps its context's allocator alive.
static class CollectiblePlants
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Build(Truth truth)
    {
        var context = new AssemblyLoadContext("planted", isCollectible: true);
        Assembly assembly = context.LoadFromStream(Emitted.Assembly("Collected", "Collected.Thing", "Collected.Item"));
        Things(truth, assembly.GetType("Collected.Thing", throwOnError: true)!);
        Lists(truth, assembly.GetType("Collected.Item", throwOnError: true)!);
    }

    static void Things(Truth truth, Type thing)
    {
        thing.GetField("Shared")!.SetValue(null, new CollectibleHeld());
        truth.Plant("HeapTruth.Planted.CollectibleHeld", 1, Truth.Object(8));
        var array = Kept.Keep(Array.CreateInstance(thing, 5));
        for (int i = 0; i < 5; i++) array.SetValue(Activator.CreateInstance(thing), i);
        // References: the fields are null; what each keeps besides is its context's allocator.
        truth.Plant("Collected.Thing", 5, Truth.Object(8));
        truth.Plant("Collected.Thing[]", 1, Truth.Array(5, 8), 5);
    }

    static void Lists(Truth truth, Type item)
    {
        for (int i = 0; i < 2; i++)
        {
            var list = (IList)Activator.CreateInstance(typeof(List<>).MakeGenericType(item), 4)!;
            Kept.Keep(list);
            list.Add(Activator.CreateInstance(item));
        }
        truth.Plant("Collected.Item", 2, Truth.Object(8));
        truth.Plant("System.Collections.Generic.List<Collected.Item>", 2, Truth.Object(16), 2);
    }
}
