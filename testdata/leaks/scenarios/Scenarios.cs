using System;
using System.Collections.Generic;
using System.Linq;
using Cairn.Testing;
using Leaks.App;

namespace Leaks.Scenarios;

public static class AllScenarios
{
    static int page;
    static readonly PageCache unbounded = PageCache.Unbounded(), bounded = new(most: 4);
    static readonly Lazy<Worker> worker = new(() => new Worker("leaks-worker"));

    public static IReadOnlyList<Scenario> List { get; } =
    [
        new()
        {
            Name = "event-handler",
            Leak = () => _ = new PriceView(PriceFeed.Instance),
            Twin = () => new PriceView(PriceFeed.Instance).Dispose(),
            Check = Gone<PriceView>,
            Holder = ["static Leaks.App.PriceFeed.Instance", "PriceChanged", "_target"],
            Clear = PriceFeed.Instance.Clear,
        },
        new()
        {
            Name = "static-list",
            Leak = () => OrderBook.Open(),
            Twin = () => OrderBook.Close(OrderBook.Open()),
            Check = Gone<OpenOrder>,
            Holder = ["static Leaks.App.OrderBook.open", "_items", "[0]"],
            Clear = OrderBook.Clear,
        },
        new()
        {
            Name = "timer",
            Leak = () => _ = new Poller(),
            Twin = () => new Poller().Dispose(),
            Check = Gone<Poller>,
            Holder = ["static System.Threading.TimerQueue", "_timerCallback", "_target"],
            Clear = Pollers.DisposeAll,
        },
        new()
        {
            Name = "closure",
            Leak = () => ReportService.PrintSharingAScope(),
            Twin = () => ReportService.PrintApart(),
            Check = Gone<Report>,
            Holder = ["static Leaks.App.ReportService.countLater", "_target", "report"],
            Clear = ReportService.Clear,
        },
        new()
        {
            Name = "weak-table",
            Leak = () => Attachments.Attach(Host.Instance),
            Twin = () => Attachments.Attach(new Request()),
            Check = Gone<Attachment>,
            Holder = ["static Leaks.App.Host.Instance", "(dependent)"],
            Clear = Attachments.Clear,
        },
        new()
        {
            Name = "unbounded-cache",
            Leak = () => unbounded.Get(page++),
            Twin = () => bounded.Get(page++),
            Check = act => Heap.AssertNoGrowth(act, 10, "Leaks.App.Page"),
            Holder = ["static Leaks.Scenarios.AllScenarios.unbounded", "pages", "_entries", "[].value"],
            Clear = () => { },
        },
        new()
        {
            Name = "thread-static",
            Leak = () => worker.Value.Do(() => CurrentSession.Enter(new Session())),
            Twin = () => worker.Value.Do(EnterAndLeave),
            Check = Gone<Session>,
            Holder = ["thread-static Leaks.App.CurrentSession.current", "leaks-worker"],
            Clear = () => worker.Value.Do(CurrentSession.Leave),
        },
        new()
        {
            Name = "async-never-completes",
            Leak = () => UploadService.SendAsync(),
            Twin = SendAndConfirm,
            Check = Gone<Upload>,
            Holder = ["static Leaks.App.UploadService.unconfirmed", "_task", "m_continuationObject", "StateMachine"],
            Clear = UploadService.Confirm,
        },
        new()
        {
            Name = "http-handlers",
            Leak = () => Clients.Create().Dispose(),
            Twin = () => Clients.CreateUnlisted().Dispose(),
            Check = Gone<AuditHandler>,
            Holder = ["static Leaks.App.Clients.handlers", "_items", "[0]"],
            Clear = Clients.Clear,
        },
        new()
        {
            Name = "collectible-context",
            Leak = PluginHost.RunAndKeep,
            Twin = PluginHost.RunAndForget,
            Check = act =>
            {
                act();
                Heap.AssertGone("System.Reflection.LoaderAllocator");
            },
            Holder = ["static Leaks.App.PluginHost.last", "(loader allocator)"],
            Clear = PluginHost.Clear,
        },
        new()
        {
            Name = "stalled-finalizers",
            Leak = NativeBuffers.UseBehindADeadlock,
            Twin = NativeBuffers.Use,
            Check = WithShortPatience,
            Holder = ["finalizer"],
            Clear = DeadlockedHandle.Release,
            IsAlone = true,
        },
        new()
        {
            Name = "interned-strings",
            Leak = () => TenantNames.Interned(),
            Twin = () => TenantNames.Shared(),
            Check = act => Heap.AssertNoGrowth(act, 10, "System.String"),
            Holder = ["handle"],
            Clear = TenantNames.Clear,
            IsAlone = true,
        },
    ];

    public static Scenario Named(string name) => List.Single(scenario => scenario.Name == name);

    static void Gone<T>(Action act)
    {
        act();
        Heap.AssertGone<T>();
    }

    static void WithShortPatience(Action act)
    {
        TimeSpan usual = Heap.FinalizerPatience;
        act();
        // The leak never ends, so that waiting longer shows nothing more; the twin's finalizers have all the time.
        if (DeadlockedHandle.IsStalling) Heap.FinalizerPatience = TimeSpan.FromMilliseconds(100);
        try
        {
            Heap.AssertGone<NativeBuffer>();
        }
        finally
        {
            Heap.FinalizerPatience = usual;
        }
    }

    static void EnterAndLeave()
    {
        CurrentSession.Enter(new Session());
        CurrentSession.Leave();
    }

    static void SendAndConfirm()
    {
        UploadService.SendAsync();
        UploadService.Confirm();
    }
}
