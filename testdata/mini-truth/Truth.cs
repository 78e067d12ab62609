using System;
using System.Collections.Generic;
using System.IO;

namespace MiniTruth
{
    /// What was planted, as it will be printed, in the form that heap-truth has. Every plant adds its own lines, so that
    /// the sum per type is exact. Sizes are what an object occupies: header, method table, fields; at least three words;
    /// rounded up to a word, in the heap of large objects always to 8. A word has 8 bytes, in 32-bit processes 4.
    sealed class Truth
    {
        readonly SortedDictionary<string, long[]> types = new SortedDictionary<string, long[]>(StringComparer.Ordinal);
        readonly List<string> other = new List<string>();

        public static readonly int Word = IntPtr.Size;
        const long FirstLarge = 85000;

        public static long Object(long fieldBytes) { return Up(Math.Max(3 * Word, 2 * Word + fieldBytes)); }
        /// A one-dimensional array from zero: header, method table, length padded to a word, elements.
        public static long Array(long length, int element) { return Up(3 * Word + length * element); }
        /// Any other array: as above and a length and a lower bound, 4 bytes each, per dimension.
        public static long Matrix(int rank, long length, int element) { return Up(3 * Word + 8L * rank + length * element); }
        /// Its length has 4 bytes, and a 0 follows the text.
        public static long String(int length) { return Up(2 * Word + 4 + 2 + 2L * length); }
        static long Up(long bytes)
        {
            long mask = bytes >= FirstLarge ? 7 : Word - 1;
            return (bytes + mask) & ~mask;
        }

        /// `count` objects of `type`, of `bytesEach`, holding `references` non-null slots between them.
        public void Plant(string type, long count, long bytesEach, long references = 0)
        {
            long[] sums;
            if (!types.TryGetValue(type, out sums)) types[type] = sums = new long[3];
            sums[0] += count;
            sums[1] += count * bytesEach;
            sums[2] += references;
        }

        public void Root(string kind, string name, string type, long count = 1)
        {
            other.Add($"TRUTH-ROOT\t{kind}\t{name}\t{type}\t{count}");
        }

        public void Dependent(string primary, string secondary, long count)
        {
            other.Add($"TRUTH-DEPENDENT\t{primary}\t{secondary}\t{count}");
        }

        /// So many equal strings, of so many bytes each.
        public void Twins(string text, long count, long bytesEach) { other.Add($"TRUTH-TWINS\t{text}\t{count}\t{bytesEach}"); }

        public void Print(TextWriter output)
        {
            foreach (KeyValuePair<string, long[]> type in types)
            {
                output.WriteLine($"TRUTH-COUNT\t{type.Key}\t{type.Value[0]}\t{type.Value[1]}");
                output.WriteLine($"TRUTH-REFERENCES\t{type.Key}\t{type.Value[2]}");
            }
            foreach (string line in other) output.WriteLine(line);
        }
    }
}
