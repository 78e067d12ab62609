using System;
using System.Diagnostics;
using System.Threading;

namespace AllocTruth;

/// A process that allocates known types from known methods, each on a thread of its own, and counts what it does. Prints
/// PID and READY. `run N` lets each make about N megabytes and answers with a line per type and method, and with the
/// time that took; `paced N` works for about N milliseconds of CPU; `keep N` makes N objects that stay, from one method
/// per type; `collect` collects all generations while others are made; `quit` ends it.
static class Program
{
    static readonly Maker[] makers = [new OrderMaker(), new GenericMaker<string>(), new LambdaMaker(), new AsyncMaker(),
                                      new LargeMaker(), new PinnedMaker(), new DeepMaker()];

    static int Main()
    {
        Console.WriteLine($"PID\t{Environment.ProcessId}");
        Console.WriteLine("READY");
        while (Console.ReadLine() is string line && line != "quit")
        {
            string[] words = line.Split(' ');
            if (words[0] == "run") Run(long.Parse(words[1]) * 1_000_000);
            if (words[0] == "paced") Paced.Work(int.Parse(words[1]));
            if (words[0] == "keep") Kept.Plant(int.Parse(words[1]));
            if (words[0] == "collect") Churn.Collect(int.Parse(words[1]));
            Console.WriteLine($"OK {line}");
        }
        return 0;
    }

    static void Run(long bytes)
    {
        var clock = Stopwatch.StartNew();
        var threads = Array.ConvertAll(makers, maker => new Thread(() => maker.MakeMany(bytes)));
        foreach (Thread thread in threads) thread.Start();
        foreach (Thread thread in threads) thread.Join();
        foreach (Maker maker in makers) Console.WriteLine(maker.Truth());
        Console.WriteLine($"TOOK\t{clock.ElapsedMilliseconds}");
    }
}
