using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Threading.Tasks;

namespace Cairn.Testing;

/// <summary>
/// Assertions about the heap of the test process. Each takes a full snapshot of this process with the program
/// <c>cairn</c> that comes with the package. Locals of tests, of the test host and of the thread pool do not count as
/// holders; statics, handles, timers, event handlers and threads of the application do.
/// </summary>
[StackTraceHidden]
public static class Heap
{
    /// <summary>How long finalizers may take before a snapshot. Afterwards what waits for its finalizer counts as alive.</summary>
    public static TimeSpan FinalizerPatience { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>No object of <typeparamref name="T"/>, of a type derived from it or implementing it is alive.</summary>
    /// <exception cref="CairnLeakException">There are such objects.</exception>
    /// <exception cref="CairnCannotMeasureException">Nothing can be said.</exception>
    public static HeapReport AssertGone<T>() => TypeLimit.Assert(typeof(T), 0);

    /// <summary>The same of a type that is known at run time only. Of a generic definition all its instances are meant.</summary>
    public static HeapReport AssertGone(Type type) => TypeLimit.Assert(type, 0);

    /// <summary>No object of the types that a pattern names is alive: <c>Shop.*View</c>, a part of a name, or <c>/an expression/</c>.</summary>
    /// <param name="filter">The pattern. One that no type loaded here matches is misspelt: nothing can be said.</param>
    /// <param name="mayBeAbsent">True: there need be no such type, as where its assembly was unloaded.</param>
    public static HeapReport AssertGone(string filter, bool mayBeAbsent = false) => TypeLimit.Assert(new TypeFilter(filter, mayBeAbsent), 0);

    /// <summary>At most <paramref name="most"/> objects of <typeparamref name="T"/> and of what derives from it are alive.</summary>
    public static HeapReport AssertMax<T>(long most) => TypeLimit.Assert(typeof(T), most);

    /// <summary>The same of the types that a pattern names, all together.</summary>
    public static HeapReport AssertMax(string filter, long most, bool mayBeAbsent = false) =>
        TypeLimit.Assert(new TypeFilter(filter, mayBeAbsent), most);

    /// <summary>
    /// Of no type that the pattern names there are more objects than in an earlier snapshot. Objects are counted, type
    /// by type, not recognised: a new one passes where an old one of its type has gone. Begin where there are none, or
    /// use <see cref="AssertNoGrowth"/>, which repeats.
    /// </summary>
    public static HeapReport AssertNoNew(Snapshot since, string filter, bool mayBeAbsent = false) =>
        NewObjects.Assert(since, new TypeFilter(filter, mayBeAbsent));

    /// <summary>
    /// Runs a scenario again and again, and fails for paths on which every iteration leaves objects behind. Without a
    /// filter all types count, so that no other test may run meanwhile. What the scenario captures counts as held.
    /// </summary>
    public static HeapReport AssertNoGrowth(Action scenario, int iterations = 10, string? filter = null, bool mayBeAbsent = false)
    {
        using IDisposable kept = Keep(scenario);
        return new GrowthTest(iterations, FilterOf(filter, mayBeAbsent)).Run(scenario);
    }

    /// <summary>The same of a scenario that is awaited.</summary>
    public static async Task<HeapReport> AssertNoGrowthAsync(Func<Task> scenario, int iterations = 10, string? filter = null,
                                                             bool mayBeAbsent = false)
    {
        using IDisposable kept = Keep(scenario);
        return await new GrowthTest(iterations, FilterOf(filter, mayBeAbsent)).RunAsync(scenario).ConfigureAwait(false);
    }

    /// <summary>
    /// Counts an object as held until what is returned is disposed: a service of the test's own that lives on while
    /// other objects should be gone. A local alone does not count.
    /// </summary>
    public static IDisposable Keep(object kept) => new Kept(kept);

    /// <summary>
    /// From here on, until what is returned is disposed, allocations of this process are sampled, so that what fails
    /// tells which methods allocated the objects, as far as these were among the samples: one in about 100 KB. Begin
    /// where a test begins, or with the run: <c>CAIRN_ALLOCATIONS=1</c> does so without a change of code. Takes up to
    /// 2 % of one core. Where it cannot be, as beside another profiler, assertions judge as ever, and failures say why.
    /// </summary>
    public static IDisposable SampleAllocations() => AllocationSampling.Begin();

    static TypeFilter? FilterOf(string? filter, bool mayBeAbsent) => filter == null ? null : new TypeFilter(filter, mayBeAbsent);
}

/// A static root of the test's own.
internal sealed class Kept : IDisposable
{
    static readonly List<object> objects = new();
    readonly object mine;

    public Kept(object kept)
    {
        mine = kept;
        lock (objects) objects.Add(kept);
    }

    public void Dispose()
    {
        lock (objects)
        {
            int at = objects.FindIndex(each => ReferenceEquals(each, mine));
            if (at >= 0) objects.RemoveAt(at);
        }
    }
}
