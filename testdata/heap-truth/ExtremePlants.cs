using System;
using System.Linq;
using System.Reflection;
using System.Runtime.Loader;
using HeapTruth.Planted;

namespace HeapTruth;

/// What is planted only when asked for.
static class ExtremePlants
{
    /// 30,000 classes with one instance each.
    public static void ManyTypes(Truth truth, int types = 30_000)
    {
        string[] names = Enumerable.Range(0, types).Select(i => $"Many.T{i:D5}").ToArray();
        Assembly assembly = AssemblyLoadContext.Default.LoadFromStream(Emitted.Assembly("Many", names));
        Kept.Keep(names.Select(name => Activator.CreateInstance(assembly.GetType(name, throwOnError: true)!)).ToArray());
        truth.Many("Many.T", types, Truth.Object(8));
    }

    /// One object over 2 GiB: 40,000,000 * 80 = 3.2 GB, reserved and never touched.
    public static void Huge(Truth truth)
    {
        Kept.Keep(GC.AllocateUninitializedArray<Wide>(40_000_000));
        truth.Plant("HeapTruth.Planted.Wide[]", 1, Truth.Array(40_000_000, 80));
    }
}
