using System;
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;

namespace EventsTruth;

// Collectible assemblies, each of its own name, that throw an exception of their own and are gone afterwards.
internal static class Plugins
{
    public static void Run(int count)
    {
        var gone = new WeakReference[count];
        for (int i = 0; i < count; i++) gone[i] = RunOne(i);
        foreach (WeakReference plugin in gone)
        {
            while (plugin.IsAlive)
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
            }
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference RunOne(int number)
    {
        string name = $"Plugin{number}";
        AssemblyBuilder assembly =
            AssemblyBuilder.DefineDynamicAssembly(new AssemblyName(name), AssemblyBuilderAccess.RunAndCollect);
        ModuleBuilder module = assembly.DefineDynamicModule(name);
        TypeBuilder failure = module.DefineType($"{name}.Failure", TypeAttributes.Public, typeof(Exception));
        ConstructorBuilder constructor = failure.DefineDefaultConstructor(MethodAttributes.Public);
        TypeBuilder work = module.DefineType($"{name}.Work", TypeAttributes.Public);
        MethodBuilder run =
            work.DefineMethod("Run", MethodAttributes.Public | MethodAttributes.Static, typeof(void), Type.EmptyTypes);
        ILGenerator il = run.GetILGenerator();
        il.Emit(OpCodes.Newobj, constructor);
        il.Emit(OpCodes.Throw);
        failure.CreateType();
        var action = work.CreateType().GetMethod("Run")!.CreateDelegate<Action>();
        try { action(); }
        catch (Exception) { }
        return new WeakReference(assembly);
    }
}

internal static class DynamicMethods
{
    public static void Run(int count)
    {
        var gone = new WeakReference[count];
        for (int i = 0; i < count; i++) gone[i] = RunOne(i);
        foreach (WeakReference method in gone)
        {
            while (method.IsAlive)
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
            }
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference RunOne(int number)
    {
        var method = new DynamicMethod($"Made{number}", typeof(int), Type.EmptyTypes);
        ILGenerator il = method.GetILGenerator();
        il.Emit(OpCodes.Ldc_I4, number);
        il.Emit(OpCodes.Ret);
        method.CreateDelegate<Func<int>>()();
        return new WeakReference(method);
    }
}
