using System;
using System.Runtime.CompilerServices;
using System.Threading;

namespace Leaks.App;

public sealed class Job;

/// A thread of the application that holds a job as long as it runs.
public sealed class JobThread : IDisposable
{
    readonly ManualResetEventSlim started = new(), stop = new();
    readonly Thread thread;

    public JobThread()
    {
        thread = new Thread(Run) { Name = "leaks-job" };
        thread.Start();
        started.Wait();
    }

    [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.NoOptimization)]
    void Run()
    {
        var job = new Job();
        started.Set();
        stop.Wait();
        GC.KeepAlive(job);
    }

    public void Dispose()
    {
        stop.Set();
        thread.Join();
    }
}
