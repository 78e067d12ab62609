using System.Runtime.CompilerServices;
using Goods;

[assembly: TypeForwardedTo(typeof(Crate))]
[assembly: TypeForwardedTo(typeof(Pallet))]
