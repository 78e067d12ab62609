using System.Collections.Generic;
using System.Linq;
using System.Text.Json;

namespace Cairn.Testing;

/// <summary>Which methods allocated objects, as far as their allocations were sampled.</summary>
/// <param name="Objects">How many objects this is about: those of a path, or all of a type.</param>
/// <param name="Sampled">Of how many of them the allocation was sampled.</param>
/// <param name="Sites">The stacks of these; the most objects first.</param>
public sealed record AllocationSites(long Objects, long Sampled, IReadOnlyList<AllocationSite> Sites)
{
    internal static AllocationSites? Of(JsonElement? answer) =>
        answer is { } sites
            ? new AllocationSites(sites.Number("instances"), sites.Number("sampled"), sites.Elements("sites").Select(AllocationSite.Of).ToList())
            : null;
}

/// <summary>A stack that allocated objects.</summary>
/// <param name="Frames">Its methods, the one that allocated first.</param>
/// <param name="Sampled">How many of the sampled objects it allocated.</param>
public sealed record AllocationSite(IReadOnlyList<string> Frames, long Sampled)
{
    internal static AllocationSite Of(JsonElement site) =>
        new(site.Elements("frames").Select(frame => frame.GetString() ?? "").ToList(), site.Number("sampled"));
}
