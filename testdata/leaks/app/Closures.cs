using System;

namespace Leaks.App;

public sealed class Report
{
    public readonly byte[] Pages = new byte[4096];
}

/// All lambdas of one scope share one object for their variables: who keeps one of them keeps the variables of all.
public static class ReportService
{
    static Func<int>? countLater;

#if UNRELATED_EDIT
    public static Func<int> AnotherLambda(int number) => () => number;
#endif

    public static int PrintSharingAScope()
    {
        var report = new Report();
        int pages = report.Pages.Length / 1024;
        Func<int> print = () => report.Pages.Length;
        countLater = () => pages;
        return print();
    }

    public static int PrintApart()
    {
        int pages;
        {
            var report = new Report();
            pages = Print(() => report.Pages.Length) / 1024;
        }
        KeepCount(pages);
        return pages;
    }

    static int Print(Func<int> print) => print();
    static void KeepCount(int pages) => countLater = () => pages;
    public static int? Count() => countLater?.Invoke();
    public static void Clear() => countLater = null;
}
