using System;
using System.Diagnostics;
using System.Globalization;
using System.Threading;
using HeapTruth.Ledger;

namespace HeapTruth;

/// A clock that notices when the process stood still, and, unless idle, work that goes on in the background:
/// a request loop over the ledger and two threads that allocate short-lived objects.
sealed class Load
{
    const double GapMs = 5;
    long requests, markedRequests, markedAt;
    int gaps;
    double largestGap, gapSum;
    static long sink;

    public Load(bool idle)
    {
        Start(Tick, "ticker", ThreadPriority.Highest);
        if (!idle)
        {
            for (int i = 0; i < 2; i++) Start(Allocate, "garbage", ThreadPriority.Normal);
            Start(Serve, "requests", ThreadPriority.Normal);
        }
        Mark();
    }

    public void Mark()
    {
        gaps = 0;
        largestGap = gapSum = 0;
        markedRequests = Volatile.Read(ref requests);
        markedAt = Stopwatch.GetTimestamp();
    }

    public string Json()
    {
        double seconds = Stopwatch.GetElapsedTime(markedAt).TotalSeconds;
        long served = Volatile.Read(ref requests);
        return string.Create(CultureInfo.InvariantCulture,
            $"{{\"seconds\":{seconds:F2},\"gaps\":{gaps},\"maxGapMs\":{largestGap:F1},\"sumGapMs\":{gapSum:F1},\"requests\":{served}," +
            $"\"rps\":{(served - markedRequests) / seconds:F0},\"gcs\":[{GC.CollectionCount(0)},{GC.CollectionCount(1)},{GC.CollectionCount(2)}]," +
            $"\"gcPauseMs\":{GC.GetTotalPauseDuration().TotalMilliseconds:F1},\"threads\":{Process.GetCurrentProcess().Threads.Count}}}");
    }

    static void Start(ThreadStart work, string name, ThreadPriority priority) =>
        new Thread(work) { IsBackground = true, Name = name, Priority = priority }.Start();

    void Tick()
    {
        for (long last = Stopwatch.GetTimestamp();;)
        {
            Thread.Sleep(1);
            long now = Stopwatch.GetTimestamp();
            double gap = (now - last) * 1000.0 / Stopwatch.Frequency - 1;
            last = now;
            if (gap <= GapMs) continue;
            gaps++;
            gapSum += gap;
            largestGap = Math.Max(largestGap, gap);
        }
    }

    static void Allocate()
    {
        for (int i = 0;; i++)
        {
            for (int k = 0; k < 200; k++) sink += new byte[(k & 63) + 32].Length;
            if ((i & 7) == 0) Thread.Sleep(1);
        }
    }

    /// One request: price one account's postings and format the answer.
    void Serve()
    {
        for (long i = 13;; i = i * 7_919 + 13)
        {
            Account account = Bulk.Accounts[(int)((ulong)i % (ulong)Bulk.Accounts.Length)];
            double sum = 0;
            for (Posting? p = account.First; p != null; p = p.Next) sum += p.Amount;
            sink += (account.Name + sum.ToString(CultureInfo.InvariantCulture)).Length;
            if ((Interlocked.Increment(ref requests) & 255) == 0) Thread.Sleep(1);
        }
    }
}
