using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Reflection;

namespace Cairn.Testing;

/// Whose locals hold nothing, as far as an assertion goes: those of tests, of the test host, of the thread pool. How
/// long a local lives is the compiler's choice, not the program's. Threads that the application started do count.
internal static class TestThreads
{
    static readonly string[] hostFrames =
    [
        "Xunit.*", "NUnit.*", "TUnit.*", "Microsoft.VisualStudio.TestPlatform.*", "Microsoft.VisualStudio.TestTools.*",
        "Microsoft.Testing.*", "Cairn.Testing.*",
    ];
    static readonly string[] poolFrames = ["System.Threading.ThreadPoolWorkQueue.Dispatch", "System.Threading.PortableThreadPool+*"];

    /// The options that say so to the command line; of the calling thread, and of the assembly of the test that it runs.
    public static List<string> Options()
    {
        var options = new List<string> { "--ignore-locals", $"thread={Environment.CurrentManagedThreadId}" };
        foreach (string frame in hostFrames.Concat(poolFrames).Concat(TestFrames()))
        {
            options.Add("--ignore-locals");
            options.Add($"frame={frame}");
        }
        return options;
    }

    // Threads that a test has started, or that wait for one: some frame of theirs is code of the test assembly, which
    // is whoever calls this package.
    static IEnumerable<string> TestFrames()
    {
        IEnumerable<Type> types = CallingAssemblies().Where(IsOfTests).SelectMany(assembly => assembly.GetTypes());
        return types.Where(type => !type.IsNested).Select(TypeName.Of).SelectMany(name => new[] { name + ".*", name + "+*" });
    }

    static IEnumerable<Assembly> CallingAssemblies() =>
        new StackTrace(fNeedFileInfo: false).GetFrames().Select(frame => frame.GetMethod()?.Module.Assembly).OfType<Assembly>().Distinct();

    static bool IsOfTests(Assembly assembly) =>
        !assembly.IsDynamic && assembly.GetReferencedAssemblies().Any(name => name.Name == typeof(TestThreads).Assembly.GetName().Name);
}
