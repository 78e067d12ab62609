using System;
using System.Runtime.CompilerServices;
using System.Runtime.Loader;

namespace Leaks.App;

/// What a plug-in brings.
public sealed class Plugin;

/// A plug-in in a load context of its own, which goes when the plug-in is unloaded, unless something of it is kept.
public static class PluginHost
{
    static object? last;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void RunAndKeep() => last = Run();

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void RunAndForget() => Run();

    public static void Clear() => last = null;

    // This assembly once more stands for one that the application does not know.
    [MethodImpl(MethodImplOptions.NoInlining)]
    static object Run()
    {
        var context = new AssemblyLoadContext("leaks-plugin", isCollectible: true);
        Type type = context.LoadFromAssemblyPath(typeof(Plugin).Assembly.Location).GetType(typeof(Plugin).FullName!, true)!;
        object plugin = Activator.CreateInstance(type)!;
        context.Unload();
        return plugin;
    }
}
