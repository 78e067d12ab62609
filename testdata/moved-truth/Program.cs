using System;
using System.Collections.Generic;
using System.IO;
using System.Reflection;
using System.Runtime.Loader;
using Goods;

namespace MovedTruth;

// Compiled against Depot 2, in which Crate and Pallet are; beside it lie Depot 3, which says that they are in Vault, and
// Vault. In the folder `old`, for a load context of its own, is a plug-in that was compiled against Depot 1 and gets it.
// Prints PID and READY; any line but `quit` is answered.
public static class Program
{
    public static readonly Warehouse House = new();
    public static object? Kept;

    public static void Main()
    {
        string old = Path.Combine(AppContext.BaseDirectory, "old");
        var context = new AssemblyLoadContext("old");
        context.Resolving += (_, name) => context.LoadFromAssemblyPath(Path.Combine(old, name.Name + ".dll"));
        // Before anything asks for it, since the program's own would do for a context that does not have it.
        context.LoadFromAssemblyPath(Path.Combine(old, "Depot.dll"));
        Assembly keeper = context.LoadFromAssemblyPath(Path.Combine(old, "Keeper.dll"));
        Kept = Activator.CreateInstance(keeper.GetType("Keeping.Keeper", throwOnError: true)!);
        Console.WriteLine($"PID\t{Environment.ProcessId}");
        Console.WriteLine("READY");
        while (Console.ReadLine() is { } line && line != "quit") Console.WriteLine($"{House} {Kept}");
    }
}

public class Warehouse
{
    private Crate _crate = Crate.Of("new", new object());
    private Crate.Lid _lid = Crate.Lid.Of(new object());
    private readonly Pallet _stacked = new Stacked();
    private readonly List<Crate> _more = new() { Crate.Of("one", new object()), Crate.Of("two", new object()) };
    public override string ToString() => $"{_crate} {_lid} {_stacked} {_more.Count}";
}

public class Stacked() : Pallet(new object())
{
    private readonly object _top = new();
    public override string ToString() => $"{base.ToString()} {_top}";
}
