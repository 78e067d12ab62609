namespace Goods;

// Where the types were at first.
public struct Crate
{
    private string _label;
    private object? _content;

    public struct Lid
    {
        private object? _handle;
        public static Lid Of(object handle) => new() { _handle = handle };
        public override readonly string ToString() => $"{_handle}";
    }

    public static Crate Of(string label, object content) => new() { _label = label, _content = content };
    public override readonly string ToString() => $"{_label}: {_content}";
}

public class Pallet
{
    private readonly object _load;
    public Pallet(object load) { _load = load; }
    public override string ToString() => $"{_load}";
}
