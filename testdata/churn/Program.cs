using System;
using System.Threading;

namespace Churn;

/// A process in which nothing stays as it is: eight threads allocate, load contexts and threads come and go.
/// Prints PID and READY; answers `stats` with a line of JSON; the line `quit` ends it. Arguments leave out all but
/// what they name: `objects`, `contexts`, `threads`; and `ballast`, two million objects that stay, so that a look at
/// the whole heap takes its time.
static class Program
{
    const int Allocators = 8;
    const int BallastObjects = 2_000_000;
    static object[] ballast = [];

    static int Main(string[] wanted)
    {
        bool Wants(string what) => wanted.Length == 0 || Array.IndexOf(wanted, what) >= 0;
        if (Array.IndexOf(wanted, "ballast") >= 0) ballast = Ballast();
        for (int i = 0; Wants("objects") && i < Allocators; i++) Start(new Allocator(i).Run, $"churn-{i}");
        if (Wants("threads")) Start(ShortThreads.Run, "threads");
        if (Wants("contexts")) Start(Contexts.Run, "contexts");
        while (Wants("contexts") && Contexts.Gone == 0) Thread.Sleep(10);
        Console.WriteLine($"PID\t{Environment.ProcessId}");
        Console.WriteLine("READY");
        while (Console.ReadLine() is string line && line != "quit")
        {
            if (line == "crash") Environment.FailFast("asked to");
            if (line == "gc") GC.Collect();
            Console.WriteLine(line == "stats" ? Json() : $"OK {line}");
        }
        return 0;
    }

    static object[] Ballast()
    {
        var objects = new object[BallastObjects];
        for (int i = 0; i < objects.Length; i++) objects[i] = new object();
        return objects;
    }

    static void Start(ThreadStart work, string name) => new Thread(work) { IsBackground = true, Name = name }.Start();

    static string Json() =>
        $"{{\"requests\":{Allocator.Done},\"contexts\":{Contexts.Gone},\"threads\":{ShortThreads.Ended}," +
        $"\"wrong\":{Allocator.Wrong},\"ballast\":{ballast.Length},\"gcs\":[{GC.CollectionCount(0)},{GC.CollectionCount(1)},{GC.CollectionCount(2)}]}}";
}
