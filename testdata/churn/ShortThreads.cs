using System;
using System.Threading;

namespace Churn;

/// Threads that begin, keep something in a local and in a thread static, and end.
static class ShortThreads
{
    const int AtOnce = 4;
    [ThreadStatic] static object[]? own;
    static int ended;

    public static int Ended => Volatile.Read(ref ended);

    public static void Run()
    {
        var threads = new Thread[AtOnce];
        for (;;)
        {
            for (int i = 0; i < AtOnce; i++) (threads[i] = new Thread(Live) { IsBackground = true }).Start();
            foreach (Thread thread in threads) thread.Join();
        }
    }

    static void Live()
    {
        own = new object[100];
        Span<object> part = own.AsSpan(10, 20);
        for (int i = 0; i < part.Length; i++) part[i] = new byte[i * 8];
        Thread.Sleep(3);
        GC.KeepAlive(part[0]);
        Interlocked.Increment(ref ended);
    }
}
