// A view model that was closed is gone: nothing that lives on holds it any more. The hub stands for whatever a view
// model subscribes to: a messenger, a settings service, the application itself.

using System.ComponentModel;
using Cairn.Testing;
using Xunit;

namespace Shop.LeakTests;

public sealed class ViewModelLeakTests
{
    [Fact]
    public void A_closed_order_is_gone()
    {
        var hub = new Hub();
        using IDisposable _ = Heap.Keep(hub); // it lives on; a local alone does not count as a holder
        OpenAndClose(hub);
        Heap.AssertGone<OrderViewModel>();
    }

    [Fact]
    public void Opening_and_closing_leaves_nothing_behind()
    {
        var hub = new Hub();
        Heap.AssertNoGrowth(() => OpenAndClose(hub), iterations: 10, filter: "Shop.LeakTests.*");
    }

    private static void OpenAndClose(Hub hub)
    {
        using var order = new OrderViewModel(hub);
        hub.Rename("tea");
    }
}

public sealed class Hub
{
    public event EventHandler<string>? Renamed;

    public void Rename(string name) => Renamed?.Invoke(this, name);
}

public sealed class OrderViewModel : INotifyPropertyChanged, IDisposable
{
    private readonly Hub hub;

    public OrderViewModel(Hub hub)
    {
        this.hub = hub;
        hub.Renamed += OnRenamed;
    }

    public event PropertyChangedEventHandler? PropertyChanged;

    public string Name { get; private set; } = "";

    // Without this line both tests fail, and say: static … → Renamed → _target.
    public void Dispose() => hub.Renamed -= OnRenamed;

    private void OnRenamed(object? sender, string name)
    {
        Name = name;
        PropertyChanged?.Invoke(this, new PropertyChangedEventArgs(nameof(Name)));
    }
}
