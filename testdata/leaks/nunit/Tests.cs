using Leaks.Scenarios;
using NUnit.Framework;

[assembly: Parallelizable(ParallelScope.Fixtures)]
[assembly: LevelOfParallelism(3)]

namespace Leaks.Tests;

[TestFixture]
public class FirstTests
{
    [TestCaseSource(typeof(Groups), nameof(Groups.First))]
    public void Leak_is_found(string name) => Verdict.LeakIsFound(name);

    [TestCaseSource(typeof(Groups), nameof(Groups.First))]
    public void Twin_is_clean(string name) => Verdict.TwinIsClean(name);
}

[TestFixture]
public class SecondTests
{
    [TestCaseSource(typeof(Groups), nameof(Groups.Second))]
    public void Leak_is_found(string name) => Verdict.LeakIsFound(name);

    [TestCaseSource(typeof(Groups), nameof(Groups.Second))]
    public void Twin_is_clean(string name) => Verdict.TwinIsClean(name);
}

[TestFixture]
public class ThirdTests
{
    [TestCaseSource(typeof(Groups), nameof(Groups.Third))]
    public void Leak_is_found(string name) => Verdict.LeakIsFound(name);

    [TestCaseSource(typeof(Groups), nameof(Groups.Third))]
    public void Twin_is_clean(string name) => Verdict.TwinIsClean(name);
}

[TestFixture, NonParallelizable]
public class AloneTests
{
    [TestCaseSource(typeof(Groups), nameof(Groups.Alone))]
    public void Leak_is_found(string name) => Verdict.LeakIsFound(name);

    [TestCaseSource(typeof(Groups), nameof(Groups.Alone))]
    public void Twin_is_clean(string name) => Verdict.TwinIsClean(name);
}
