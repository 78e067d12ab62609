// Does a counted number of each thing that the event log tells of, when told to, and says so. Nothing else happens in it.
using System;
using System.Runtime.CompilerServices;
using System.Threading;

namespace EventsTruth;

public sealed class Mishap : Exception
{
    public Mishap(string message) : base(message) { }
}

public sealed class Turnstile { }

public static class Program
{
    private static readonly Turnstile s_gate = new();
    private static volatile bool s_arrived;

    public static void Main()
    {
        Console.WriteLine($"PID\t{Environment.ProcessId}");
        Console.WriteLine("READY");
        while (Console.ReadLine() is { } line)
        {
            string[] words = line.Split(' ');
            int count = words.Length > 1 ? int.Parse(words[1]) : 1;
            if (words[0] == "quit") return;
            Do(words[0], count);
            Console.WriteLine($"DONE\t{words[0]}\t{count}");
        }
    }

    private static void Do(string what, int count)
    {
        switch (what)
        {
            case "exceptions": Throw(count); break;
            case "threads": StartThreads(count); break;
            case "contend": Contend(count); break;
            case "collect": for (int i = 0; i < count; i++) GC.Collect(i % 3, GCCollectionMode.Forced, true); break;
            case "plugins": Plugins.Run(count); break;
            case "dynamic": DynamicMethods.Run(count); break;
            case "flood": Flood(count); break;
            case "nothing": break;
            default: throw new ArgumentException(what);
        }
    }

    private static void Throw(int count)
    {
        for (int i = 0; i < count; i++)
        {
            try { ThrowOne(i); }
            catch (Mishap) { }
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ThrowOne(int number) => throw new Mishap($"number {number}");

    private static void StartThreads(int count)
    {
        for (int i = 0; i < count; i++)
        {
            var thread = new Thread(static () => { }) { Name = $"counted-{i}" };
            thread.Start();
            thread.Join();
        }
    }

    // Each time the other thread is seen to wait for the lock before it is given up. It may wait for something else
    // while it starts, which does not count.
    private static void Contend(int count)
    {
        for (int i = 0; i < count; i++)
        {
            var waiter = new Thread(static () =>
            {
                s_arrived = true;
                lock (s_gate) { }
            }) { Name = "waiter" };
            s_arrived = false;
            lock (s_gate)
            {
                waiter.Start();
                while (!s_arrived || (waiter.ThreadState & ThreadState.WaitSleepJoin) == 0) Thread.Yield();
            }
            waiter.Join();
        }
    }

    // Many threads throw as fast as they can.
    private static void Flood(int count)
    {
        var threads = new Thread[8];
        for (int t = 0; t < threads.Length; t++)
        {
            threads[t] = new Thread(() => Throw(count)) { Name = $"flood-{t}" };
            threads[t].Start();
        }
        foreach (Thread thread in threads) thread.Join();
    }
}
