using System.Collections.Generic;

namespace Leaks.App;

public sealed class Page
{
    public required int Number { get; init; }
}

public sealed class PageCache(int most)
{
    readonly Dictionary<int, Page> pages = new();
    readonly Queue<int> oldest = new();

    public static PageCache Unbounded() => new(int.MaxValue);

    public Page Get(int number)
    {
        if (pages.TryGetValue(number, out Page? known)) return known;
        if (pages.Count == most) pages.Remove(oldest.Dequeue());
        oldest.Enqueue(number);
        return pages[number] = new Page { Number = number };
    }
}
