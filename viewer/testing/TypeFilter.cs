using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Text.RegularExpressions;

namespace Cairn.Testing;

/// A pattern of types that means something here. One that is misspelt would match nothing, and pass for ever.
[StackTraceHidden]
internal sealed class TypeFilter
{
    static readonly char[] ofInstances = ['<', '>', '[', ']', ','];
    readonly string text;
    readonly bool mayBeAbsent;
    bool isLoaded;

    public TypeFilter(string text, bool mayBeAbsent) => (this.text, this.mayBeAbsent) = (text, mayBeAbsent);

    public override string ToString() => text;

    /// The types with objects. Fails where there are none, and the process does not know such types either.
    public IReadOnlyList<string> TypesIn(Snapshot snapshot)
    {
        IReadOnlyList<string> types = new TypeCounts(snapshot, text).Where(_ => true);
        if (types.Count == 0) ExpectLoaded();
        return types;
    }

    void ExpectLoaded()
    {
        if (mayBeAbsent || isLoaded) return;
        isLoaded = LoadedNames().Any(Meaning());
        if (!isLoaded)
            throw new CairnCannotMeasureException("testing.no_such_type",
                $"No type that is loaded here matches {text}, so that nothing can be said.",
                "Check its spelling. Where it may rightly be unknown, as after its assembly was unloaded: mayBeAbsent: true.");
    }

    // Names as snapshots have them, without what is between < and >: of a generic type only its instances have that.
    static IEnumerable<string> LoadedNames() =>
        AppDomain.CurrentDomain.GetAssemblies().SelectMany(TypeChoice.TypesOf).Select(type => Regex.Replace(TypeName.Of(type), @"`\d+", ""));

    // As the command line matches, but what is said of type arguments and arrays is not looked at.
    Func<string, bool> Meaning()
    {
        if (text.Length > 1 && text.StartsWith('/') && text.EndsWith('/')) return Expression();
        int end = text.IndexOfAny(ofInstances);
        string plain = end < 0 ? text : text[..end];
        if (!plain.Contains('*') && !plain.Contains('?')) return name => name.Contains(plain, StringComparison.OrdinalIgnoreCase);
        string expression = Regex.Escape(plain).Replace(@"\*", ".*").Replace(@"\?", ".");
        var glob = new Regex($"^{expression}{(end < 0 ? "$" : "")}");
        return glob.IsMatch;
    }

    Func<string, bool> Expression()
    {
        string body = text[1..^1];
        // Of instances no list can be made.
        if (body.IndexOfAny(['<', '>', ',']) >= 0 || body.Contains(@"\[")) return _ => true;
        try
        {
            var expression = new Regex(body);
            return expression.IsMatch;
        }
        catch (ArgumentException)
        {
            return _ => true;  // the command line's expressions are not quite the same
        }
    }
}
