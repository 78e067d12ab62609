using Goods;

namespace Keeping;

public class Keeper
{
    private Crate _crate = Crate.Of("old", new object());
    private Crate.Lid _lid = Crate.Lid.Of(new object());
    public override string ToString() => $"{_crate} {_lid}";
}
