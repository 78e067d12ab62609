using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;

namespace Cairn.Testing;

/// At most so many objects of some types are alive.
[StackTraceHidden]
internal static class TypeLimit
{
    // What another thread is just about to let go is no leak: a leak is there in each of so many snapshots.
    const int Confirmations = 2;

    public static HeapReport Assert(Type type, long most)
    {
        var choice = new TypeChoice(type);
        return Assert(choice.Text, most, () => Snapshot.Take(type), snapshot => Names(snapshot, choice, TypeName.Of(type)));
    }

    public static HeapReport Assert(TypeFilter filter, long most) =>
        Assert(filter.ToString(), most, () => Snapshot.Take(null), snapshot => Names(snapshot, filter));

    static HeapReport Assert(string what, long most, Func<Snapshot> take, Func<Snapshot, IReadOnlyList<string>> choose)
    {
        if (most < 0) throw new ArgumentOutOfRangeException(nameof(most), most, "A limit is not negative.");
        SelfTest.RunOnce();
        for (int confirmation = 1; ; confirmation++)
        {
            using Snapshot snapshot = take();
            PathAnswer answer = PathAnswer.Of(snapshot, choose(snapshot));
            if (answer.Objects <= most) return Messages.Said(new HeapReport(answer.Objects, answer.HeldByLocals));
            if (confirmation == Confirmations) throw Messages.TooMany(what, most, answer, snapshot);
        }
    }

    /// The types that are meant and have objects, the planted one aside.
    static IReadOnlyList<string> Names(Snapshot snapshot, TypeChoice choice, string planted)
    {
        var counts = new TypeCounts(snapshot);
        ExpectPlanted(counts.Of(Canary.PlantedName), Canary.PlantedName);
        if (snapshot.HasCanary) ExpectPlanted(counts.Of(planted), planted);
        return counts.Where(name => choice.Matches(name) && !(snapshot.HasCanary && name == planted && counts.Of(name) == 1));
    }

    static IReadOnlyList<string> Names(Snapshot snapshot, TypeFilter filter)
    {
        ExpectPlanted(new TypeCounts(snapshot, Canary.PlantedName).Of(Canary.PlantedName), Canary.PlantedName);
        return filter.TypesIn(snapshot);
    }

    static void ExpectPlanted(long seen, string name)
    {
        if (seen == 0)
            throw new CairnCannotMeasureException("testing.planted_not_seen",
                $"An object of {name} was planted, and the snapshot does not show it.", "No verdict on leaks can be trusted here.");
    }
}
