using System;
using System.Collections.Generic;

namespace Cairn.Testing;

/// <summary>An assertion about the heap does not hold: what is alive, how many, and the paths that hold it.</summary>
public sealed class CairnLeakException : Exception
{
    internal CairnLeakException(string message, IReadOnlyList<Leak> leaks, string snapshot) : base(message) =>
        (Leaks, SnapshotPath) = (leaks, snapshot);

    /// <summary>What leaks, the most objects first.</summary>
    public IReadOnlyList<Leak> Leaks { get; }

    /// <summary>The snapshot that shows it, kept for a closer look with <c>cairn view</c>.</summary>
    public string SnapshotPath { get; }
}
