using System;
using System.IO;
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using System.Runtime.Loader;
using RootsTruth.Held;

namespace RootsTruth;

/// A collectible context with one type, one instance, and a static that only its loader allocator may hold.
static class Collectible
{
    static object? instance;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Build()
    {
        var context = new AssemblyLoadContext("plugin", isCollectible: true);
        Type type = context.LoadFromStream(Emit()).GetType("Plugin.Thing", true)!;
        instance = Activator.CreateInstance(type);
        type.GetField("Field")!.SetValue(instance, new ByInstance());
        type.GetField("Shared")!.SetValue(null, new ByCollectible());
    }

    static MemoryStream Emit()
    {
        var builder = new PersistedAssemblyBuilder(new AssemblyName("Plugin"), typeof(object).Assembly);
        TypeBuilder type = builder.DefineDynamicModule("Plugin").DefineType("Plugin.Thing", TypeAttributes.Public | TypeAttributes.Class);
        type.DefineField("Field", typeof(object), FieldAttributes.Public);
        type.DefineField("Shared", typeof(object), FieldAttributes.Public | FieldAttributes.Static);
        type.CreateType();
        var image = new MemoryStream();
        builder.Save(image);
        image.Position = 0;
        return image;
    }
}
