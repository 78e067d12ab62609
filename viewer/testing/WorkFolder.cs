using System;
using System.IO;
using System.Threading;

namespace Cairn.Testing;

/// Where snapshots lie while they are needed: a private folder that goes with the process.
internal static class WorkFolder
{
    static readonly Lazy<string> folder = new(Create);
    static int last;

    public static string Path => folder.Value;

    public static string NewFile(string ending) =>
        System.IO.Path.Combine(Path, $"{Interlocked.Increment(ref last)}{ending}");

    public static string NewFolder() => Directory.CreateDirectory(NewFile("")).FullName;

    public static void Delete(string file)
    {
        try
        {
            File.Delete(file);
        }
        catch (IOException)
        {
            // It goes with the folder.
        }
    }

    public static void DeleteFolder(string folder)
    {
        try
        {
            Directory.Delete(folder, recursive: true);
        }
        catch (IOException)
        {
            // Somebody looks into it; the system clears its temporary folder.
        }
    }

    static string Create()
    {
        string path = Directory.CreateTempSubdirectory("cairn-testing-").FullName;
        AppDomain.CurrentDomain.ProcessExit += (_, _) => DeleteFolder(path);
        return path;
    }
}
