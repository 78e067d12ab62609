#include "viewer/session/result_store.h"

#include <chrono>
#include <exception>
#include <system_error>
#include <utility>

#include "viewer/analysis/file_backing.h"

namespace cairn::session {
namespace {

const std::atomic<bool> kNever{false};
constexpr std::chrono::milliseconds kBetweenLooks{250};
constexpr unsigned kIdleLooks = 20;    // longer than what is computed from results, and not kept, takes
constexpr unsigned kUnaskedLooks = 2;  // one request may follow the other

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
  if (events_.waiting && has_kept_) events_.waiting();
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
  has_kept_ = true;
  jobs_.push_back({name, std::move(save)});
  StartThread();
}

void ResultStore::LetGoLater(std::shared_ptr<const snapshot::KeptResult> taken) {
  const std::lock_guard lock(mutex_);
  taken_.push_back(std::move(taken));
  StartThread();
}

void ResultStore::StartThread() {
  changed_.notify_all();
  if (writer_.joinable()) return;
  try {
    writer_ = std::thread([this] { WriteAll(); });
  } catch (const std::system_error&) {
    jobs_.clear();  // no thread, no cache
  }
}

std::shared_ptr<void> ResultStore::Computing() {
  ++computing_;
  return {nullptr, [this](void*) { --computing_; }};
}

// At each look. What is computed reads results all over, and so does what somebody asks for.
bool ResultStore::IsQuiet() {
  idle_looks_ = computing_ == 0 ? idle_looks_ + 1 : 0;
  unasked_looks_ = options_.asked && *options_.asked == 0 ? unasked_looks_ + 1 : 0;
  return idle_looks_ >= kIdleLooks || unasked_looks_ >= kUnaskedLooks;
}

void ResultStore::WriteAll() {
  std::unique_lock lock(mutex_);
  const auto is_called = [&] { return !jobs_.empty() || ending_; };
  while (true) {
    changed_.wait(lock, [&] { return is_called() || !written_.empty() || !taken_.empty(); });
    if (!changed_.wait_for(lock, kBetweenLooks, is_called)) {
      lock.unlock();
      if (IsQuiet()) LeaveToFiles();
      lock.lock();
      continue;
    }
    idle_looks_ = unasked_looks_ = 0;
    if (jobs_.empty()) return;
    Job job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    const bool is_written = !Stopped() && Write(job);
    lock.lock();
    if (is_written) written_.push_back(std::move(job));
  }
}

// The edge of the thread: nothing may be thrown past it.
bool ResultStore::Write(const Job& job) try {
  const auto key = Key();
  if (!key) return false;
  analysis::ArrayList arrays;
  job.save(arrays);
  const auto& stop = options_.stop ? *options_.stop : kNever;
  const Status stored = cache_.Store(*key, {job.name, analysis::kSavedVersion}, arrays.Arrays(), stop);
  Note(stored ? "kept in the cache: " + job.name : "not kept in the cache: " + stored.error().message);
  return stored.has_value();
} catch (const std::exception& e) {
  Note("not kept in the cache: " + job.name + ": " + e.what());
  return false;
}

void ResultStore::LeaveToFiles() {
  std::unique_lock lock(mutex_);
  const auto written = std::exchange(written_, {});
  const auto taken = std::exchange(taken_, {});
  lock.unlock();
  for (const Job& job : written) LeaveToFile(job);
  for (const auto& result : taken)
    for (const analysis::Bytes& array : result->Arrays()) analysis::memory::LetGo(array);
  analysis::memory::GiveBack();
}

// At the edge, too; what cannot be read again stays in memory.
void ResultStore::LeaveToFile(const Job& job) try {
  const auto kept = Load(job.name.c_str());
  if (!kept) return;
  analysis::ArrayList arrays;
  job.save(arrays);
  if (arrays.Arrays().size() != kept->Arrays().size()) return;
  bool any = false;
  for (const size_t i : arrays.Flat()) any |= analysis::memory::LieOverFile(arrays.Arrays()[i], kept->Arrays()[i]);
  if (any) Note("left to its file: " + job.name);
} catch (const std::exception&) {
}

}  // namespace cairn::session
