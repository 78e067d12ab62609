using System.Collections.Generic;
using System.Net.Http;

namespace Leaks.App;

public sealed class AuditHandler() : DelegatingHandler(new SocketsHttpHandler());

/// Hands out clients, and remembers their handlers for statistics, also those that were disposed.
public static class Clients
{
    static readonly List<AuditHandler> handlers = new();

    public static HttpClient Create()
    {
        var handler = new AuditHandler();
        handlers.Add(handler);
        return new HttpClient(handler, disposeHandler: true);
    }

    public static HttpClient CreateUnlisted() => new(new AuditHandler(), disposeHandler: true);
    public static void Clear() => handlers.Clear();
}
