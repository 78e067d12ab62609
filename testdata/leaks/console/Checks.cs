using System;
using System.Diagnostics;

namespace Leaks.ConsoleHost;

/// Named checks, a line each, and their sum at the end.
sealed class Checks
{
    int passed, failed;

    public void Run(string name, Action check)
    {
        var clock = Stopwatch.StartNew();
        string problem = "";
        try
        {
            check();
            passed++;
        }
        catch (Exception wrong)
        {
            failed++;
            problem = "\n  " + wrong.ToString().Replace("\n", "\n  ");
        }
        Console.WriteLine($"{(problem.Length == 0 ? "ok  " : "FAIL")} {name} ({clock.ElapsedMilliseconds} ms){problem}");
    }

    public int Finish()
    {
        Console.WriteLine($"{passed} passed, {failed} failed");
        return failed == 0 && passed > 0 ? 0 : 1;
    }

    public static void Expect(bool holds, string what)
    {
        if (!holds) throw new InvalidOperationException(what);
    }

    public static T Throws<T>(Action action) where T : Exception
    {
        try
        {
            action();
        }
        catch (T expected)
        {
            return expected;
        }
        throw new InvalidOperationException($"no {typeof(T).Name}");
    }
}
