using System;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Threading;

namespace Cairn.Testing;

/// <summary>Plants a leak, and proves that this package sees it here.</summary>
public static class CairnSelfTest
{
    /// <summary>
    /// An object that a static holds must be found with its path, one that only a local holds must be found and not
    /// count, and one that nothing holds must be gone. The first assertion of a process does this by itself.
    /// </summary>
    /// <exception cref="CairnCannotMeasureException">It is not so.</exception>
    public static void Run() => SelfTest.Run();
}

internal static class SelfTest
{
    static readonly Lazy<bool> once = new(() => Run(), LazyThreadSafetyMode.PublicationOnly);
    static readonly object oneAtATime = new();
    static HeldByStatic? planted;

    public static void RunOnce() => _ = once.Value;

    [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.NoOptimization)]
    public static bool Run()
    {
        lock (oneAtATime)
        {
            var local = new HeldByLocal();
            planted = new HeldByStatic();
            Abandon();
            try
            {
                using Snapshot snapshot = Snapshot.Take(null);
                Check(PathAnswer.Of(snapshot, [NameOf<HeldByStatic>(), NameOf<HeldByLocal>(), NameOf<HeldByNothing>()]));
            }
            finally
            {
                planted = null;
                GC.KeepAlive(local);
            }
        }
        return true;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Abandon() => GC.KeepAlive(new HeldByNothing());

    static void Check(PathAnswer answer)
    {
        string counted = string.Join(", ", answer.Leaks.Select(leak => $"{leak.Objects} {leak.Type} by {leak.Path}"));
        if (counted != $"1 {NameOf<HeldByStatic>()} by static Cairn.Testing.SelfTest.planted")
            throw Failure($"a planted leak should be found, and nothing else: found {(counted.Length > 0 ? counted : "nothing")}");
        if (answer.HeldByLocals.Sum(leak => leak.Objects) != 1 || answer.HeldByLocals[0].Type != NameOf<HeldByLocal>())
            throw Failure("an object that only a local holds should be found, and not count");
    }

    static CairnCannotMeasureException Failure(string what) =>
        new("testing.self_test", $"The self-test of Cairn.Testing failed: {what}.", "No verdict on leaks can be trusted here.");

    static string NameOf<T>() => TypeName.Of(typeof(T));
}

internal sealed class HeldByStatic;
internal sealed class HeldByLocal;
internal sealed class HeldByNothing;
