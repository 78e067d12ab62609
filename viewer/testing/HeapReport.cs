using System;
using System.Collections.Generic;

namespace Cairn.Testing;

/// <summary>What an assertion that holds has seen.</summary>
public sealed class HeapReport
{
    internal HeapReport(long objects, IReadOnlyList<Leak> heldByLocals) => (Objects, HeldByLocals) = (objects, heldByLocals);

    /// <summary>Objects that count.</summary>
    public long Objects { get; }

    /// <summary>
    /// Objects that only locals of tests, of the test host or of the thread pool hold. They do not count: how long a
    /// local lives is the choice of the compiler. <see cref="Heap.Keep"/> makes what a local holds count.
    /// </summary>
    public IReadOnlyList<Leak> HeldByLocals { get; }
}
