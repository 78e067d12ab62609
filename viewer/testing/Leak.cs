using System.Collections.Generic;

namespace Cairn.Testing;

/// <summary>Objects that are alive though they should not be, and what holds them.</summary>
/// <param name="Type">Their type.</param>
/// <param name="Objects">How many there are; of growth, in the last snapshot.</param>
/// <param name="Bytes">What they occupy themselves.</param>
/// <param name="Retained">What would go if one of them went; of growth and of new objects: all of them.</param>
/// <param name="Path">From a root to them: <c>static Shop.Prices.Feed → Changed → _target</c>.</param>
/// <param name="Notes">What steps of the path are to a .NET programmer: <c>subscriber of Shop.Prices.Changed</c>.</param>
public sealed record Leak(string Type, long Objects, long Bytes, long Retained, string Path, IReadOnlyList<string> Notes)
{
    /// <summary>The same path in another run has the same fingerprint; empty where the path is not of growth.</summary>
    public string Fingerprint { get; init; } = "";

    /// <summary>Of growth: how many there were in each snapshot.</summary>
    public IReadOnlyList<long> Counts { get; init; } = [];

    /// <summary>
    /// Where they were allocated; of growth and of new objects: all objects of their type. Null unless
    /// <see cref="Heap.SampleAllocations"/> or CAIRN_ALLOCATIONS=1 asked for it.
    /// </summary>
    public AllocationSites? Allocated { get; init; }
}
