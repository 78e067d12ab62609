using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;

namespace Cairn.Testing;

/// The types that an assertion about T means: T, and what derives from it or implements it, as far as it is loaded.
/// What is not loaded has no objects.
internal sealed class TypeChoice
{
    readonly HashSet<string> names = new();
    readonly List<string> stems = new();  // of generic definitions

    public TypeChoice(Type type)
    {
        if (type.IsByRef || type.IsPointer || type.IsByRefLike || (type.IsAbstract && type.IsSealed))
            throw new ArgumentException($"{type} has no objects on the heap.", nameof(type));
        Text = TypeName.Of(type);
        Add(type);
        if (type.IsSealed || type.IsArray || type.IsValueType || type.IsGenericTypeDefinition) return;
        foreach (Type derived in Candidates(type).Where(type.IsAssignableFrom)) Add(derived);
    }

    /// As it is told in messages.
    public string Text { get; }

    public bool Matches(string name) =>
        names.Contains(name) || stems.Any(stem => name.StartsWith(stem, StringComparison.Ordinal) && ClosesAtItsEnd(name, stem.Length));

    void Add(Type type)
    {
        if (type.IsGenericTypeDefinition)
            stems.Add(TypeName.StemOf(type));
        else
            names.Add(TypeName.Of(type));
    }

    // "Shop.Cache<…>", not "Shop.Cache<…>+Entry" nor "Shop.Cache<…>[]".
    static bool ClosesAtItsEnd(string name, int inside)
    {
        int depth = 1;
        for (int i = inside; i < name.Length; i++)
        {
            if (name[i] == '<') depth++;
            if (name[i] == '>' && --depth == 0) return i == name.Length - 1;
        }
        return false;
    }

    // Only assemblies that know the one of `type` can derive from it.
    static IEnumerable<Type> Candidates(Type type)
    {
        AssemblyName home = type.Assembly.GetName();
        foreach (Assembly assembly in AppDomain.CurrentDomain.GetAssemblies())
            if (assembly == type.Assembly || assembly.IsDynamic || assembly.GetReferencedAssemblies().Any(name => name.Name == home.Name))
                foreach (Type candidate in TypesOf(assembly))
                    yield return candidate;
    }

    public static IEnumerable<Type> TypesOf(Assembly assembly)
    {
        try
        {
            return assembly.GetTypes();
        }
        catch (ReflectionTypeLoadException partly)
        {
            return partly.Types.OfType<Type>();
        }
        catch (NotSupportedException)
        {
            return [];
        }
    }
}
