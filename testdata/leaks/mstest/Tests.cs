using Leaks.Scenarios;
using Microsoft.VisualStudio.TestTools.UnitTesting;

[assembly: Parallelize(Workers = 3, Scope = ExecutionScope.ClassLevel)]

namespace Leaks.Tests;

[TestClass]
public class FirstTests
{
    [TestMethod, DynamicData(nameof(Groups.First), typeof(Groups))]
    public void Leak_is_found(string name) => Verdict.LeakIsFound(name);

    [TestMethod, DynamicData(nameof(Groups.First), typeof(Groups))]
    public void Twin_is_clean(string name) => Verdict.TwinIsClean(name);
}

[TestClass]
public class SecondTests
{
    [TestMethod, DynamicData(nameof(Groups.Second), typeof(Groups))]
    public void Leak_is_found(string name) => Verdict.LeakIsFound(name);

    [TestMethod, DynamicData(nameof(Groups.Second), typeof(Groups))]
    public void Twin_is_clean(string name) => Verdict.TwinIsClean(name);
}

[TestClass]
public class ThirdTests
{
    [TestMethod, DynamicData(nameof(Groups.Third), typeof(Groups))]
    public void Leak_is_found(string name) => Verdict.LeakIsFound(name);

    [TestMethod, DynamicData(nameof(Groups.Third), typeof(Groups))]
    public void Twin_is_clean(string name) => Verdict.TwinIsClean(name);
}

[TestClass, DoNotParallelize]
public class AloneTests
{
    [TestMethod, DynamicData(nameof(Groups.Alone), typeof(Groups))]
    public void Leak_is_found(string name) => Verdict.LeakIsFound(name);

    [TestMethod, DynamicData(nameof(Groups.Alone), typeof(Groups))]
    public void Twin_is_clean(string name) => Verdict.TwinIsClean(name);
}
