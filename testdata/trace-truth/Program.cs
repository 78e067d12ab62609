using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Runtime.Loader;
using System.Text.Json;
using System.Threading;

namespace TraceTruth;

// Prints PID and READY, then takes orders on its standard input and answers each with one line of JSON:
//   round N     N rounds on this thread: their common result, and what a log of the methods must count
//   load N      N threads of rounds, until…
//   stop        …they are stopped: the same, over all of them
//   spin N      what one of N calls of a tiny method takes, in nanoseconds
//   unloadable  a copy of this program in a load context that can be unloaded
//   quit
public static class Program
{
    private static readonly List<Thread> Workers = new();
    private static readonly List<AssemblyLoadContext> Contexts = new();
    private static volatile bool _stopped;
    private static long _rounds, _wrong, _expected;

    public static int Main()
    {
        _expected = Rounds.One();
        Console.WriteLine($"PID\t{Environment.ProcessId}");
        Console.WriteLine("READY");
        while (Console.ReadLine() is { } line && line != "quit") Obey(line.Split(' '));
        return 0;
    }

    private static void Obey(string[] order)
    {
        switch (order[0])
        {
            case "round":
                Report(Run(long.Parse(order[1])), long.Parse(order[1]));
                break;
            case "load":
                Start(int.Parse(order[1]));
                Answer(new { started = Workers.Count });
                break;
            case "stop":
                Stop();
                Report(_wrong, _rounds);
                break;
            case "spin":
                Spin(long.Parse(order[1]));
                break;
            case "unloadable":
                var context = new AssemblyLoadContext("unloadable", isCollectible: true);
                Contexts.Add(context);
                Answer(new { loaded = context.LoadFromAssemblyPath(typeof(Program).Assembly.Location).FullName });
                break;
        }
    }

    private static long Run(long rounds)
    {
        long wrong = 0;
        for (long i = 0; i < rounds; i++)
        {
            if (Rounds.One() != _expected) wrong++;
        }
        return wrong;
    }

    private static void Spin(long calls)
    {
        int sum = 0;
        var watch = Stopwatch.StartNew();
        for (long i = 0; i < calls; i++) sum = Shapes.Tiny(sum);
        Answer(new { sum, ns = watch.Elapsed.TotalNanoseconds / calls });
    }

    private static void Start(int count)
    {
        _stopped = false;
        _rounds = _wrong = 0;
        for (int i = 0; i < count; i++)
        {
            var worker = new Thread(Work) { Name = "worker " + i };
            Workers.Add(worker);
            worker.Start();
        }
    }

    private static void Work()
    {
        long rounds = 0, wrong = 0;
        for (; !_stopped; rounds++) wrong += Run(1);
        Interlocked.Add(ref _rounds, rounds);
        Interlocked.Add(ref _wrong, wrong);
    }

    private static void Stop()
    {
        _stopped = true;
        foreach (Thread worker in Workers) worker.Join();
        Workers.Clear();
    }

    private static void Report(long wrong, long rounds)
    {
        var methods = Rounds.Truth.Select(one => new
        {
            method = "TraceTruth." + one.Method,
            calls = one.Calls * rounds,
            exceptions = one.Exceptions * rounds,
            type = one.Type,
        });
        Answer(new { rounds, wrong, result = _expected, methods });
    }

    private static void Answer(object answer)
    {
        Console.WriteLine(JsonSerializer.Serialize(answer));
        Console.Out.Flush();
    }
}
