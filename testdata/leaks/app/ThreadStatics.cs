using System;
using System.Collections.Concurrent;
using System.Threading;

namespace Leaks.App;

public sealed class Session;

/// The session that a thread works for. Threads of a pool outlive sessions.
public static class CurrentSession
{
    [ThreadStatic] static Session? current;

    public static void Enter(Session session) => current = session;
    public static void Leave() => current = null;
}

/// A thread that works off what it is given, until it is disposed.
public sealed class Worker : IDisposable
{
    readonly BlockingCollection<Action> work = new();
    readonly Thread thread;

    public Worker(string name)
    {
        thread = new Thread(WorkOff) { IsBackground = true, Name = name };
        thread.Start();
    }

    /// Returns when it is done.
    public void Do(Action action)
    {
        using var done = new ManualResetEventSlim();
        work.Add(() =>
        {
            action();
            done.Set();
        });
        done.Wait();
        Idle();
    }

    // What was done is out of sight of the thread once it has taken something else.
    void Idle()
    {
        using var next = new ManualResetEventSlim();
        work.Add(next.Set);
        next.Wait();
    }

    void WorkOff()
    {
        foreach (Action action in work.GetConsumingEnumerable()) action();
    }

    public void Dispose()
    {
        work.CompleteAdding();
        thread.Join();
        work.Dispose();
    }
}
