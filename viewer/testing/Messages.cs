using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;

namespace Cairn.Testing;

/// What a failed assertion says: counts and types, the paths, where to look further.
internal static class Messages
{
    const int MostPaths = 10, MostSites = 3, MostFrames = 6;

    public static CairnLeakException TooMany(string what, long most, PathAnswer answer, Snapshot snapshot)
    {
        string allowed = most == 0 ? "none should be" : $"at most {most} should be";
        string alive = answer.Objects == 1 ? "1 object is alive" : $"{answer.Objects} objects are alive";
        return Exception($"{what}: {alive}, {allowed}.", what, answer.Leaks, answer.HeldByLocals, snapshot);
    }

    public static CairnLeakException Exception(string headline, string what, IReadOnlyList<Leak> leaks, IReadOnlyList<Leak> heldByLocals,
                                               Snapshot snapshot)
    {
        string kept = snapshot.Keep(what);
        var text = new StringBuilder(headline).AppendLine();
        foreach (Leak leak in leaks.Take(MostPaths)) AppendLeak(text, leak);
        if (leaks.Count > MostPaths) text.AppendLine($"  … {leaks.Count - MostPaths} more paths");
        foreach (Leak leak in heldByLocals.Take(MostPaths)) text.AppendLine($"  not counted: {InWords(leak)}");
        if (snapshot.WhyNotSampled.Length > 0) text.AppendLine($"  Allocations were not sampled: {snapshot.WhyNotSampled}");
        if (!snapshot.FinalizersEnded)
            text.AppendLine($"  Finalizers did not end within {Heap.FinalizerPatience.TotalSeconds:0.###} s; what waits for its own counts as alive.");
        text.Append($"Snapshot: {kept}");
        return new CairnLeakException(text.ToString(), leaks, kept);
    }

    /// Locals that hold what is asserted to be gone are told, though they do not count.
    public static HeapReport Said(HeapReport report)
    {
        foreach (Leak leak in report.HeldByLocals.Take(MostPaths)) Console.WriteLine($"Cairn: not counted: {InWords(leak)}");
        return report;
    }

    static void AppendLeak(StringBuilder text, Leak leak)
    {
        text.AppendLine($"  {InWords(leak)}");
        foreach (string note in leak.Notes) text.AppendLine($"      {note}");
        if (leak.Allocated is { } allocated) AppendSites(text, allocated);
        if (leak.Counts.Count > 0) text.AppendLine($"      objects {string.Join(" → ", leak.Counts)}");
        if (leak.Fingerprint.Length > 0) text.AppendLine($"      fingerprint {leak.Fingerprint}");
    }

    static void AppendSites(StringBuilder text, AllocationSites allocated)
    {
        if (allocated.Sampled == 0)
            text.AppendLine("      allocated at: not known, no allocation of these objects was sampled (one in about 100 KB is)");
        foreach (AllocationSite site in allocated.Sites.Take(MostSites))
            text.AppendLine($"      allocated at: {InWords(site)}, seen for {site.Sampled} of {allocated.Objects} objects{Certainty}");
        if (allocated.Sites.Count > MostSites) text.AppendLine($"      … {allocated.Sites.Count - MostSites} more stacks");
    }

    static string InWords(AllocationSite site) =>
        string.Join(" ← ", site.Frames.Take(MostFrames)) + (site.Frames.Count > MostFrames ? " ← …" : "");

    // Which small objects are sampled is not quite left to chance there.
    static string Certainty => Environment.Version.Major < 10 ? " (shares are approximate before .NET 10)" : "";

    static string InWords(Leak leak) => $"{leak.Objects} × {leak.Type}  held by {leak.Path}";
}
