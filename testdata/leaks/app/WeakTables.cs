using System.Runtime.CompilerServices;

namespace Leaks.App;

public sealed class Host
{
    public static readonly Host Instance = new();
}

public sealed class Request;

/// Refers to the object it is attached to, which is no leak by itself.
public sealed class Attachment(object owner)
{
    public object Owner { get; } = owner;
}

/// A value lives as long as its key: with a key that lives for ever, a weak table is a list.
public static class Attachments
{
    static readonly ConditionalWeakTable<object, Attachment> table = new();

    public static void Attach(object owner) => table.AddOrUpdate(owner, new Attachment(owner));
    public static void Clear() => table.Clear();
}
