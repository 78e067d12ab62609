using System;
using System.Collections.Concurrent;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Threading;

namespace LeakyShop;

sealed record Product(int Number, string Name, decimal Price);
sealed record OrderLine(Product Product, int Quantity);
sealed record Order(long Number, string Customer, OrderLine[] Lines)
{
    public decimal Total => Lines.Sum(line => line.Product.Price * line.Quantity);
}

[InlineArray(32)]
struct QuotedPrices { decimal first; }

/// What a subscriber remembers of the order it watches, with the prices of that moment.
sealed class OrderPayload
{
    public Order? Order;
    public QuotedPrices Prices;   // 32 * 16 bytes
}

/// Watches one order. Nobody ever unsubscribes it: this is the leak.
sealed class OrderSubscriber(OrderPayload payload)
{
    public void OnPriceChanged(object? sender, Product product)
    {
        if (product.Number < 32) payload.Prices[product.Number] = product.Price;
    }
}

/// Lives as long as the process; its event keeps every subscriber.
sealed class PriceFeed
{
    public static readonly PriceFeed Instance = new();
    public event EventHandler<Product>? PriceChanged;
    public int Subscribers => PriceChanged?.GetInvocationList().Length ?? 0;
    public void Publish(Product product) => PriceChanged?.Invoke(this, product);
}

sealed class Shop
{
    const int RecentOrders = 500;
    readonly Product[] catalog = Enumerable.Range(0, 2_000).Select(i => new Product(i, $"Product {i:D4}", 1 + i * 0.25m)).ToArray();
    readonly ConcurrentQueue<Order> recent = new();
    readonly object subscribing = new();
    long orders;

    public long Orders => Volatile.Read(ref orders);

    /// Normal work: an order that is forgotten after RecentOrders more.
    public Order PlaceOrder()
    {
        long number = Interlocked.Increment(ref orders);
        var lines = Enumerable.Range(0, 3).Select(i => new OrderLine(catalog[(number * 31 + i) % catalog.Length], i + 1)).ToArray();
        var order = new Order(number, $"customer-{number % 997}", lines);
        recent.Enqueue(order);
        while (recent.Count > RecentOrders) recent.TryDequeue(out _);
        return order;
    }

    /// The leak. Returns how many subscribers there are by now.
    public int Subscribe(int times)
    {
        lock (subscribing)
        {
            for (int i = 0; i < times; i++)
                PriceFeed.Instance.PriceChanged += new OrderSubscriber(new OrderPayload { Order = PlaceOrder() }).OnPriceChanged;
            return PriceFeed.Instance.Subscribers;
        }
    }
}
