namespace Goods;

// Where they moved to; they look different inside by now.
public struct Crate
{
    private long _weight;
    private object? _kept;
    private string _tag;

    public struct Lid
    {
        private long _width;
        private object? _seal;
        public static Lid Of(object seal) => new() { _width = 3, _seal = seal };
        public override readonly string ToString() => $"{_width} {_seal}";
    }

    public static Crate Of(string tag, object kept) => new() { _weight = 7, _tag = tag, _kept = kept };
    public override readonly string ToString() => $"{_weight} {_tag}: {_kept}";
}

public class Pallet
{
    private readonly object _stack;
    public Pallet(object stack) { _stack = stack; }
    public override string ToString() => $"{_stack}";
}
