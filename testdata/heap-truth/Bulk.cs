using HeapTruth.Ledger;

namespace HeapTruth.Ledger
{
    sealed class Account { public Account? Parent; public string Name; public Posting? First; public Posting[] Recent; public double Balance; public long Id; }
    sealed class Posting { public Posting? Next; public Account Owner; public object Note; public double Amount; }
    struct Cents { public long Value; }
}

namespace HeapTruth
{
    /// A ledger of any size: 15 objects and 600 bytes an account, so 40 bytes an object.
    static class Bulk
    {
        public const int ObjectsPerAccount = 3 + 2 * Postings;
        const int Postings = 6;
        public static Account[] Accounts = new Account[1];

        public static void Build(Truth truth, long accounts)
        {
            Accounts = new Account[System.Math.Max(1, accounts)];
            uint random = 2_463_534_242;
            for (int i = 0; i < Accounts.Length; i++)
            {
                random = random * 1_664_525 + 1_013_904_223;
                Accounts[i] = NewAccount(i, i == 0 ? null : Accounts[(int)(random % (uint)i)]);
            }
            Count(truth, Accounts.Length);
        }

        static Account NewAccount(int id, Account? parent)
        {
            var account = new Account { Id = id, Parent = parent, Name = $"acct-{id:D8}", Recent = new Posting[4] };
            for (int i = 0; i < Postings; i++)
            {
                account.First = new Posting { Next = account.First, Owner = account, Note = new Cents { Value = i }, Amount = i };
                if (i < 4) account.Recent[i] = account.First;
            }
            return account;
        }

        static void Count(Truth truth, long n)
        {
            truth.Plant("HeapTruth.Ledger.Account[]", 1, Truth.Array(n, 8), n);
            truth.Plant("HeapTruth.Ledger.Account", n, Truth.Object(48), 4 * n - 1);   // the first has no parent
            truth.Plant("HeapTruth.Ledger.Posting[]", n, Truth.Array(4, 8), 4 * n);
            truth.Plant("HeapTruth.Ledger.Posting", n * Postings, Truth.Object(32), n * (3 * Postings - 1));
            truth.Plant("HeapTruth.Ledger.Cents", n * Postings, Truth.Object(8));
        }
    }
}
