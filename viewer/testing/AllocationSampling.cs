using System;
using System.IO;

namespace Cairn.Testing;

/// Whether allocations of this process are sampled, by whose wish. Where they cannot be, as beside another profiler,
/// assertions hold or fail as ever.
internal static class AllocationSampling
{
    /// CAIRN_ALLOCATIONS=1: in the whole run. The package's targets begin it with the test assembly; else it begins
    /// where this package is first used.
    public const string Variable = "CAIRN_ALLOCATIONS";

    // Both belong to whose turn it is.
    static int wishes = Environment.GetEnvironmentVariable(Variable) == "1" ? 1 : 0;
    static AllocationWatch? watch;

    /// Why they are not sampled though somebody wishes it; empty: they are, or nobody does.
    public static string WhyNot { get; private set; } = "";

    public static IDisposable Begin()
    {
        lock (Snapshot.Turn)
        {
            wishes++;
            if (watch == null && TakeSnapshot() is { } first) WorkFolder.Delete(first);
        }
        return new Wish();
    }

    /// A snapshot that tells where its objects were allocated; none: nobody wishes it, or it cannot be. Whoever calls
    /// this has its turn.
    public static string? TakeSnapshot()
    {
        if (wishes == 0) return null;
        try
        {
            bool begins = watch == null;
            watch ??= new AllocationWatch();
            string file = begins ? watch.TakeFirst() : watch.Take();
            WhyNot = "";
            return file;
        }
        catch (Exception refused) when (refused is IOException or CairnCannotMeasureException)
        {
            WhyNot = refused.Message;
            Stop();
            return null;
        }
    }

    static void End()
    {
        lock (Snapshot.Turn)
            if (--wishes == 0)
                Stop();
    }

    static void Stop()
    {
        watch?.Dispose();
        watch = null;
    }

    sealed class Wish : IDisposable
    {
        bool ended;

        public void Dispose()
        {
            if (!ended) End();
            ended = true;
        }
    }
}
