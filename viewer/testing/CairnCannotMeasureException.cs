using System;

namespace Cairn.Testing;

/// <summary>
/// Nothing can be said: the process could not be captured, or what was captured is not whole. Neither a leak nor a pass.
/// </summary>
public sealed class CairnCannotMeasureException : Exception
{
    internal CairnCannotMeasureException(string code, string message, string hint = "")
        : base(hint.Length > 0 ? $"{message} {hint}" : message) => Code = code;

    /// <summary>What kind of failure it is, such as <c>attach.other_profiler</c>.</summary>
    public string Code { get; }
}
