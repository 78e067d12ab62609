using System;
using System.Threading;

namespace Churn;

/// A process in which nothing stays as it is: eight threads allocate, load contexts and threads come and go.
/// Prints PID and READY; answers `stats` with a line of JSON; the line `quit` ends it. Arguments leave out all but
/// what they name: `objects`, `contexts`, `threads`.
static class Program
{
    const int Allocators = 8;

    static int Main(string[] wanted)
    {
        bool Wants(string what) => wanted.Length == 0 || Array.IndexOf(wanted, what) >= 0;
        for (int i = 0; Wants("objects") && i < Allocators; i++) Start(new Allocator(i).Run, $"churn-{i}");
        if (Wants("threads")) Start(ShortThreads.Run, "threads");
        if (Wants("contexts")) Start(Contexts.Run, "contexts");
        while (Wants("contexts") && Contexts.Gone == 0) Thread.Sleep(10);
        Console.WriteLine($"PID\t{Environment.ProcessId}");
        Console.WriteLine("READY");
        while (Console.ReadLine() is string line && line != "quit")
        {
            if (line == "crash") Environment.FailFast("asked to");
            Console.WriteLine(line == "stats" ? Json() : $"OK {line}");
        }
        return 0;
    }

    static void Start(ThreadStart work, string name) => new Thread(work) { IsBackground = true, Name = name }.Start();

    static string Json() =>
        $"{{\"requests\":{Allocator.Done},\"contexts\":{Contexts.Gone},\"threads\":{ShortThreads.Ended}," +
        $"\"wrong\":{Allocator.Wrong},\"gcs\":[{GC.CollectionCount(0)},{GC.CollectionCount(1)},{GC.CollectionCount(2)}]}}";
}
