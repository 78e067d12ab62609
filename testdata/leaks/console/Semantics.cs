using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;
using Cairn.Testing;
using Leaks.App;
using static Leaks.ConsoleHost.Checks;

namespace Leaks.ConsoleHost;

/// What counts as a leak, and what does not, whatever the compiler makes of locals.
static class Semantics
{
    static object? held;

    public static int Run()
    {
        var checks = new Checks();
        checks.Run("a local of the caller does not count, and is told", LocalOfTheCaller);
        checks.Run("a local counts where it is kept", KeptLocal);
        checks.Run("a static counts beside a local", StaticBesideLocal);
        checks.Run("a variable of the async method that asserts does not count", () => VariableOfAsync().GetAwaiter().GetResult());
        checks.Run("a local of a thread of the application counts", LocalOfTheApplication);
        checks.Run("a local of a thread of the pool does not count", LocalOfThePool);
        checks.Run("types that derive or implement count", DerivedTypes);
        checks.Run("names of types are known", NamesOfTypes);
        checks.Run("a limit lets so many pass", Limit);
        checks.Run("new objects are told from old ones", NewObjects);
        checks.Run("growth is per iteration", Growth);
        checks.Run("a snapshot is kept of failures only", Artefacts);
        checks.Run("finalizers have run", Finalizable);
        checks.Run("threads take turns", Turns);
        checks.Run("a new object passes where an old one has gone", NewInPlaceOfOld);
        checks.Run("a wrong filter is no leak", WrongFilter);
        checks.Run("a misspelt filter is neither leak nor pass", MisspeltFilter);
        return checks.Finish();
    }

    [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.NoOptimization)]
    static void LocalOfTheCaller()
    {
        var local = new View();
        HeapReport report = Heap.AssertGone<View>();
        Expect(report.Objects == 0 && report.HeldByLocals.Sum(leak => leak.Objects) == 1, "it is told");
        Expect(report.HeldByLocals[0].Path.Contains("Semantics.LocalOfTheCaller"), report.HeldByLocals[0].Path);
        GC.KeepAlive(local);
    }

    static void KeptLocal()
    {
        var shell = new Shell { View = new View() };
        using (Heap.Keep(shell))
        {
            var leak = Throws<CairnLeakException>(() => Heap.AssertGone<View>());
            Expect(leak.Leaks.Count == 1 && leak.Leaks[0].Path.EndsWith("View"), leak.Message);
        }
        Heap.AssertGone<View>();
    }

    static void StaticBesideLocal()
    {
        var view = new View();
        held = new Shell { View = view };
        var leak = Throws<CairnLeakException>(() => Heap.AssertGone<View>());
        held = null;
        GC.KeepAlive(view);
        Expect(leak.Leaks is [{ Objects: 1, Path: "static Leaks.ConsoleHost.Semantics.held → View" }], leak.Message);
    }

    static async Task VariableOfAsync()
    {
        var view = new View();
        await Task.Yield();
        Heap.AssertGone<View>();
        await Task.Yield();
        GC.KeepAlive(view);
    }

    static void LocalOfTheApplication()
    {
        using (new JobThread())
        {
            var leak = Throws<CairnLeakException>(() => Heap.AssertGone<Job>());
            Expect(leak.Message.Contains("local Leaks.App.JobThread.Run") && leak.Message.Contains("(leaks-job)"), leak.Message);
        }
        Heap.AssertGone<Job>();
    }

    static void LocalOfThePool()
    {
        using var stop = new ManualResetEventSlim();
        using var started = new ManualResetEventSlim();
        Task holder = Task.Run(() => Hold(new View(), started, stop));
        started.Wait();
        HeapReport report = Heap.AssertGone<View>();
        stop.Set();
        holder.Wait();
        Expect(report.HeldByLocals.Count == 1, "it is told");
    }

    [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.NoOptimization)]
    static void Hold(View view, ManualResetEventSlim started, ManualResetEventSlim stop)
    {
        started.Set();
        stop.Wait();
        GC.KeepAlive(view);
    }

    static void DerivedTypes()
    {
        held = new DerivedView<int>();
        foreach (Action assertion in new Action[]
                 {
                     () => Heap.AssertGone<IView>(), () => Heap.AssertGone(typeof(DerivedView<>)), () => Heap.AssertGone("Leaks.ConsoleHost.Derived*"),
                 })
            Throws<CairnLeakException>(assertion);
        Heap.AssertGone<DerivedView<long>>();
        held = null;
        Throws<ArgumentException>(() => Heap.AssertGone(typeof(Semantics)));
    }

    // Each is planted by the assertion itself, which fails where the snapshot does not show the name that it looks for.
    static void NamesOfTypes()
    {
        Heap.AssertGone<Outer<int>.Inner<string, View>>();
        Heap.AssertGone<Outer<Dictionary<string, int[]>>.Plain>();
        Heap.AssertGone<View.Nested>();
        Heap.AssertGone<(View, int)>();
        Heap.AssertGone<KeyValuePair<Outer<View>.Plain, int?>>();
        // Arrays cannot be planted so; these are real ones.
        foreach (object array in new object[] { new View[1], new Outer<int>.Inner<View, string>[1, 1][] })
        {
            held = array;
            Type type = array.GetType();
            Throws<CairnLeakException>(() => Heap.AssertGone(type));
            held = null;
            Heap.AssertGone(type);
        }
    }

    static void Limit()
    {
        held = new[] { new View(), new View() };
        Expect(Heap.AssertMax<View>(2).Objects == 2, "two are let pass");
        var leak = Throws<CairnLeakException>(() => Heap.AssertMax<View>(1));
        held = null;
        Expect(leak.Message.Contains("2 objects are alive, at most 1 should be"), leak.Message);
    }

    static void NewObjects()
    {
        var views = new List<View> { new() };
        held = views;
        using Snapshot since = Snapshot.Take();
        Heap.AssertNoNew(since, "Leaks.ConsoleHost.View");
        views.Add(new View());
        var leak = Throws<CairnLeakException>(() => Heap.AssertNoNew(since, "Leaks.ConsoleHost.View"));
        held = null;
        Expect(leak.Leaks is [{ Objects: 2, Counts: [1, 2] }], leak.Message);
        Expect(leak.Leaks[0].Fingerprint.StartsWith("v1:"), leak.Message);
    }

    // What counting cannot tell, and repeating can.
    static void NewInPlaceOfOld()
    {
        held = new View();
        using Snapshot since = Snapshot.Take();
        held = new View();
        Heap.AssertNoNew(since, "Leaks.ConsoleHost.View");
        held = null;
    }

    static void Growth()
    {
        var views = new List<View>();
        var leak = Throws<CairnLeakException>(() => Heap.AssertNoGrowth(() => views.Add(new View()), 5, "Leaks.ConsoleHost.View"));
        Expect(leak.Leaks.Count == 1 && leak.Leaks[0].Counts.SequenceEqual([1L, 6, 11, 16]), leak.Message);
        int calls = 0;
        Heap.AssertNoGrowth(() => held = calls++ % 3 == 0 ? new View() : held, 5, "Leaks.ConsoleHost.View");
        held = null;
    }

    static void Artefacts()
    {
        string folder = Directory.CreateTempSubdirectory("leaks-artefacts-").FullName;
        string? before = Environment.GetEnvironmentVariable("CAIRN_ARTIFACTS");
        Environment.SetEnvironmentVariable("CAIRN_ARTIFACTS", folder);
        Heap.AssertGone<View>();
        Expect(Directory.GetFiles(folder).Length == 0, "nothing is kept of what holds");
        held = new View();
        var leak = Throws<CairnLeakException>(() => Heap.AssertGone<View>());
        held = null;
        Environment.SetEnvironmentVariable("CAIRN_ARTIFACTS", before);
        Expect(Directory.GetFiles(folder).SequenceEqual([leak.SnapshotPath]), leak.SnapshotPath);
        Expect(leak.Message.Contains(leak.SnapshotPath), leak.Message);
        Directory.Delete(folder, recursive: true);
    }

    static void Finalizable()
    {
        AbandonChain();
        Heap.AssertGone<Finalized>();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void AbandonChain() => new Finalized(new Finalized(new Finalized(null))).GetHashCode();

    static void Turns()
    {
        Exception? problem = null;
        var threads = Enumerable.Range(0, 3).Select(_ => new Thread(() =>
        {
            try
            {
                Heap.AssertGone<View>();
            }
            catch (Exception failure)
            {
                problem = failure;
            }
        })).ToList();
        threads.ForEach(thread => thread.Start());
        threads.ForEach(thread => thread.Join());
        if (problem != null) throw problem;
    }

    static void MisspeltFilter()
    {
        using Snapshot since = Snapshot.Take();
        var assertions = new Action<string>[]
        {
            filter => Heap.AssertMax(filter, 1), filter => Heap.AssertNoNew(since, filter), filter => Heap.AssertNoGrowth(() => { }, 2, filter),
        };
        foreach (Action<string> assertion in assertions) ExpectUnknown("Leaks.ConsoleHost.Unsene", assertion);
        foreach (string filter in new[] { "Leaks.*.Unsene*", "/ConsoleHost\\.Unsene$/", "Unsene[]", "UnseneOf<*>" })
            ExpectUnknown(filter, wrong => Heap.AssertGone(wrong));
        Heap.AssertGone("Leaks.ConsoleHost.Unsene", mayBeAbsent: true);
        // Known without an object of them.
        foreach (string filter in new[] { "consolehost.unseen", "Leaks.*.Unseen", "/ConsoleHost\\.Unseen$/", "Unseen[]", "*.UnseenOf<System.Byte>+Part" })
            Heap.AssertGone(filter);
    }

    static void ExpectUnknown(string filter, Action<string> assertion) =>
        Expect(Throws<CairnCannotMeasureException>(() => assertion(filter)).Code == "testing.no_such_type", filter);

    static void WrongFilter() => Throws<ArgumentException>(() => Heap.AssertGone("/(/"));
}

interface IView;
sealed class Unseen;
sealed class UnseenOf<T>
{
    public sealed class Part;
}
class View : IView
{
    public class Nested : View;
}
sealed class DerivedView<T> : View;
sealed class Shell
{
    public View? View;
}
sealed class Outer<T>
{
    public sealed class Inner<A, B>;
    public sealed class Plain;
}
sealed class Finalized(Finalized? next)
{
    Finalized? next = next;
    ~Finalized() => next = null;
}
