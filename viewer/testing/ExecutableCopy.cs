using System;
using System.IO;

namespace Cairn.Testing;

/// Programs of a package that this user may read but not start: a copy that may be started.
internal static class ExecutableCopy
{
    const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute;

    public static string Of(string program, string refused)
    {
        if (!OperatingSystem.IsLinux()) throw Failure(program, refused);
        try
        {
            string folder = Directory.CreateDirectory(WorkFolder.NewFile("-program")).FullName;
            foreach (string file in Directory.GetFiles(Path.GetDirectoryName(program)!))
            {
                string copy = Path.Combine(folder, Path.GetFileName(file));
                File.Copy(file, copy);
                File.SetUnixFileMode(copy, OwnerOnly);
            }
            return Path.Combine(folder, Path.GetFileName(program));
        }
        catch (Exception problem) when (problem is IOException or UnauthorizedAccessException)
        {
            throw Failure(program, problem.Message);
        }
    }

    public static CairnCannotMeasureException Failure(string program, string why) =>
        new("testing.not_executable", $"{program} cannot be started: {why}.", $"Make it executable: chmod +x {program}");
}
