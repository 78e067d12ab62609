using System;

// Waits on standard input; a NativeAOT program has a garbage-collected heap, but no profiling API.
Console.WriteLine($"PID\t{Environment.ProcessId}");
Console.WriteLine("READY");
Console.In.ReadLine();
