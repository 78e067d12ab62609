#include "viewer/session/result_store.h"

#include <exception>
#include <system_error>

namespace cairn::session {
namespace {

const std::atomic<bool> kNever{false};

}  // namespace

ResultStore::ResultStore(std::string path, std::string snapshot_id, std::optional<snapshot::FileIdentity> file,
                         CacheOptions options, unsigned threads)
    : path_(std::move(path)),
      snapshot_id_(std::move(snapshot_id)),
      file_(std::move(file)),
      options_(std::move(options)),
      threads_(threads),
      cache_({options_.folder, options_.max_bytes}) {}

ResultStore::~ResultStore() {
  if (!writer_.joinable()) return;
  if (events_.waiting) events_.waiting();
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  writer_.join();
}

void ResultStore::SetEvents(CacheEvents events) {
  const std::lock_guard lock(mutex_);
  events_ = std::move(events);
}

void ResultStore::Note(const std::string& sentence) {
  const std::lock_guard lock(mutex_);
  if (events_.note) events_.note(sentence);
}

// Reads the whole snapshot; only once something is there to be found or to be kept.
std::optional<snapshot::ContentKey> ResultStore::Key() {
  const std::lock_guard lock(key_mutex_);
  if (!key_) {
    key_.emplace();
    if (file_) {
      auto key = snapshot::ContentKeyOf(path_, snapshot_id_, *file_, threads_);
      if (key) key_->emplace(std::move(*key));
      if (!key) Note("nothing is cached: " + key.error().message);
    }
  }
  return *key_;
}

std::shared_ptr<const snapshot::KeptResult> ResultStore::Load(const char* name) {
  if (!cache_.MayHave(snapshot_id_)) return nullptr;
  const auto key = Key();
  if (!key) return nullptr;
  auto kept = cache_.Load(*key, {name, analysis::kSavedVersion}, threads_);
  if (kept) return *kept;
  if (kept.error().code != "cache.missing") Note("not taken from the cache: " + kept.error().message);
  return nullptr;
}

void ResultStore::Keep(const char* name, std::function<void(analysis::ArrayList&)> save) {
  const std::lock_guard lock(mutex_);
  jobs_.push_back({name, std::move(save)});
  changed_.notify_all();
  if (writer_.joinable()) return;
  try {
    writer_ = std::thread([this] { WriteAll(); });
  } catch (const std::system_error&) {
    jobs_.clear();  // no thread, no cache
  }
}

void ResultStore::WriteAll() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return !jobs_.empty() || ending_; });
    if (jobs_.empty()) return;
    const Job job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    if (!Stopped()) Write(job);
    lock.lock();
  }
}

// The edge of the thread: nothing may be thrown past it.
void ResultStore::Write(const Job& job) try {
  const auto key = Key();
  if (!key) return;
  analysis::ArrayList arrays;
  job.save(arrays);
  const auto& stop = options_.stop ? *options_.stop : kNever;
  const Status stored = cache_.Store(*key, {job.name, analysis::kSavedVersion}, arrays.Arrays(), stop);
  Note(stored ? "kept in the cache: " + job.name : "not kept in the cache: " + stored.error().message);
} catch (const std::exception& e) {
  Note("not kept in the cache: " + job.name + ": " + e.what());
}

}  // namespace cairn::session
