using System.Diagnostics;

namespace AllocTruth;

sealed class Parcel { public long A, B, C, D; }

/// A thread that makes two million objects in a second of its CPU time, and computes for the rest of it: what sampling
/// costs at that rate.
static class Paced
{
    const int Objects = 2_000;             // of a round
    const double RoundNanoseconds = 1e6, AllocationNanoseconds = 12;
    static readonly long steps = (long)((RoundNanoseconds - Objects * AllocationNanoseconds) / NanosecondsOfAStep());
    static Parcel? latest;
    static ulong state = 1;

    public static void Work(int rounds)
    {
        for (int round = 0; round < rounds; round++)
        {
            for (int i = 0; i < Objects; i++) latest = new Parcel();
            Compute(steps);
        }
    }

    static void Compute(long count)
    {
        ulong x = state;
        for (long i = 0; i < count; i++)
        {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
        }
        state = x;
    }

    /// The best of many short ones: others may have the processor meanwhile.
    static double NanosecondsOfAStep()
    {
        const int Count = 100_000;
        double best = double.MaxValue;
        for (int i = 0; i < 200; i++)
        {
            var clock = Stopwatch.StartNew();
            Compute(Count);
            best = double.Min(best, clock.Elapsed.TotalNanoseconds / Count);
        }
        return best;
    }
}
