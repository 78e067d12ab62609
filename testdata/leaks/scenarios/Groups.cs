using System.Collections.Generic;
using System.Linq;

namespace Leaks.Scenarios;

/// The scenarios as classes of tests that run beside each other, and one that runs alone.
public static class Groups
{
    public static IEnumerable<object[]> First => Share(0);
    public static IEnumerable<object[]> Second => Share(1);
    public static IEnumerable<object[]> Third => Share(2);
    public static IEnumerable<object[]> Alone => AllScenarios.List.Where(scenario => scenario.IsAlone).Select(AsRow);

    static IEnumerable<object[]> Share(int number) =>
        AllScenarios.List.Where(scenario => !scenario.IsAlone).Where((_, i) => i % 3 == number).Select(AsRow);

    static object[] AsRow(Scenario scenario) => [scenario.Name];
}
