using System;
using System.Reflection;
using System.Reflection.Emit;
using HeapTruth.Planted;

namespace HeapTruth;

/// What is planted only when asked for.
static class ExtremePlants
{
    /// 30,000 classes with one instance each.
    public static void ManyTypes(Truth truth, int types = 30_000)
    {
        var module = AssemblyBuilder.DefineDynamicAssembly(new AssemblyName("Many"), AssemblyBuilderAccess.Run).DefineDynamicModule("Many");
        var instances = Kept.Keep(new object?[types]);
        for (int i = 0; i < types; i++)
        {
            TypeBuilder type = module.DefineType($"Many.T{i:D5}", TypeAttributes.Public | TypeAttributes.Class);
            type.DefineField("Field", typeof(object), FieldAttributes.Public);
            instances[i] = Activator.CreateInstance(type.CreateType());
        }
        truth.Many("Many.T", types, Truth.Object(8));
    }

    /// One object over 2 GiB: 40,000,000 * 80 = 3.2 GB, reserved and never touched.
    public static void Huge(Truth truth)
    {
        Kept.Keep(GC.AllocateUninitializedArray<Wide>(40_000_000));
        truth.Plant("HeapTruth.Planted.Wide[]", 1, Truth.Array(40_000_000, 80));
    }
}
