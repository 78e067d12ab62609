using System;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using LeakyShop;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

// A small web shop with a leak behind /subscribe. README.md says what each endpoint does.
var builder = WebApplication.CreateSlimBuilder(args);
builder.Logging.ClearProviders();
builder.WebHost.UseUrls("http://127.0.0.1:0");
builder.Services.AddSingleton<Shop>();
builder.Services.AddHostedService<Customers>();

var app = builder.Build();
app.MapGet("/health", () => "ok\n");
app.MapGet("/order", (Shop shop) => $"order {shop.PlaceOrder().Number}\n");
app.MapGet("/subscribe", (Shop shop, int? n) => $"subscribers {shop.Subscribe(n ?? 1)}\n");
app.MapGet("/count", (Shop shop) => $"orders {shop.Orders} subscribers {PriceFeed.Instance.Subscribers}\n");

await app.StartAsync();
Console.WriteLine($"PID\t{Environment.ProcessId}");
Console.WriteLine($"LISTENING\t{app.Urls.Single()}");
Console.Out.Flush();
await app.WaitForShutdownAsync();

namespace LeakyShop
{
    /// Background load: customers that keep ordering while the shop is open.
    sealed class Customers(Shop shop) : BackgroundService
    {
        protected override async Task ExecuteAsync(CancellationToken closing)
        {
            decimal turnover = 0;
            while (!closing.IsCancellationRequested)
            {
                for (int i = 0; i < 50; i++) turnover += shop.PlaceOrder().Total;
                await Task.Delay(10, CancellationToken.None);
            }
        }
    }
}
