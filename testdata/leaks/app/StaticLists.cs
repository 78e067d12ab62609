using System.Collections.Generic;

namespace Leaks.App;

public sealed class OpenOrder;

public static class OrderBook
{
    static readonly List<OpenOrder> open = new();

    public static OpenOrder Open()
    {
        var order = new OpenOrder();
        open.Add(order);
        return order;
    }

    public static void Close(OpenOrder order) => open.Remove(order);
    public static void Clear() => open.Clear();
}
