using System;
using System.Threading;

namespace IdentityTruth;

/// A process that knows which of its planted objects survive. Prints PID and READY; `step N` makes N collections of every
/// kind, under load, while planted objects are dropped and planted anew, and answers with what became of those that
/// were there before; the line `quit` ends it.
static class Program
{
    const int Loaders = 3;
    static readonly Plants plants = new();

    static int Main()
    {
        plants.Fill();
        Console.WriteLine($"PID\t{Environment.ProcessId}");
        Console.WriteLine("READY");
        while (Console.ReadLine() is string line && line != "quit")
        {
            string[] words = line.Split(' ');
            if (words[0] == "step") Step(int.Parse(words[1]), words.Length > 2 && words[2] == "background");
            Console.WriteLine(words[0] == "step" ? plants.Truth() : $"OK {line}");
        }
        return 0;
    }

    /// Threads that allocate end before the answer, so that nothing of theirs is left on a stack.
    static void Step(int collections, bool background)
    {
        plants.Forget();
        using var stop = new CancellationTokenSource();
        var loaders = new Thread[Loaders];
        for (int i = 0; i < Loaders; i++)
        {
            var load = new Load(i, stop.Token);
            loaders[i] = new Thread(load.Run);
            loaders[i].Start();
        }
        for (int i = 0; i < collections; i++)
        {
            plants.Replace(64);
            Collector.Collect(i, background);
        }
        stop.Cancel();
        foreach (Thread loader in loaders) loader.Join();
    }
}
