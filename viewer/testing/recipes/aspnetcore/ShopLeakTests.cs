// Requests leave nothing behind. `Program` is the application's; with top-level statements it is seen from tests where
// Shop's Program.cs ends with `public partial class Program;`.

using Cairn.Testing;
using Microsoft.AspNetCore.Mvc.Testing;
using Xunit;

public sealed class ShopLeakTests : IClassFixture<WebApplicationFactory<Program>>
{
    private readonly WebApplicationFactory<Program> factory;

    public ShopLeakTests(WebApplicationFactory<Program> factory) => this.factory = factory;

    [Fact]
    public async Task Orders_do_not_pile_up()
    {
        using HttpClient client = factory.CreateClient();
        await Heap.AssertNoGrowthAsync(async () =>
        {
            using HttpResponseMessage answer = await client.GetAsync("/order");
            answer.EnsureSuccessStatusCode();
        }, iterations: 10, filter: "Shop.*");
    }

    // What is scoped to a request ends with it.
    [Fact]
    public async Task A_request_releases_its_services()
    {
        using HttpClient client = factory.CreateClient();
        (await client.GetAsync("/order")).EnsureSuccessStatusCode();
        Heap.AssertGone<Shop.OrderContext>();
    }
}
