using System;

namespace Leaks.Scenarios;

/// One classic leak, its fixed twin, and the assertion that tells them apart.
public sealed class Scenario
{
    public required string Name { get; init; }
    /// What leaks, and the same done well.
    public required Action Leak { get; init; }
    public required Action Twin { get; init; }
    /// Does one of them, or has it done repeatedly, and asserts that nothing is left.
    public required Action<Action> Check { get; init; }
    /// Parts of the path that the message must name, in this order.
    public required string[] Holder { get; init; }
    /// Takes the leak away again, so that the next test finds none.
    public required Action Clear { get; init; }
    /// It touches what all tests of a process share: not beside others.
    public bool IsAlone { get; init; }
}
