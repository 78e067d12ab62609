using System.Collections.Generic;
using System.Linq;

namespace Cairn.Testing;

/// Objects by type as the file's summary has them, garbage included: a few milliseconds whatever the heap.
internal sealed class TypeCounts
{
    readonly Dictionary<string, long> objects = new();

    public TypeCounts(Snapshot snapshot, string? pattern = null)
    {
        List<string> command = ["types", snapshot.Path, "--no-retained"];
        if (pattern != null) command.AddRange(["--filter", pattern]);
        foreach (var row in CairnProgram.Run(command).Elements("types"))
            objects[row.Text("type")] = Of(row.Text("type")) + row.Number("objects");
    }

    public long Of(string type) => objects.GetValueOrDefault(type);

    public IReadOnlyList<string> Where(System.Func<string, bool> matches) =>
        objects.Where(pair => pair.Value > 0 && matches(pair.Key)).Select(pair => pair.Key).ToList();

    public long Sum(IEnumerable<string> types) => types.Sum(Of);
}
