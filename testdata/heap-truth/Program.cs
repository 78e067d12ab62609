using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Runtime;
using System.Runtime.InteropServices;
using System.Text;
using System.Threading;
using HeapTruth.Planted;

namespace HeapTruth;

/// heap-truth [MILLIONS] [OPTION[,OPTION...]]: README.md describes output and commands.
static class Program
{
    static readonly HashSet<string> known = new() { "mix", "types", "huge", "idle", "lasting", "orderly" };
    static readonly List<Leaked> leaks = new();
    static PosixSignalRegistration? termination;

    static int Main(string[] args)
    {
        double millions = args.Length > 0 ? double.Parse(args[0], CultureInfo.InvariantCulture) : 0;
        var options = new HashSet<string>((args.Length > 1 ? args[1] : "mix").Split(','));
        foreach (string option in options)
        {
            if (known.Contains(option)) continue;
            Console.Error.WriteLine($"heap-truth: no option '{option}'");
            return 2;
        }
        Truth truth = Build(millions, options);
        for (int i = 0; i < 3; i++) FullCollection();
        if (options.Contains("orderly")) ExitWhenAsked();
        var load = new Load(options.Contains("idle"));
        Introduce(truth);
        return Obey(load);
    }

    static Truth Build(double millions, HashSet<string> options)
    {
        var truth = new Truth();
        ArrayPlants.Build(truth);
        ValuePlants.Build(truth);
        GenericPlants.Build(truth);
        HandlePlants.Build(truth);
        StaticPlants.Build(truth);
        HeapPlants.Build(truth);
        if (!options.Contains("lasting")) CollectiblePlants.Build(truth);
        ContentPlants.Build(truth);
        RetainedPlants.Build(truth);
        if (options.Contains("types")) ExtremePlants.ManyTypes(truth);
        if (options.Contains("huge")) ExtremePlants.Huge(truth);
        Bulk.Build(truth, (long)(millions * 1e6 - truth.Objects) / Bulk.ObjectsPerAccount);
        return truth;
    }

    /// As a host does it: what runs at the end of a process runs.
    static void ExitWhenAsked() => termination = PosixSignalRegistration.Create(PosixSignal.SIGTERM, context =>
    {
        context.Cancel = true;
        Environment.Exit(128 + 15);
    });

    static void FullCollection()
    {
        GC.Collect(2, GCCollectionMode.Forced, blocking: true, compacting: true);
        GC.WaitForPendingFinalizers();
    }

    /// Whether a collection that need not stop the application was made in the background.
    static string BackgroundCollection()
    {
        long before = GC.GetGCMemoryInfo(GCKind.Background).Index;
        GC.Collect(2, GCCollectionMode.Forced, blocking: false);
        for (int i = 0; i < 500; i++)
        {
            if (GC.GetGCMemoryInfo(GCKind.Background).Index != before) return "OK background";
            Thread.Sleep(10);
        }
        return "NO background";
    }

    static void Introduce(Truth truth)
    {
        Console.WriteLine($"PID\t{Environment.ProcessId}");
        Console.WriteLine($"CONFIG\tserverGC\t{GCSettings.IsServerGC}");
        Console.WriteLine($"CONFIG\theapBytes\t{GC.GetTotalMemory(false)}");
        Console.WriteLine($"CONFIG\tobjectsBuilt\t{truth.Objects}");
        truth.Print(Console.Out);
        Console.WriteLine("READY");
        Console.Out.Flush();
    }

    static int Obey(Load load)
    {
        while (Console.In.ReadLine() is { } line)
        {
            string[] words = line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
            if (words.Length == 0) continue;
            if (words[0] == "quit") return 0;
            Console.WriteLine(Answer(load, words));
            Console.Out.Flush();
        }
        return 0;
    }

    static string Answer(Load load, string[] words)
    {
        switch (words[0])
        {
            case "gc": FullCollection(); FullCollection(); return "OK gc";
            case "background": return BackgroundCollection();
            case "mark": load.Mark(); return "OK mark";
            case "stats": return load.Json();
            case "meminfo": return MemoryInfo();
            case "leak": return Leak(words.Length > 1 ? int.Parse(words[1], CultureInfo.InvariantCulture) : 1_000);
            default: return "ERR unknown command";
        }
    }

    static string Leak(int count)
    {
        for (int i = 0; i < count; i++) leaks.Add(new Leaked { A = i });
        return $"OK leak {count} total {leaks.Count}";
    }

    /// What the runtime says of its latest full blocking collection.
    static string MemoryInfo()
    {
        GCMemoryInfo info = GC.GetGCMemoryInfo(GCKind.FullBlocking);
        var json = new StringBuilder($"{{\"index\":{info.Index},\"heapSizeBytes\":{info.HeapSizeBytes},\"fragmentedBytes\":{info.FragmentedBytes},\"committedBytes\":{info.TotalCommittedBytes},\"generations\":[");
        string[] names = { "gen0", "gen1", "gen2", "loh", "poh" };
        for (int i = 0; i < names.Length; i++)
        {
            GCGenerationInfo generation = info.GenerationInfo[i];
            json.Append(i == 0 ? "" : ",").Append($"{{\"name\":\"{names[i]}\",\"sizeAfterBytes\":{generation.SizeAfterBytes},\"fragmentationAfterBytes\":{generation.FragmentationAfterBytes}}}");
        }
        return json.Append("]}").ToString();
    }
}
