// What `dotnet tool install` runs as `cairn`. It becomes the native program beside it: the package manager unpacks files
// so that only their owner may execute them, and a tool that root installed is for everybody.

using System.Runtime.InteropServices;

internal static unsafe partial class Program
{
    private const int SignalPipe = 13, ExecuteAccess = 1;
    private const string Loader = "/lib64/ld-linux-x86-64.so.2";

    private static int Main(string[] arguments)
    {
        string program = Path.Combine(AppContext.BaseDirectory, "cairn");
        List<byte[]> words = Words(arguments);
        signal(SignalPipe, 0); // this runtime ignores it, and what is ignored would stay so
        if (access(program, ExecuteAccess) == 0)
            Execute(program, [Bytes(program), .. words]);
        else // the loader runs what may only be read
            Execute(Loader, [Bytes(Loader), Bytes(program), .. words]);
        Console.Error.WriteLine($"cairn: {program} cannot be started: {Marshal.GetLastPInvokeErrorMessage()}");
        return 3;
    }

    // As they were given, byte by byte: a file's name need not be text.
    private static List<byte[]> Words(string[] arguments)
    {
        byte[] line = File.ReadAllBytes("/proc/self/cmdline");
        var words = new List<byte[]>();
        for (int start = 0, end; start < line.Length; start = end + 1)
        {
            end = Array.IndexOf(line, (byte)0, start);
            words.Add(line[start..(end + 1)]);
        }
        return words.GetRange(words.Count - arguments.Length, arguments.Length);
    }

    private static byte[] Bytes(string text) => [.. System.Text.Encoding.UTF8.GetBytes(text), 0];

    // Returns only where it fails.
    private static void Execute(string program, byte[][] words)
    {
        byte** pointers = stackalloc byte*[words.Length + 1];
        for (int i = 0; i < words.Length; i++)
        {
            pointers[i] = (byte*)NativeMemory.Alloc((nuint)words[i].Length);
            words[i].CopyTo(new Span<byte>(pointers[i], words[i].Length));
        }
        pointers[words.Length] = null;
        execv(program, pointers);
    }

    [LibraryImport("libc", StringMarshalling = StringMarshalling.Utf8, SetLastError = true)]
    private static partial int access(string path, int mode);

    [LibraryImport("libc", StringMarshalling = StringMarshalling.Utf8, SetLastError = true)]
    private static partial int execv(string path, byte** arguments);

    [LibraryImport("libc")]
    private static partial nint signal(int number, nint action);
}
