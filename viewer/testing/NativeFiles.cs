using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;

namespace Cairn.Testing;

/// Finds the program `cairn` that comes with this package, the collector beside it.
internal static class NativeFiles
{
    const string ProgramName = "cairn";
    const string CollectorName = "libcairn_collector.so";

    /// CAIRN_NATIVE names a folder that goes before all others.
    public const string FolderVariable = "CAIRN_NATIVE";

    public static string FindProgram()
    {
        if (!OperatingSystem.IsLinux() || RuntimeInformation.ProcessArchitecture != Architecture.X64)
            throw new CairnCannotMeasureException("testing.platform",
                $"Cairn measures processes on Linux x64 only; this is {RuntimeInformation.RuntimeIdentifier}.",
                "Run the leak tests on Linux x64, and leave them out elsewhere.");
        string[] folders = Folders().Where(folder => folder.Length > 0).Distinct().ToArray();
        string? found = folders.FirstOrDefault(folder => File.Exists(Path.Combine(folder, ProgramName)) &&
                                                         File.Exists(Path.Combine(folder, CollectorName)));
        if (found != null) return Path.Combine(found, ProgramName);
        throw new CairnCannotMeasureException("testing.no_program",
            $"{ProgramName} and {CollectorName} are in none of these folders: {string.Join(", ", folders)}.",
            $"They belong to the package Cairn.Testing (runtimes/linux-x64/native); {FolderVariable} may name another folder.");
    }

    static IEnumerable<string> Folders()
    {
        yield return Environment.GetEnvironmentVariable(FolderVariable) ?? "";
        string native = (string?)AppContext.GetData("NATIVE_DLL_SEARCH_DIRECTORIES") ?? "";
        foreach (string folder in native.Split(':', StringSplitOptions.RemoveEmptyEntries)) yield return folder;
        foreach (string place in new[] { AppContext.BaseDirectory, AssemblyFolder() })
        {
            yield return Path.Combine(place, "runtimes", "linux-x64", "native");
            yield return place;
        }
    }

    static string AssemblyFolder()
    {
        string location = typeof(NativeFiles).Assembly.Location;
        return location.Length > 0 ? Path.GetDirectoryName(location) ?? "" : "";
    }
}
