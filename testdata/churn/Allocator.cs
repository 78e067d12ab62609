using System;
using System.Collections.Generic;
using System.Threading;

namespace Churn;

sealed class Order
{
    public Order? Earlier;
    public string Text = "";
    public object? Extra;
    public int Number;
}

/// Keeps the latest of what it makes, in lists, dictionaries and large arrays, and checks what it kept.
sealed class Allocator(int seed)
{
    const int Kept = 4_000;
    const int EveryLarge = 5_000;
    static long done, wrong;
    readonly Order?[] ring = new Order?[Kept];
    readonly Dictionary<string, Order> byText = [];

    public static long Done => Volatile.Read(ref done);
    public static long Wrong => Volatile.Read(ref wrong);

    public void Run()
    {
        for (int number = seed;; number++)
        {
            Replace(number);
            if ((Interlocked.Increment(ref done) & 255) == 0) Thread.Sleep(1);
        }
    }

    void Replace(int number)
    {
        int place = number % Kept;
        Order? old = ring[place];
        if (old != null)
        {
            if (old.Number != number - Kept || old.Text != Text(old.Number)) Interlocked.Increment(ref wrong);
            byText.Remove(old.Text);
        }
        var order = new Order { Number = number, Text = Text(number), Earlier = ring[(place + 1) % Kept] };
        if (order.Earlier != null) order.Earlier.Earlier = null;  // no chain without an end
        order.Extra = (number % 7) switch
        {
            0 => new int[number % 50],
            1 => (number, order),
            2 => new WeakReference(order),
            3 => new List<Order> { order },
            _ => null,
        };
        if (number % EveryLarge == 0) order.Extra = new object[20_000];
        ring[place] = order;
        byText[order.Text] = order;
    }

    string Text(int number) => $"order {seed}/{number}";
}
