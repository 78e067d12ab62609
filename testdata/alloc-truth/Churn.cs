using System;
using System.Collections.Generic;

namespace AllocTruth;

/// What lies between two objects that stay comes and goes.
static class Churn
{
    static readonly Queue<object> recent = new();

    public static void Collect(int times)
    {
        for (int i = 0; i < times; i++)
        {
            for (int k = 0; k < 2_000; k++)
            {
                recent.Enqueue(new byte[k % 200]);
                if (recent.Count > 5_000) recent.Dequeue();
            }
            GC.Collect(i % 3, i % 3 == 2 && i % 2 == 0 ? GCCollectionMode.Optimized : GCCollectionMode.Forced, blocking: i % 2 == 0);
        }
    }
}
