using System;
using System.Diagnostics;
using System.Linq;
using Cairn.Testing;
using Leaks.Scenarios;

namespace Leaks.ConsoleHost;

/// leaks-console [NAME…]: every scenario once, leak and twin; a line each, and one with the sums at the end.
static class Program
{
    static int failed;

    static int Main(string[] names)
    {
        CairnSelfTest.Run();
        var chosen = AllScenarios.List.Where(scenario => names.Length == 0 || names.Contains(scenario.Name)).ToList();
        foreach (Scenario scenario in chosen)
        {
            Run($"leak {scenario.Name}", () => Verdict.LeakIsFound(scenario.Name));
            Run($"twin {scenario.Name}", () => Verdict.TwinIsClean(scenario.Name));
        }
        Console.WriteLine($"{chosen.Count} scenarios, {failed} wrong");
        return failed == 0 && chosen.Count > 0 ? 0 : 1;
    }

    static void Run(string name, Action check)
    {
        var clock = Stopwatch.StartNew();
        string problem = "";
        try
        {
            check();
        }
        catch (Exception wrong)
        {
            failed++;
            problem = $"\n  {wrong.Message}";
        }
        Console.WriteLine($"{(problem.Length == 0 ? "ok  " : "FAIL")} {name} ({clock.ElapsedMilliseconds} ms){problem}");
    }
}
