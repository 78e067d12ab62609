using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Diagnostics;
using System.IO;
using System.Text.Json;
using System.Threading;

namespace Cairn.Testing;

/// One run of the command line `cairn … --json`: the only way by which this package learns anything.
[StackTraceHidden]
internal static class CairnProgram
{
    const int LeakFound = 1, WrongUsage = 2, Incomplete = 4;
    static volatile string? startable;  // a copy, where the package's own file may not be started

    /// The document that it prints, whether it says "leak" or not. Everything else is an exception.
    public static JsonElement Run(IReadOnlyList<string> arguments)
    {
        (int code, string output, string errors) = Finish([.. arguments, "--json"]);
        JsonElement document = Parse(arguments, code, output, errors);
        if (document.TryGetProperty("error", out JsonElement error)) throw Failure(code, error);
        if (code == Incomplete || !IsComplete(document)) throw IncompleteSnapshot(document);
        if (code != 0 && code != LeakFound)
            throw new CairnCannotMeasureException("testing.exit_code", $"cairn {arguments[0]} ended with {code}. {errors.Trim()}");
        return document;
    }

    static (int Code, string Output, string Errors) Finish(IReadOnlyList<string> arguments)
    {
        using Process process = Start(arguments);
        string errors = "";
        // A thread of its own: the pool may be busy with the very tests that wait for this.
        var reader = new Thread(() => errors = process.StandardError.ReadToEnd()) { IsBackground = true, Name = "cairn errors" };
        reader.Start();
        string output = process.StandardOutput.ReadToEnd();
        reader.Join();
        process.WaitForExit();
        return (process.ExitCode, output, errors);
    }

    /// Its output is to be read; where it is asked for by lines, `hasInput`.
    public static Process Start(IReadOnlyList<string> arguments, bool hasInput = false) =>
        Start(NativeFiles.FindProgram(), arguments, hasInput);

    static Process Start(string program, IReadOnlyList<string> arguments, bool hasInput)
    {
        try
        {
            return Process.Start(StartInfo(startable ?? program, arguments, hasInput))!;
        }
        catch (Win32Exception refused) when (startable == null)
        {
            // What a package manager unpacks is executable for its owner only, if at all.
            startable = ExecutableCopy.Of(program, refused.Message);
            return Start(program, arguments, hasInput);
        }
        catch (Win32Exception refused)
        {
            throw ExecutableCopy.Failure(program, refused.Message);
        }
    }

    static ProcessStartInfo StartInfo(string program, IReadOnlyList<string> arguments, bool hasInput)
    {
        var info = new ProcessStartInfo(program)
        {
            RedirectStandardInput = hasInput, RedirectStandardOutput = true, RedirectStandardError = true, UseShellExecute = false,
        };
        foreach (string argument in arguments) info.ArgumentList.Add(argument);
        // Each snapshot is read once or twice, and thrown away.
        info.Environment["CAIRN_CACHE"] = "off";
        return info;
    }

    static JsonElement Parse(IReadOnlyList<string> arguments, int code, string output, string errors)
    {
        try
        {
            using JsonDocument document = JsonDocument.Parse(output);
            return document.RootElement.Clone();
        }
        catch (JsonException)
        {
            throw new CairnCannotMeasureException("testing.no_document",
                $"cairn {arguments[0]} ended with {code} and printed no document. {errors.Trim()}");
        }
    }

    static Exception Failure(int code, JsonElement error)
    {
        string name = error.Text("code"), message = error.Text("message"), hint = error.Text("hint");
        if (code == WrongUsage && name.StartsWith("usage.", StringComparison.Ordinal) && name.EndsWith("pattern", StringComparison.Ordinal))
            return new ArgumentException($"{message} {hint}".Trim(), "filter");
        return new CairnCannotMeasureException(name, message, hint);
    }

    static bool IsComplete(JsonElement document) =>
        !document.TryGetProperty("complete", out JsonElement complete) || complete.ValueKind == JsonValueKind.True;

    static CairnCannotMeasureException IncompleteSnapshot(JsonElement document)
    {
        var reasons = new List<string>();
        foreach (JsonElement problem in document.Elements("problems")) reasons.Add(problem.Text("message"));
        return new CairnCannotMeasureException("testing.incomplete",
            $"The snapshot does not hold the whole heap. {string.Join(" ", reasons)}".Trim());
    }
}
