using System;
using System.Collections.Generic;
using System.Runtime;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using HeapTruth.Planted;

namespace HeapTruth;

static class HandlePlants
{
    const string Ns = "HeapTruth.Planted.";
    static readonly List<GCHandle> handles = new();
    static readonly List<DependentHandle> dependents = new();
    static readonly ConditionalWeakTable<CwtKey, CwtValue> table = new();

    public static void Build(Truth truth)
    {
        Handles(truth);
        Dependents(truth);
        Table(truth);
    }

    static void Handles(Truth truth)
    {
        for (int i = 0; i < 3; i++) handles.Add(GCHandle.Alloc(new HandleStrong()));
        truth.Plant(Ns + "HandleStrong", 3, Truth.Object(8));
        truth.Root("handle-strong", "", Ns + "HandleStrong", 3);

        for (int i = 0; i < 2; i++) handles.Add(GCHandle.Alloc(new PinnedCell[16], GCHandleType.Pinned));
        truth.Plant(Ns + "PinnedCell[]", 2, Truth.Array(16, 8));
        truth.Root("handle-pinned", "", Ns + "PinnedCell[]", 2);

        for (int i = 0; i < 5; i++)
        {
            var target = Kept.Keep(new HandleWeak());
            handles.Add(GCHandle.Alloc(target, i < 4 ? GCHandleType.Weak : GCHandleType.WeakTrackResurrection));
        }
        for (int i = 0; i < 8; i++) handles.Add(GCHandle.Alloc(new HandleWeak(), GCHandleType.Weak));   // dead soon
        truth.Plant(Ns + "HandleWeak", 5, Truth.Object(8));
        truth.Root("handle-weak", "", Ns + "HandleWeak", 5);
    }

    static void Dependents(Truth truth)
    {
        for (int i = 0; i < 5; i++) dependents.Add(new DependentHandle(Kept.Keep(new DependentKey()), new DependentValue()));
        for (int i = 0; i < 4; i++) dependents.Add(new DependentHandle(new DependentKey(), new DependentValue()));   // dead soon
        truth.Plant(Ns + "DependentKey", 5, Truth.Object(8));
        truth.Plant(Ns + "DependentValue", 5, Truth.Object(8));
        truth.Dependent(Ns + "DependentKey", Ns + "DependentValue", 5);
    }

    static void Table(Truth truth)
    {
        for (int i = 0; i < 50; i++) table.Add(Kept.Keep(new CwtKey()), new CwtValue { Node = ArrayPlants.NewNode(truth) });
        truth.Plant(Ns + "CwtKey", 50, Truth.Object(8));
        truth.Plant(Ns + "CwtValue", 50, Truth.Object(8), 50);
        truth.Dependent(Ns + "CwtKey", Ns + "CwtValue", 50);
    }
}
