using System;
using System.Collections.Generic;
using System.Threading;

namespace Leaks.App;

/// A timer that was not disposed stays in the runtime's queue, with all that its callback needs.
public sealed class Poller : IDisposable
{
    readonly Timer timer;
    readonly WeakReference<Poller> listed;
    public int Polls { get; private set; }
#if UNRELATED_EDIT
    public Action AnotherLambda => () => Polls--;
#endif

    public Poller()
    {
        timer = new Timer(_ => Poll(), null, TimeSpan.FromHours(1), TimeSpan.FromHours(1));
        Pollers.List(listed = new WeakReference<Poller>(this));
    }

    void Poll() => Polls++;

    public void Dispose()
    {
        timer.Dispose();
        Pollers.Forget(listed);
    }
}

/// Knows them without holding them.
public static class Pollers
{
    static readonly List<WeakReference<Poller>> all = new();

    public static void List(WeakReference<Poller> poller) => all.Add(poller);
    public static void Forget(WeakReference<Poller> poller) => all.Remove(poller);

    public static void DisposeAll()
    {
        foreach (WeakReference<Poller> each in all.ToArray())
            if (each.TryGetTarget(out Poller? poller))
                poller.Dispose();
    }
}
