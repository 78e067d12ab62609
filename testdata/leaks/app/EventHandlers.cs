using System;

namespace Leaks.App;

/// Lives as long as the program; whoever listens lives as long, too.
public sealed class PriceFeed
{
    public static readonly PriceFeed Instance = new();
    public event EventHandler? PriceChanged;

    public void Publish() => PriceChanged?.Invoke(this, EventArgs.Empty);
    public void Clear() => PriceChanged = null;
}

public sealed class PriceView : IDisposable
{
    readonly PriceFeed feed;
    public int Changes { get; private set; }

    public PriceView(PriceFeed feed)
    {
        this.feed = feed;
        feed.PriceChanged += OnPriceChanged;
    }

    void OnPriceChanged(object? sender, EventArgs e) => Changes++;

    public void Dispose() => feed.PriceChanged -= OnPriceChanged;
}
