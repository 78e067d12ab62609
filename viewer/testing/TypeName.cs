using System;
using System.Collections.Generic;
using System.Linq;

namespace Cairn.Testing;

// How snapshots write the names of types: "Shop.Cache<System.String, Shop.Order>+Entry[]".
internal static class TypeName
{
    public static string Of(Type type)
    {
        if (type.IsArray) return Of(type.GetElementType()!) + Brackets(type);
        if (type.IsPointer) return Of(type.GetElementType()!) + "*";
        Queue<string> arguments = new(type.IsGenericTypeDefinition ? [] : type.GenericTypeArguments.Select(Of));
        Type[] chain = Enclosing(type).ToArray();
        string name = chain[0].Namespace is { Length: > 0 } space ? space + "." : "";
        foreach (Type link in chain)
        {
            if (link != chain[0]) name += "+";
            // Each takes as many arguments as its own name says; the last one takes what is left over.
            int own = link == type ? arguments.Count : Math.Min(Arity(link.Name), arguments.Count);
            name += own > 0 ? Stem(link.Name) + Arguments(arguments, own) : link.Name;
        }
        return name;
    }

    /// Of every instance of a generic definition: what their names start with.
    public static string StemOf(Type definition)
    {
        string name = Of(definition);
        int tick = name.LastIndexOf('`');
        return (tick < 0 ? name : name[..tick]) + "<";
    }

    static IEnumerable<Type> Enclosing(Type type)
    {
        Type outer = type.IsGenericType ? type.GetGenericTypeDefinition() : type;
        var chain = new Stack<Type>([type]);
        for (Type? link = outer.DeclaringType; link != null; link = link.DeclaringType) chain.Push(link);
        return chain;
    }

    static int Arity(string name)
    {
        int tick = name.LastIndexOf('`');
        return tick >= 0 && int.TryParse(name.AsSpan(tick + 1), out int arity) ? arity : 0;
    }

    static string Stem(string name)
    {
        int tick = name.LastIndexOf('`');
        return tick < 0 ? name : name[..tick];
    }

    static string Arguments(Queue<string> arguments, int count) =>
        "<" + string.Join(", ", Enumerable.Range(0, count).Select(_ => arguments.Dequeue())) + ">";

    static string Brackets(Type array)
    {
        int rank = array.GetArrayRank();
        return "[" + (rank == 1 && array.IsVariableBoundArray ? "*" : "") + new string(',', rank - 1) + "]";
    }
}
