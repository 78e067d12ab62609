using System.Collections.Generic;

namespace Leaks.App;

/// The runtime keeps interned strings for ever.
public static class TenantNames
{
    const int Most = 4;
    static readonly Dictionary<int, string> recent = new();
    static int next;

    public static string Interned() => string.Intern($"leaks-tenant-{next++}");

    /// One string per tenant, for the tenants of late.
    public static string Shared()
    {
        int tenant = next++ % Most;
        return recent.TryGetValue(tenant, out string? known) ? known : recent[tenant] = $"leaks-tenant-{tenant}";
    }

    public static void Clear() => recent.Clear();
}
