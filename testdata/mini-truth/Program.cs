using System;
using System.Diagnostics;
using System.Runtime;
using System.Threading;

namespace MiniTruth
{
    /// mini-truth [idle]: ../README.md describes output and commands.
    static class Program
    {
        static long requests;
        static byte[] latest;

        static int Main(string[] args)
        {
            var truth = new Truth();
            Plants.Build(truth);
            for (int i = 0; i < 3; i++) FullCollection();
            if (args.Length == 0 || args[0] != "idle") new Thread(Work) { IsBackground = true, Name = "work" }.Start();
            Console.WriteLine($"PID\t{Process.GetCurrentProcess().Id}");
            Console.WriteLine($"CONFIG\tserverGC\t{GCSettings.IsServerGC}");
            truth.Print(Console.Out);
            Console.WriteLine("READY");
            Console.Out.Flush();
            return Obey();
        }

        static void FullCollection()
        {
            GC.Collect(2, GCCollectionMode.Forced, true, true);
            GC.WaitForPendingFinalizers();
        }

        /// About 6 MB a second, so that young collections of its own come about.
        static void Work()
        {
            for (;;)
            {
                for (int i = 0; i < 64; i++) latest = new byte[1000];
                Interlocked.Increment(ref requests);
                Thread.Sleep(10);
            }
        }

        static int Obey()
        {
            string line;
            while ((line = Console.In.ReadLine()) != null)
            {
                if (line == "quit") return 0;
                if (line == "gc") FullCollection();
                if (line == "fill") Fill();
                Console.WriteLine(line == "stats" ? $"{{\"requests\":{Interlocked.Read(ref requests)}}}" : "OK " + line);
                Console.Out.Flush();
            }
            return 0;
        }

        /// 512 MB of garbage: more than the youngest generation holds anywhere.
        static void Fill()
        {
            for (int i = 0; i < 512 * 1024; i++) latest = new byte[1000];
        }
    }
}
