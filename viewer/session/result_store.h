#pragma once
// What a session keeps in the user's cache, and takes from there: one result after the other, written behind the
// user's back. Whatever goes wrong, results are computed as if there were no cache. When nobody asks any more, what was
// kept is read from its file from then on, and its memory goes back to the system. Thread rule: every method from any
// thread. Ownership: what is to be kept outlives the store.

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "snapshot-format/file/side_cache.h"
#include "viewer/analysis/saved_arrays.h"

namespace cairn::session {

struct CacheOptions {
  std::string folder;                       // empty: nothing is kept, nothing is taken
  uint64_t max_bytes = uint64_t{16} << 30;  // of all snapshots together
  uint64_t from_objects = 200'000;          // smaller snapshots are computed faster than looked up
  const std::atomic<bool>* stop = nullptr;  // set: what is not written yet is dropped
  // How many requests are being answered. Null: nobody counts, and only a long silence tells that there is none.
  std::shared_ptr<const std::atomic<unsigned>> asked;
};

// What a caller may want to know. Called from any thread.
struct CacheEvents {
  std::function<void(const std::string&)> note;  // a sentence: taken from where, or why not
  std::function<void()> waiting;                 // the session ends, and waits until everything is written
};

class ResultStore {
 public:
  // `file` is how the snapshot's file was found before it was opened.
  ResultStore(std::string path, std::string snapshot_id, std::optional<snapshot::FileIdentity> file,
              CacheOptions options, unsigned threads);
  ~ResultStore();

  void SetEvents(CacheEvents events);

  // from_saved(ArrayTaker) gives std::optional<T>: nothing where the arrays do not fit.
  template <class T>
  std::optional<T> Find(const char* name, const std::function<std::optional<T>(analysis::ArrayTaker)>& from_saved) {
    const auto kept = Load(name);
    if (!kept) return std::nullopt;
    std::optional<T> found = from_saved(analysis::ArrayTaker(kept->Arrays(), kept));
    if (found) LetGoLater(kept);
    Note(std::string(found ? "taken from the cache: " : "does not fit, computed anew: ") + name);
    return found;
  }
  // `save` adds the arrays; called later, on another thread.
  void Keep(const char* name, std::function<void(analysis::ArrayList&)> save);
  // While it lives, something is computed, which reads other results all over: they stay in memory.
  std::shared_ptr<void> Computing();

 private:
  struct Job {
    std::string name;
    std::function<void(analysis::ArrayList&)> save;
  };

  std::shared_ptr<const snapshot::KeptResult> Load(const char* name);
  std::optional<snapshot::ContentKey> Key();
  void WriteAll();
  bool Write(const Job& job);
  bool IsQuiet();
  // With mutex_ held.
  void StartThread();
  void LetGoLater(std::shared_ptr<const snapshot::KeptResult> taken);
  void LeaveToFiles();
  void LeaveToFile(const Job& job);
  bool Stopped() const { return options_.stop && *options_.stop; }
  void Note(const std::string& sentence);

  const std::string path_, snapshot_id_;
  const std::optional<snapshot::FileIdentity> file_;
  const CacheOptions options_;
  const unsigned threads_;
  const snapshot::SideCache cache_;

  std::mutex key_mutex_;
  std::optional<std::optional<snapshot::ContentKey>> key_;  // once it is known, or known not to be

  std::mutex mutex_;
  std::condition_variable changed_;
  CacheEvents events_;
  std::deque<Job> jobs_;
  bool has_kept_ = false;                                           // there was something to be written
  std::vector<Job> written_;                                        // what still lies in memory of its own
  std::vector<std::shared_ptr<const snapshot::KeptResult>> taken_;  // what was read whole, to be checked
  std::atomic<unsigned> computing_{0};
  unsigned idle_looks_ = 0, unasked_looks_ = 0;  // one after the other, by the writer
  bool ending_ = false;
  std::thread writer_;  // started with the first that is kept or taken
};

}  // namespace cairn::session
