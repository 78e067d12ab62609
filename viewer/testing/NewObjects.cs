using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.Json;

namespace Cairn.Testing;

/// No more objects of any type of a pattern than in an earlier snapshot. By their number: who is who between two
/// snapshots only a collector knows that stayed in the process meanwhile, which a test's process is spared.
[StackTraceHidden]
internal static class NewObjects
{
    const int Confirmations = 2;

    public static HeapReport Assert(Snapshot since, TypeFilter filter)
    {
        SelfTest.RunOnce();
        string rules = WorkFolder.NewFile(".toml");
        File.WriteAllText(rules, Rules(filter.ToString()));
        try
        {
            for (int confirmation = 1; ; confirmation++)
            {
                using Snapshot now = Snapshot.Take(null);
                filter.TypesIn(now);
                IReadOnlyList<Leak> leaks = Judge(since, now, rules);
                if (leaks.Count == 0) return new HeapReport(0, []);
                if (confirmation == Confirmations) throw Messages.Exception($"{filter}: there are more objects than before.", filter.ToString(), leaks, [], now);
            }
        }
        finally
        {
            WorkFolder.Delete(rules);
        }
    }

    static string Rules(string filter) => $"""
        [[no_growth]]
        type = {TomlText(filter)}
        by = "type"
        max_objects = 0
        may_be_absent = true
        """;

    // A basic string, in which the backslashes of an expression are doubled.
    static string TomlText(string text)
    {
        var quoted = new StringBuilder("\"");
        foreach (char c in text)
            quoted.Append(c is '"' or '\\' ? $"\\{c}" : char.IsControl(c) ? $"\\u{(int)c:X4}" : $"{c}");
        return quoted.Append('"').ToString();
    }

    static List<Leak> Judge(Snapshot since, Snapshot now, string rules)
    {
        List<string> command = ["check", now.Path, "--base", since.Path, "--rules", rules];
        command.AddRange(TestThreads.Options());
        return CairnProgram.Run(command).Elements("violations").Select(AsLeak).ToList();
    }

    static Leak AsLeak(JsonElement violation) =>
        new(violation.Text("type"), violation.Number("objects"), violation.Number("bytes"), violation.Number("retained"),
            violation.Text("path"), [])
        {
            Fingerprint = violation.Text("fingerprint"),
            Allocated = AllocationSites.Of(violation.Object("allocated")),
            Counts = [violation.Number("objects_before"), violation.Number("objects")],
        };
}
