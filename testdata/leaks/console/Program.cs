using System;
using System.IO;
using System.Linq;
using Cairn.Testing;
using Leaks.Scenarios;

namespace Leaks.ConsoleHost;

/// leaks-console [NAME…]      every scenario once, or those named: the leak and its twin
/// leaks-console semantics    what counts as a leak, and what does not
/// leaks-console allocations  what failures say of where objects were allocated
/// leaks-console plant FILE   all leaks at once, in a snapshot
/// leaks-console measure      one assertion that holds; how it ends where nothing can be measured
/// leaks-console bench OBJECTS [DOTNET-GCDUMP]    what an assertion costs beside other ways
static class Program
{
    static int Main(string[] arguments)
    {
        switch (arguments.FirstOrDefault())
        {
            case "semantics":
                return Semantics.Run();
            case "allocations":
                return Allocations.Run();
            case "plant":
                return Plant(arguments[1]);
            case "measure":
                return Measure();
            case "bench":
                return Bench.Run(int.Parse(arguments[1]), arguments.ElementAtOrDefault(2));
            default:
                return RunScenarios(arguments);
        }
    }

    static int RunScenarios(string[] names)
    {
        CairnSelfTest.Run();
        var checks = new Checks();
        foreach (Scenario scenario in AllScenarios.List.Where(scenario => names.Length == 0 || names.Contains(scenario.Name)))
        {
            checks.Run($"leak {scenario.Name}", () => Verdict.LeakIsFound(scenario.Name));
            checks.Run($"twin {scenario.Name}", () => Verdict.TwinIsClean(scenario.Name));
        }
        return checks.Finish();
    }

    static int Plant(string file)
    {
        foreach (Scenario scenario in AllScenarios.List.Where(scenario => !scenario.IsAlone)) scenario.Leak();
        using Snapshot snapshot = Snapshot.Take();
        File.Copy(snapshot.Path, file);
        return 0;
    }

    static int Measure()
    {
        try
        {
            Heap.AssertGone<Nothing>();
            Console.WriteLine("passed");
        }
        catch (CairnCannotMeasureException error)
        {
            Console.WriteLine($"cannot measure: {error.Code}: {error.Message}");
        }
        catch (CairnLeakException leak)
        {
            Console.WriteLine($"leak: {leak.Message}");
        }
        return 0;
    }
}

sealed class Nothing;
