using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.Linq;
using System.Text.Json;
using System.Threading.Tasks;

namespace Cairn.Testing;

/// A scenario between snapshots. Two are enough where nothing grows; growth has to go on over all of them.
[StackTraceHidden]
internal sealed class GrowthTest
{
    const int Snapshots = 4, WarmUp = 1;
    readonly int iterations;
    readonly TypeFilter? filter;

    public GrowthTest(int iterations, TypeFilter? filter)
    {
        if (iterations < 1) throw new ArgumentOutOfRangeException(nameof(iterations), iterations, "There is at least one iteration.");
        (this.iterations, this.filter) = (iterations, filter);
    }

    // Nothing of it is left to wait for, so that it all happens on this thread.
    public HeapReport Run(Action scenario) => RunAsync(() =>
    {
        scenario();
        return Task.CompletedTask;
    }).GetAwaiter().GetResult();

    public async Task<HeapReport> RunAsync(Func<Task> scenario)
    {
        SelfTest.RunOnce();
        for (int i = 0; i < WarmUp; i++) await scenario().ConfigureAwait(false);
        var series = new List<Snapshot>();
        try
        {
            while (true)
            {
                series.Add(Snapshot.Take(null));
                filter?.TypesIn(series[^1]);
                if (IsDone(series)) return new HeapReport(0, []);
                for (int i = 0; i < iterations; i++) await scenario().ConfigureAwait(false);
            }
        }
        finally
        {
            series.ForEach(snapshot => snapshot.Dispose());
        }
    }

    // True: nothing grows. Growth over all snapshots is an exception.
    bool IsDone(List<Snapshot> series)
    {
        if (series.Count < 2) return false;
        List<Leak> growing = Growing(series);
        if (growing.Count == 0) return true;
        if (series.Count < Snapshots) return false;
        string what = filter?.ToString() ?? "Heap";
        throw Messages.Exception($"{what}: grows with every one of {iterations * (Snapshots - 1)} iterations.", what,
                                 WithAllocations(growing, series[^1]), [], series[^1]);
    }

    List<Leak> Growing(List<Snapshot> series)
    {
        List<string> command = ["grow", "--iterations", iterations.ToString(CultureInfo.InvariantCulture)];
        foreach (Snapshot snapshot in series) command.AddRange(["--from", snapshot.Path]);
        if (filter != null) command.AddRange(["--type", filter.ToString(), "--may-be-absent"]);
        command.AddRange(TestThreads.Options());
        return CairnProgram.Run(command).Elements("growing").Where(path => !IsOwn(path)).Select(AsLeak).ToList();
    }

    static List<Leak> WithAllocations(List<Leak> growing, Snapshot last)
    {
        if (!last.IsSampled) return growing;
        PathAnswer answer = PathAnswer.Of(last, growing.Select(leak => leak.Type).Distinct().ToList());
        return growing.Select(leak => leak with { Allocated = answer.Allocated.GetValueOrDefault(leak.Type) }).ToList();
    }

    static bool IsOwn(JsonElement path) => path.Text("type").StartsWith("Cairn.Testing.", StringComparison.Ordinal);

    static Leak AsLeak(JsonElement path)
    {
        List<long> objects = Series(path, "objects"), bytes = Series(path, "bytes"), retained = Series(path, "retained");
        return new Leak(path.Text("type"), objects[^1], bytes[^1], retained[^1], path.Text("path"), [])
        {
            Fingerprint = path.Text("fingerprint"),
            Counts = objects,
        };
    }

    static List<long> Series(JsonElement path, string name) => path.Elements(name).Select(value => value.GetInt64()).DefaultIfEmpty(0).ToList();
}
