using System;
using System.Runtime.CompilerServices;
using HeapTruth.Planted;

namespace HeapTruth;

static class ArrayPlants
{
    const string Ns = "HeapTruth.Planted.";

    public static void Build(Truth truth)
    {
        Structs(truth);
        Matrices(truth);
        ArraysOfArrays(truth);
        Sparse(truth);
        Dense(truth);
        Small(truth);
    }

    /// A node of its own; the caller's slot makes it one reference.
    public static Node NewNode(Truth truth)
    {
        truth.Plant(Ns + "Node", 1, Truth.Object(16));
        return new Node();
    }

    static void Structs(Truth truth)
    {
        var slots = Kept.Keep(new Slot[3_000]);
        for (int i = 0; i < 1_000; i++) slots[i * 3] = new Slot { Key = "key", Hash = i, Value = NewNode(truth) };
        truth.Plant(Ns + "Slot[]", 1, Truth.Array(3_000, 24), 2 * 1_000);

        var nested = Kept.Keep(new NestedSlot[700]);
        for (int i = 0; i < 700; i++)
            nested[i] = new NestedSlot { Id = i, Name = "name", Inner = new Slot { Value = NewNode(truth) } };
        truth.Plant(Ns + "NestedSlot[]", 1, Truth.Array(700, Unsafe.SizeOf<NestedSlot>()), 2 * 700);
    }

    static void Matrices(Truth truth)
    {
        var plane = Kept.Keep(new MatrixNode[17, 19]);
        for (int i = 0; i < 17; i++) plane[i, i] = new MatrixNode();
        truth.Plant(Ns + "MatrixNode[,]", 1, Truth.Matrix(2, 17 * 19, 8), 17);

        var cube = Kept.Keep(new MatrixNode[3, 4, 5]);
        foreach (int i in new[] { 0, 1, 2 }) cube[i, 3, 4] = new MatrixNode();
        truth.Plant(Ns + "MatrixNode[,,]", 1, Truth.Matrix(3, 3 * 4 * 5, 8), 3);
        truth.Plant(Ns + "MatrixNode", 17 + 3, Truth.Object(4));

        var slots = Kept.Keep(new Slot[5, 7]);
        for (int i = 0; i < 5; i++) slots[i, 6] = new Slot { Key = "key", Value = NewNode(truth) };
        truth.Plant(Ns + "Slot[,]", 1, Truth.Matrix(2, 5 * 7, 24), 2 * 5);

        Kept.Keep(new Voxel[3, 5, 7]);
        truth.Plant(Ns + "Voxel[,,]", 1, Truth.Matrix(3, 3 * 5 * 7, 6));

        // From a lower bound: not the vector type, but an array of rank 1 with bounds.
        var bounded = Kept.Keep(Array.CreateInstance(typeof(Slot), new[] { 9 }, new[] { -4 }));
        bounded.SetValue(new Slot { Key = "key" }, -4);
        truth.Plant(Ns + "Slot[*]", 1, Truth.Matrix(1, 9, 24), 1);
    }

    static void ArraysOfArrays(Truth truth)
    {
        var jagged = Kept.Keep(new Voxel[11][]);
        for (int i = 0; i < 11; i++) jagged[i] = new Voxel[i + 1];
        truth.Plant(Ns + "Voxel[][]", 1, Truth.Array(11, 8), 11);
        for (int i = 0; i < 11; i++) truth.Plant(Ns + "Voxel[]", 1, Truth.Array(i + 1, 6));

        var planes = Kept.Keep(new Voxel[4][,]);
        planes[1] = new Voxel[2, 2];
        truth.Plant(Ns + "Voxel[,][]", 1, Truth.Array(4, 8), 1);   // a vector of planes; C# writes Voxel[][,]
        truth.Plant(Ns + "Voxel[,]", 1, Truth.Matrix(2, 4, 6));
    }

    static void Sparse(Truth truth)
    {
        var sparse = Kept.Keep(new SparseNode?[3_000_000]);
        for (int i = 0; i < 37; i++) sparse[i * 81_071] = new SparseNode();   // 36 * 81,071 = 2,918,556
        truth.Plant(Ns + "SparseNode[]", 1, Truth.Array(3_000_000, 8), 37);
        truth.Plant(Ns + "SparseNode", 37, Truth.Object(8));
    }

    /// More slots than one chunk of a snapshot holds, none of them null.
    static void Dense(Truth truth)
    {
        var shared = NewNode(truth);
        var dense = Kept.Keep(new DenseSlot[200_000]);
        for (int i = 0; i < dense.Length; i++) dense[i] = new DenseSlot { A = shared, B = (i & 1) == 0 ? shared : NewNode(truth) };
        truth.Plant(Ns + "DenseSlot[]", 1, Truth.Array(200_000, 16), 400_000);
    }

    static void Small(Truth truth)
    {
        for (int i = 0; i < 5; i++) Kept.Keep(new EmptyCell[0]);
        truth.Plant(Ns + "EmptyCell[]", 5, Truth.Array(0, 8));
        for (int i = 0; i < 10; i++) Kept.Keep(new Odd[101]);
        truth.Plant(Ns + "Odd[]", 10, Truth.Array(101, 1));   // 125, occupies 128
    }
}
