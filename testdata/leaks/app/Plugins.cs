using System;
using System.IO;
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using System.Runtime.Loader;

namespace Leaks.App;

/// A plug-in in a load context of its own, which goes when the plug-in is unloaded, unless something of it is kept.
public static class PluginHost
{
    static object? last;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void RunAndKeep() => last = Run();

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void RunAndForget() => Run();

    public static void Clear() => last = null;

    [MethodImpl(MethodImplOptions.NoInlining)]
    static object Run()
    {
        var context = new AssemblyLoadContext("leaks-plugin", isCollectible: true);
        object plugin = Activator.CreateInstance(context.LoadFromStream(Emit()).GetType("LeaksPlugin.Plugin", true)!)!;
        context.Unload();
        return plugin;
    }

    static MemoryStream Emit()
    {
        var builder = new PersistedAssemblyBuilder(new AssemblyName("LeaksPlugin"), typeof(object).Assembly);
        builder.DefineDynamicModule("LeaksPlugin").DefineType("LeaksPlugin.Plugin", TypeAttributes.Public | TypeAttributes.Class).CreateType();
        var image = new MemoryStream();
        builder.Save(image);
        image.Position = 0;
        return image;
    }
}
