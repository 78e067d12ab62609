using System;
using System.Collections.Generic;

namespace ClrmdAnswers;

/// Semi-NCA over the reachable part of a graph, everything in preorder numbers of its search tree.
sealed class Dominators
{
    readonly Graph graph;
    readonly int[] numbers;                  // by node; -1: not reached
    readonly List<int> nodes = [], parents = [];
    readonly int[] semis, labels, ancestors;

    public Dominators(Graph graph)
    {
        this.graph = graph;
        numbers = new int[graph.Count];
        Array.Fill(numbers, -1);
        Search();
        semis = new int[nodes.Count];
        labels = new int[nodes.Count];
        ancestors = new int[nodes.Count];
        Array.Fill(ancestors, -1);
        Find();
    }

    void Search()
    {
        var waiting = new Stack<(int Node, int Next)>();
        Enter(0, 0, waiting);
        while (waiting.TryPop(out var top))
        {
            ReadOnlySpan<int> targets = graph.TargetsOf(top.Node);
            int next = top.Next;
            while (next < targets.Length && numbers[targets[next]] >= 0) ++next;
            if (next == targets.Length) continue;
            waiting.Push((top.Node, next + 1));
            Enter(targets[next], numbers[top.Node], waiting);
        }
    }

    void Enter(int node, int parent, Stack<(int, int)> waiting)
    {
        numbers[node] = nodes.Count;
        nodes.Add(node);
        parents.Add(parent);
        waiting.Push((node, 0));
    }

    void Find()
    {
        int[] starts = new int[nodes.Count + 1];
        int[] sources = Sources(starts);
        for (int w = 0; w < nodes.Count; ++w) labels[w] = semis[w] = w;
        for (int w = nodes.Count - 1; w > 0; --w)
        {
            int semi = parents[w];
            for (int i = starts[w]; i < starts[w + 1]; ++i) semi = Math.Min(semi, semis[Eval(sources[i])]);
            semis[w] = semi;
            ancestors[w] = parents[w];
        }
        for (int w = 1; w < nodes.Count; ++w)
        {
            int dominator = parents[w];
            while (dominator > semis[w]) dominator = parents[dominator];
            parents[w] = dominator;
        }
    }

    int[] Sources(int[] starts)
    {
        foreach (int node in nodes)
            foreach (int target in graph.TargetsOf(node)) ++starts[numbers[target]];
        for (int w = 1; w <= nodes.Count; ++w) starts[w] += starts[w - 1];
        int[] sources = new int[starts[nodes.Count]];
        for (int w = 0; w < nodes.Count; ++w)
            foreach (int target in graph.TargetsOf(nodes[w])) sources[--starts[numbers[target]]] = w;
        return sources;
    }

    readonly Stack<int> path = new();

    /// Of a vertex and its linked ancestors, the one with the smallest semidominator.
    int Eval(int v)
    {
        if (ancestors[v] < 0) return v;
        int above = v;
        for (; ancestors[ancestors[above]] >= 0; above = ancestors[above]) path.Push(above);
        while (path.TryPop(out int below))
        {
            int ancestor = ancestors[below];
            if (semis[labels[ancestor]] < semis[labels[below]]) labels[below] = labels[ancestor];
            ancestors[below] = ancestors[ancestor];
        }
        return labels[v];
    }

    /// Of the root: the sum over everything reachable.
    public long Retained()
    {
        long[] retained = new long[nodes.Count];
        for (int w = nodes.Count - 1; w > 0; --w)
        {
            retained[w] += graph.Sizes[nodes[w]];
            retained[parents[w]] += retained[w];
        }
        return retained[0];
    }
}
