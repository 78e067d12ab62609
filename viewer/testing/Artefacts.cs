using System;
using System.IO;
using System.Linq;

namespace Cairn.Testing;

/// Snapshots of failures, kept for a build server to collect.
internal static class Artefacts
{
    /// CAIRN_ARTIFACTS names the folder; else it is `cairn-leaks` beside the tests.
    public const string FolderVariable = "CAIRN_ARTIFACTS";
    const int LongestName = 60;

    public static string Take(string file, string name)
    {
        string folder = Environment.GetEnvironmentVariable(FolderVariable) is { Length: > 0 } given
            ? given
            : Path.Combine(AppContext.BaseDirectory, "cairn-leaks");
        Directory.CreateDirectory(folder);
        string stem = $"{AsFileName(name)}-{DateTime.Now:yyyyMMdd_HHmmss}-{Environment.ProcessId}";
        for (int number = 0; ; number++)
        {
            string target = Path.GetFullPath(Path.Combine(folder, number == 0 ? $"{stem}.cairn" : $"{stem}-{number}.cairn"));
            try
            {
                File.Move(file, target, overwrite: false);
                return target;
            }
            catch (IOException) when (File.Exists(target))
            {
            }
        }
    }

    static string AsFileName(string name)
    {
        string plain = string.Concat(name.Select(c => char.IsAsciiLetterOrDigit(c) || c == '.' ? c : '_'));
        return plain.Length > LongestName ? plain[..LongestName] : plain;
    }
}
