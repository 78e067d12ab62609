using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Threading;

namespace Cairn.Testing;

/// <summary>A snapshot of this process, taken after a full collection. Its file is deleted when it is disposed, or with the process.</summary>
[StackTraceHidden]
public sealed class Snapshot : IDisposable
{
    /// One collector at a time: tests of other classes wait for theirs.
    internal static readonly object Turn = new();

    Snapshot(string? sampled, bool finalizersEnded, bool hasCanary)
    {
        (FinalizersEnded, HasCanary, WhyNotSampled) = (finalizersEnded, hasCanary, AllocationSampling.WhyNot);
        IsSampled = sampled != null;
        Path = sampled ?? Capture();
    }

    /// <summary>The file, for the command line <c>cairn</c>.</summary>
    public string Path { get; private set; }

    internal bool FinalizersEnded { get; }
    internal bool HasCanary { get; }
    /// Why it does not tell where objects were allocated though it should; empty: nobody asked for it, or it does.
    internal string WhyNotSampled { get; }
    internal bool IsSampled { get; }

    /// <summary>Collects, lets finalizers end, and writes what is alive into a file.</summary>
    /// <exception cref="CairnCannotMeasureException">This process could not be captured.</exception>
    public static Snapshot Take()
    {
        SelfTest.RunOnce();
        return Take(null);
    }

    /// With an object of this type planted, to prove that its name is known.
    internal static Snapshot Take(Type? planted)
    {
        lock (Turn)
        {
            bool ended = Finalizers.Run(Heap.FinalizerPatience);
            bool hasCanary = Canary.Plant(planted);
            try
            {
                return new Snapshot(AllocationSampling.TakeSnapshot(), ended, hasCanary);
            }
            finally
            {
                Canary.Remove();
            }
        }
    }

    static string Capture()
    {
        string path = WorkFolder.NewFile(".cairn");
        CairnProgram.Run(["capture", $"{Environment.ProcessId}", "--gc", "full", "--strings", "none", "-o", path]);
        return path;
    }

    /// <summary>Moves the file to where artefacts of this run lie; it stays there.</summary>
    /// <returns>Its new path.</returns>
    internal string Keep(string name)
    {
        Path = Artefacts.Take(Path, name);
        return Path;
    }

    /// <summary>Deletes the file, unless it was kept as the artefact of a failure.</summary>
    public void Dispose()
    {
        if (Path.StartsWith(WorkFolder.Path, StringComparison.Ordinal)) WorkFolder.Delete(Path);
    }
}
