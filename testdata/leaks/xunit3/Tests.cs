using Leaks.Scenarios;
using Xunit;

namespace Leaks.Tests;

// Classes run beside each other, which is what xunit does by itself.
public class FirstTests
{
    [Theory, MemberData(nameof(Groups.First), MemberType = typeof(Groups))]
    public void Leak_is_found(string name) => Verdict.LeakIsFound(name);

    [Theory, MemberData(nameof(Groups.First), MemberType = typeof(Groups))]
    public void Twin_is_clean(string name) => Verdict.TwinIsClean(name);
}

public class SecondTests
{
    [Theory, MemberData(nameof(Groups.Second), MemberType = typeof(Groups))]
    public void Leak_is_found(string name) => Verdict.LeakIsFound(name);

    [Theory, MemberData(nameof(Groups.Second), MemberType = typeof(Groups))]
    public void Twin_is_clean(string name) => Verdict.TwinIsClean(name);
}

public class ThirdTests
{
    [Theory, MemberData(nameof(Groups.Third), MemberType = typeof(Groups))]
    public void Leak_is_found(string name) => Verdict.LeakIsFound(name);

    [Theory, MemberData(nameof(Groups.Third), MemberType = typeof(Groups))]
    public void Twin_is_clean(string name) => Verdict.TwinIsClean(name);
}

[CollectionDefinition("alone", DisableParallelization = true)]
public class Alone;

[Collection("alone")]
public class AloneTests
{
    [Theory, MemberData(nameof(Groups.Alone), MemberType = typeof(Groups))]
    public void Leak_is_found(string name) => Verdict.LeakIsFound(name);

    [Theory, MemberData(nameof(Groups.Alone), MemberType = typeof(Groups))]
    public void Twin_is_clean(string name) => Verdict.TwinIsClean(name);
}
