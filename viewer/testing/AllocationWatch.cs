using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Threading;

namespace Cairn.Testing;

/// One run of `cairn watch --allocations --on-line` on this process: it follows sampled allocations from its first
/// snapshot on, and takes another for each line. It leaves the process when it is disposed, or with the process.
internal sealed class AllocationWatch : IDisposable
{
    static readonly TimeSpan leavesWithin = TimeSpan.FromSeconds(30);
    readonly string folder = WorkFolder.NewFolder();
    readonly Process process;
    readonly Thread reader;
    readonly Queue<string> said = new();  // the last lines on its standard error
    int complete = -1;  // the column that says whether a snapshot is

    /// Behind this, TakeFirst is due.
    public AllocationWatch()
    {
        string[] arguments = ["watch", Environment.ProcessId.ToString(CultureInfo.InvariantCulture), "--allocations", "--on-line",
                              "--strings", "none", "-o", folder, "--csv"];
        process = CairnProgram.Start(arguments, hasInput: true);
        reader = new Thread(ReadErrors) { IsBackground = true, Name = "cairn errors" };
        reader.Start();
        AppDomain.CurrentDomain.ProcessExit += Leave;
    }

    /// The snapshot from which on allocations are followed.
    public string TakeFirst()
    {
        complete = Array.IndexOf(ReadLine().Split(','), "complete");
        if (complete < 0) throw new IOException("cairn watch does not say whether a snapshot is complete");
        return Taken(ReadLine());
    }

    public string Take()
    {
        process.StandardInput.WriteLine();
        process.StandardInput.Flush();
        return Taken(ReadLine());
    }

    // What stands before this column has no commas.
    string Taken(string row)
    {
        string[] files = Directory.GetFiles(folder, "*.cairn");
        if (files.Length != 1) throw new IOException($"cairn watch reported one snapshot, and {files.Length} are there");
        string kept = WorkFolder.NewFile(".cairn");
        File.Move(files[0], kept);
        string[] fields = row.Split(',');
        if (fields.Length <= complete) throw new IOException($"cairn watch reported '{row}'");
        if (fields[complete] != "true") throw new IOException("a snapshot was incomplete");
        return kept;
    }

    string ReadLine() => process.StandardOutput.ReadLine() ?? throw new IOException(WhyEnded());

    string WhyEnded()
    {
        process.WaitForExit();
        reader.Join();
        lock (said) return said.Count == 0 ? $"cairn watch ended with {process.ExitCode}" : string.Join(" ", said);
    }

    void ReadErrors()
    {
        const int MostLines = 2;  // what went wrong, and what to do about it
        while (process.StandardError.ReadLine() is { } line)
            lock (said)
            {
                said.Enqueue(line.Trim());
                if (said.Count > MostLines) said.Dequeue();
            }
    }

    void Leave(object? sender, EventArgs why) => EndInput();

    void EndInput()
    {
        try
        {
            process.StandardInput.Close();
        }
        catch (IOException)
        {
            // It is gone already.
        }
    }

    public void Dispose()
    {
        AppDomain.CurrentDomain.ProcessExit -= Leave;
        EndInput();
        if (!process.WaitForExit(leavesWithin)) process.Kill();
        process.WaitForExit();
        reader.Join();
        process.Dispose();
        WorkFolder.DeleteFolder(folder);
    }
}
