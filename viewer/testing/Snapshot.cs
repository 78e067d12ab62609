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
    static readonly object oneAtATime = new();

    Snapshot(string path, bool finalizersEnded, bool hasCanary) =>
        (Path, FinalizersEnded, HasCanary) = (path, finalizersEnded, hasCanary);

    /// <summary>The file, for the command line <c>cairn</c>.</summary>
    public string Path { get; private set; }

    internal bool FinalizersEnded { get; }
    internal bool HasCanary { get; }

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
        // One collector at a time: tests of other classes wait here.
        lock (oneAtATime)
        {
            bool ended = Finalizers.Run(Heap.FinalizerPatience);
            bool hasCanary = Canary.Plant(planted);
            try
            {
                string path = WorkFolder.NewFile(".cairn");
                CairnProgram.Run(["capture", $"{Environment.ProcessId}", "--gc", "full", "--strings", "none", "-o", path]);
                return new Snapshot(path, ended, hasCanary);
            }
            finally
            {
                Canary.Remove();
            }
        }
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
