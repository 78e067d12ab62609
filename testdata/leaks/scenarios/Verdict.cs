using System;
using Cairn.Testing;

namespace Leaks.Scenarios;

/// What a scenario should come to. Anything else is an exception, whatever the test framework.
public static class Verdict
{
    public static void LeakIsFound(string name)
    {
        Scenario scenario = AllScenarios.Named(name);
        try
        {
            CairnLeakException leak = Expect(scenario);
            ExpectHolder(scenario, leak);
        }
        finally
        {
            scenario.Clear();
        }
    }

    public static void TwinIsClean(string name)
    {
        Scenario scenario = AllScenarios.Named(name);
        scenario.Check(scenario.Twin);
    }

    static CairnLeakException Expect(Scenario scenario)
    {
        try
        {
            scenario.Check(scenario.Leak);
        }
        catch (CairnLeakException leak)
        {
            return leak;
        }
        throw new InvalidOperationException($"{scenario.Name}: the leak was not found");
    }

    static void ExpectHolder(Scenario scenario, CairnLeakException leak)
    {
        int at = 0;
        foreach (string part in scenario.Holder)
        {
            int found = leak.Message.IndexOf(part, at, StringComparison.Ordinal);
            if (found < 0) throw new InvalidOperationException($"{scenario.Name}: the holder '{part}' is not told in: {leak.Message}");
            at = found + part.Length;
        }
    }
}
