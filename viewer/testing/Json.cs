using System.Collections.Generic;
using System.Linq;
using System.Text.Json;

namespace Cairn.Testing;

/// Reading documents of the command line. What is missing is empty: fields are added over time, none is taken away.
internal static class Json
{
    public static string Text(this JsonElement element, string name) =>
        Has(element, name, JsonValueKind.String, out JsonElement value) ? value.GetString()! : "";

    public static long Number(this JsonElement element, string name) =>
        Has(element, name, JsonValueKind.Number, out JsonElement value) && value.TryGetInt64(out long number) ? number : 0;

    public static IEnumerable<JsonElement> Elements(this JsonElement element, string name) =>
        Has(element, name, JsonValueKind.Array, out JsonElement value) ? value.EnumerateArray() : Enumerable.Empty<JsonElement>();

    public static JsonElement? Object(this JsonElement element, string name) =>
        Has(element, name, JsonValueKind.Object, out JsonElement value) ? value : null;

    static bool Has(JsonElement element, string name, JsonValueKind kind, out JsonElement value)
    {
        value = default;
        return element.ValueKind == JsonValueKind.Object && element.TryGetProperty(name, out value) && value.ValueKind == kind;
    }
}
