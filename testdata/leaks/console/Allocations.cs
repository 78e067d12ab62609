using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;
using Cairn.Testing;
using static Leaks.ConsoleHost.Checks;

namespace Leaks.ConsoleHost;

/// What failures say of where objects were allocated. Large objects are 100,000 bytes, about as many as lie between two
/// samples, and small ones so many that a run without a sample of them is not to be expected in a lifetime.
static class Allocations
{
    const int Larges = 200;
    const int Smalls = 200_000;  // of 24 bytes and more: 47 samples; none of them once in 10^20 runs
    static object? held;

    public static int Run()
    {
        var checks = new Checks();
        checks.Run("nothing is said where nobody asked", NotAsked);
        held = new[] { new Small(), new Small() };
        using (Heap.SampleAllocations())
        {
            checks.Run("what was not sampled is not made up", BeforeItBegan);
            checks.Run("what allocated large objects is told", Large);
            checks.Run("what allocated small objects is told", Small);
            checks.Run("each type has its own stacks", NoForeignStack);
            checks.Run("each path has its own stacks", EachPath);
            checks.Run("what is clean stays clean", Clean);
            checks.Run("of growth it is told", Growth);
            checks.Run("of new objects it is told", New);
        }
        checks.Run("it ends where it should", NotAsked);
        checks.Run("it begins again", Large);
        return checks.Finish();
    }

    static void NotAsked()
    {
        held = MakeLarge(3);
        CairnLeakException leak = Found(() => Heap.AssertGone<Large>());
        Expect(leak.Leaks.All(each => each.Allocated == null) && !leak.Message.Contains("allocated at"), leak.Message);
    }

    static void Large()
    {
        using IDisposable sampling = Heap.SampleAllocations();
        held = MakeLarge(Larges);
        CairnLeakException leak = Found(() => Heap.AssertGone<byte[]>());
        Leak mine = leak.Leaks.Single(each => each.Path.StartsWith("static Leaks.ConsoleHost.Allocations.held"));
        ExpectMadeBy(mine, nameof(MakeLarge));
        Expect(mine.Allocated!.Objects == Larges, leak.Message);
        Expect(leak.Message.Contains("allocated at: ") && leak.Message.Contains($" of {Larges} objects"), leak.Message);
    }

    static void Small()
    {
        held = MakeSmall();
        CairnLeakException leak = Found(() => Heap.AssertGone<Small>());
        ExpectMadeBy(leak.Leaks.Single(), nameof(MakeSmall));
        Expect(leak.Leaks[0].Allocated!.Objects == Smalls, leak.Message);
    }

    static void NoForeignStack()
    {
        held = MakeBoth();
        CairnLeakException first = Found(() => Heap.AssertGone<Small>(), clear: false), second = Found(() => Heap.AssertGone<Other>());
        ExpectMadeBy(first.Leaks.Single(), nameof(MakeOneSmall));
        ExpectMadeBy(second.Leaks.Single(), nameof(MakeOneOther));
    }

    // Two methods make objects of one type, each for its own holder.
    static void EachPath()
    {
        held = new Two { First = MakeSmall(), Second = MakeSmallAgain() };
        CairnLeakException leak = Found(() => Heap.AssertGone<Small>());
        ExpectMadeBy(leak.Leaks.Single(each => each.Path.Contains("First")), nameof(MakeSmall));
        ExpectMadeBy(leak.Leaks.Single(each => each.Path.Contains("Second")), nameof(MakeSmallAgain));
    }

    static void BeforeItBegan()
    {
        CairnLeakException leak = Found(() => Heap.AssertGone<Small>());
        Expect(leak.Leaks.All(each => each.Allocated is { Sampled: 0, Sites.Count: 0 }), leak.Message);
        Expect(leak.Message.Contains("allocated at: not known, no allocation of these objects was sampled"), leak.Message);
    }

    static void Clean()
    {
        MakeSmall();
        Heap.AssertGone<Small>();
    }

    static void Growth()
    {
        var kept = new List<object>();
        CairnLeakException leak = Found(() => Heap.AssertNoGrowth(() => kept.Add(MakeSmall()), 2, "Leaks.ConsoleHost.Small"));
        ExpectMadeBy(leak.Leaks.Single(each => each.Type == "Leaks.ConsoleHost.Small"), nameof(MakeSmall));
    }

    static void New()
    {
        using Snapshot since = Snapshot.Take();
        held = MakeSmall();
        CairnLeakException leak = Found(() => Heap.AssertNoNew(since, "Leaks.ConsoleHost.Small"));
        ExpectMadeBy(leak.Leaks.Single(each => each.Type == "Leaks.ConsoleHost.Small"), nameof(MakeSmall));
    }

    static CairnLeakException Found(Action assertion, bool clear = true)
    {
        var leak = Throws<CairnLeakException>(assertion);
        if (clear) held = null;
        return leak;
    }

    // Each stack, not only the most frequent one.
    static void ExpectMadeBy(Leak leak, string method)
    {
        AllocationSites? allocated = leak.Allocated;
        string told = allocated == null ? "nothing" : string.Join("\n", allocated.Sites.Select(site => string.Join(" ← ", site.Frames)));
        Expect(allocated is { Sampled: > 0 } && allocated.Sampled <= allocated.Objects, $"{leak.Type}, {method}: {told}");
        Expect(allocated!.Sites.Sum(site => site.Sampled) == allocated.Sampled, told);
        string name = $"Leaks.ConsoleHost.Allocations.{method}";
        Expect(allocated.Sites.All(site => site.Frames.First(frame => frame.StartsWith("Leaks.")) == name), $"{leak.Type}, {method}: {told}");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static object[] MakeLarge(int count)
    {
        var made = new object[count];
        for (int i = 0; i < count; i++) made[i] = new Large { Bytes = new byte[100_000] };
        return made;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static Small[] MakeSmall()
    {
        var made = new Small[Smalls];
        for (int i = 0; i < Smalls; i++) made[i] = new Small();
        return made;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static Small[] MakeSmallAgain()
    {
        var made = new Small[Smalls];
        for (int i = 0; i < Smalls; i++) made[i] = new Small();
        return made;
    }

    static object[] MakeBoth()
    {
        var made = new object[2 * Smalls];
        for (int i = 0; i < made.Length; i += 2) (made[i], made[i + 1]) = (MakeOneSmall(), MakeOneOther());
        return made;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static Small MakeOneSmall() => new();

    [MethodImpl(MethodImplOptions.NoInlining)]
    static Other MakeOneOther() => new();
}

sealed class Small;
sealed class Other;
sealed class Large
{
    public byte[]? Bytes;
}
sealed class Two
{
    public object? First, Second;
}
