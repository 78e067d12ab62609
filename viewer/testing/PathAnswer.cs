using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Text.Json;

namespace Cairn.Testing;

/// What `cairn path --type` says of some types: how many objects count, by which paths, and what only locals hold.
internal sealed class PathAnswer
{
    // The command line's limit of one expression.
    const int LongestExpression = 1000, MostNames = 40;

    public long Objects { get; private set; }
    public List<Leak> Leaks { get; } = new();
    public List<Leak> HeldByLocals { get; } = new();
    /// By type, whatever holds the objects.
    public Dictionary<string, AllocationSites> Allocated { get; } = new();

    /// The names are those of types of this snapshot.
    public static PathAnswer Of(Snapshot snapshot, IReadOnlyList<string> names)
    {
        var answer = new PathAnswer();
        foreach (string expression in Expressions(names)) answer.Ask(snapshot, expression);
        answer.Leaks.Sort((a, b) => b.Objects.CompareTo(a.Objects));
        return answer;
    }

    public static PathAnswer Of(Snapshot snapshot, string pattern)
    {
        var answer = new PathAnswer();
        answer.Ask(snapshot, pattern);
        return answer;
    }

    void Ask(Snapshot snapshot, string pattern)
    {
        List<string> command = ["path", snapshot.Path, "--type", pattern];
        command.AddRange(TestThreads.Options());
        JsonElement document = CairnProgram.Run(command);
        foreach (JsonElement path in document.Elements("paths").Where(path => !IsCanary(path)))
        {
            Leaks.Add(AsLeak(path));
            Objects += path.Number("count");
        }
        foreach (JsonElement type in document.Elements("types_allocated"))
            if (AllocationSites.Of(type) is { } sites)
                Allocated[type.Text("type")] = sites;
        if (document.Object("ignored_locals") is { } ignored) HeldByLocals.AddRange(ignored.Elements("paths").Select(AsLeak));
    }

    static bool IsCanary(JsonElement path) =>
        path.Object("root") is { } root && root.Text("name") == Canary.TypeRoot && path.Elements("steps").Count() == 1;

    static Leak AsLeak(JsonElement path)
    {
        List<JsonElement> steps = path.Elements("steps").ToList();
        JsonElement last = steps.LastOrDefault();
        var notes = steps.Select(step => step.Text("sense")).Where(sense => sense.Length > 0).ToList();
        return new Leak(last.Text("type"), path.Number("count"), path.Number("bytes"), last.Number("retained"), PathText(path, steps), notes)
        {
            Allocated = AllocationSites.Of(path.Object("allocated")),
        };
    }

    static string PathText(JsonElement path, List<JsonElement> steps)
    {
        JsonElement root = path.Object("root") ?? default;
        string text = $"{root.Text("kind")} {root.Text("name")}".Trim();
        if (root.Object("thread") is { } thread) text += $" on thread {thread.Number("os_id")} ({thread.Text("name")})";
        return string.Join(" → ", steps.Skip(1).Select(step => step.Text("field")).Prepend(text));
    }

    static IEnumerable<string> Expressions(IReadOnlyList<string> names)
    {
        var batch = new List<string>();
        int length = 0;
        foreach (string name in names.Select(Escaped))
        {
            if (batch.Count > 0 && (length + name.Length > LongestExpression - 10 || batch.Count == MostNames))
            {
                yield return Expression(batch);
                batch.Clear();
                length = 0;
            }
            batch.Add(name);
            length += name.Length + 1;
        }
        if (batch.Count > 0) yield return Expression(batch);
    }

    static string Expression(List<string> names) => $"/^({string.Join("|", names)})$/";

    static string Escaped(string name)
    {
        var text = new StringBuilder();
        foreach (char c in name) text.Append(@"\.[]()*+?{}|^$".Contains(c) ? $"\\{c}" : $"{c}");
        return text.ToString();
    }
}
