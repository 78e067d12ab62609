namespace AllocTruth;

/// Allocates objects of one type, from one method.
abstract class Maker
{
    /// As Cairn names them; the method's name begins so.
    protected abstract string Type { get; }
    protected abstract string Method { get; }
    /// Of one object, as the heap has it.
    protected abstract int Bytes { get; }
    protected abstract object Make();
    /// Of what each maker is asked for.
    protected virtual double Share => 1;

    long made;
    object? latest;

    public void MakeMany(long bytes)
    {
        for (long left = (long)(bytes * Share); left > 0; left -= Bytes, made++) latest = Make();
    }

    public string Truth() => $"TRUTH-ALLOCATED\t{Type}\t{Method}\t{made}\t{made * Bytes}";
}
