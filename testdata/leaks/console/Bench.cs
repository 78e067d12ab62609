using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Runtime.CompilerServices;
using Cairn.Testing;

namespace Leaks.ConsoleHost;

/// What an assertion costs beside the ways that were there before, in the same process.
static class Bench
{
    sealed class Node(Node? next)
    {
        public Node? Next { get; } = next;
    }

    /// `gcdump`: the program dotnet-gcdump, where it is to be compared with.
    public static int Run(int objects, string? gcdump)
    {
        var heap = new Node[objects];
        for (int i = 0; i < objects; i++) heap[i] = new Node(i > 0 ? heap[i / 2] : null);
        using IDisposable kept = Heap.Keep(heap);
        CairnSelfTest.Run();
        Print("Heap.AssertGone", () => Heap.AssertGone<Nothing>());
        Print("Heap.AssertMax, which has to follow all references", () => Heap.AssertMax("Leaks.ConsoleHost.Bench+Node[]", 1));
        Print("WeakReference", CheckWeakReference);
        if (gcdump != null) Print("two gcdumps and their reports", () => TwoDumps(gcdump));
        Console.WriteLine($"median of {Rounds}, {objects:N0} objects, load of the machine {File.ReadAllText("/proc/loadavg").Split(' ')[0]}");
        return 0;
    }

    const int Rounds = 5;

    static void Print(string what, Action action)
    {
        var times = new List<double>();
        for (int i = 0; i < Rounds; i++)
        {
            var clock = Stopwatch.StartNew();
            action();
            times.Add(clock.Elapsed.TotalMilliseconds);
        }
        Console.WriteLine($"{times.Order().ElementAt(Rounds / 2),8:F0} ms  {what}");
    }

    static void CheckWeakReference()
    {
        WeakReference reference = Abandoned();
        GC.Collect();
        GC.WaitForPendingFinalizers();
        GC.Collect();
        Checks.Expect(!reference.IsAlive, "it is gone");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static WeakReference Abandoned() => new(new Nothing());

    static void TwoDumps(string program)
    {
        string folder = Directory.CreateTempSubdirectory("leaks-bench-").FullName;
        foreach (string name in new[] { "before", "after" })
        {
            string file = Path.Combine(folder, name + ".gcdump");
            RunQuietly(program, "collect", "-p", $"{Environment.ProcessId}", "-o", file);
            RunQuietly(program, "report", file);
        }
        Directory.Delete(folder, recursive: true);
    }

    static void RunQuietly(string program, params string[] arguments)
    {
        using Process process = Process.Start(new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true, RedirectStandardError = true })!;
        process.ErrorDataReceived += (_, _) => { };
        process.BeginErrorReadLine();
        process.StandardOutput.ReadToEnd();
        process.WaitForExit();
    }
}
