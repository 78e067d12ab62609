using System;
using System.Runtime.CompilerServices;

namespace Cairn.Testing;

/// Leaks planted on purpose for the time of one capture. A snapshot that does not show them proves nothing.
internal static class Canary
{
    /// The statics as paths name them.
    public const string TypeRoot = "Cairn.Testing.Canary.ofType";
    public static readonly string PlantedName = typeof(Planted).FullName!;

    static Planted? planted;
    static object? ofType;

    /// An object of this type is planted as well, where one can be made without running its code. True: it was.
    public static bool Plant(Type? type)
    {
        planted = new Planted();
        ofType = type == null ? null : Empty(type);
        return ofType != null;
    }

    public static void Remove() => (planted, ofType) = (null, null);

    static object? Empty(Type type)
    {
        if (type.IsAbstract || type.IsArray || type == typeof(string) || type.ContainsGenericParameters) return null;
        try
        {
            object empty = RuntimeHelpers.GetUninitializedObject(type);
            GC.SuppressFinalize(empty);  // it has nothing to finalize
            return empty;
        }
        catch (Exception refused) when (refused is ArgumentException or MemberAccessException or NotSupportedException or TypeInitializationException)
        {
            return null;
        }
    }
}

/// Held by a static while a capture is taken.
internal sealed class Planted;
