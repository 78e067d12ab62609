using System.Collections.Generic;
using System.Threading.Tasks;

namespace Leaks.App;

public sealed class Upload
{
    public bool IsConfirmed { get; set; }
}

/// An async method that waits for what never comes keeps all its variables.
public static class UploadService
{
    static readonly List<TaskCompletionSource> unconfirmed = new();

#if UNRELATED_EDIT
    public static async Task AnotherAsync() => await Task.Yield();
#endif

    public static async Task SendAsync()
    {
        var upload = new Upload();
        var confirmation = new TaskCompletionSource();
        unconfirmed.Add(confirmation);
        await confirmation.Task;
        unconfirmed.Remove(confirmation);
        upload.IsConfirmed = true;
    }

    /// On the caller's thread, to the end.
    public static void Confirm()
    {
        foreach (TaskCompletionSource confirmation in unconfirmed.ToArray()) confirmation.SetResult();
    }
}
