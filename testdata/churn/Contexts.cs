using System;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.Loader;
using System.Threading;

namespace Churn;

/// Loads this very assembly into a context of its own, makes objects of its types there, and unloads it again.
public static class Contexts
{
    const int MostAlive = 3;
    static int gone;

    public static int Gone => Volatile.Read(ref gone);

    public static void Run()
    {
        var alive = new (AssemblyLoadContext context, object held)?[MostAlive];
        for (int i = 0;; i++)
        {
            if (alive[i % MostAlive] is { } old) old.context.Unload();
            alive[i % MostAlive] = null;
            if (i >= MostAlive) Interlocked.Increment(ref gone);
            alive[i % MostAlive] = Load(i);
            Thread.Sleep(10);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static (AssemblyLoadContext, object) Load(int number)
    {
        var context = new AssemblyLoadContext($"churn-{number}", isCollectible: true);
        Assembly assembly = context.LoadFromAssemblyPath(typeof(Contexts).Assembly.Location);
        object held = assembly.GetType("Churn.Plugin")!.GetMethod("Make")!.Invoke(null, [number])!;
        return (context, held);
    }
}

/// Lives in the contexts that come and go.
public sealed class Plugin
{
    static Plugin[] all = [];
    [ThreadStatic] static Plugin? latest;
    readonly int number;
    Plugin? next;

    Plugin(int number) => this.number = number;

    public static object Make(int number)
    {
        all = new Plugin[500];
        for (int i = 0; i < all.Length; i++) all[i] = new Plugin(number + i) { next = latest };
        latest = all[0];
        return new Func<int>(() => all.Length + (latest?.number ?? 0) + (latest?.next?.number ?? 0));
    }
}
