#pragma once
// Where the thread statics of each thread lie, on runtimes whose own tables are not known: the profiling API is asked
// in the pause about fields that were looked up before it.
//
//   recorder.Prepare(fields);  // before the pause
//   recorder.Record(source);   // in the pause
//   recorder.Found();          // after resume
//
// Call-site rule: Record only inside GarbageCollectionFinished. The runtime lists its threads without a lock there, and
// none of them can end: a thread gives its statics up in cooperative mode, which it does not get before the resume.
// Thread rule: one thread at a time. Record allocates nothing itself.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "collector/roots/root_recorder.h"
#include "collector/types/runtime_source.h"

namespace cairn::collector {

struct ThreadStaticField {
  ClassId class_id = 0;
  ModuleId module = 0;
  Token field = 0;
};

struct PausedThread {
  uint64_t id = 0;  // of the profiling API
  uint32_t os_id = 0;
};

struct RecordedThreadStatic {
  uint64_t address = 0;
  uint32_t field = 0;  // index of what Prepare was given
  uint32_t os_id = 0;
};

class ThreadStaticSource {
 public:
  // Whether this runtime can be asked in the pause. Call-site rule: before it.
  virtual bool CanAskInPause() = 0;
  // A reference or a struct that every thread has for itself. Call-site rule: classes that cannot be unloaded.
  virtual bool IsThreadStatic(ClassId id, Token field) = 0;
  // Call-site rule of both: as Record.
  virtual size_t ThreadsInPause(std::span<PausedThread> threads) = 0;
  virtual bool AddressInThread(ClassId id, Token field, uint64_t thread, uint64_t* address) = 0;

 protected:
  ~ThreadStaticSource() = default;
};

class ThreadStaticRecorder {
 public:
  static constexpr size_t kMaxThreads = 1u << 14;
  // Each takes some 0.2 us of the pause.
  static constexpr size_t kMaxQuestions = 1u << 14;

  // False: no memory.
  bool Prepare(std::vector<ThreadStaticField> fields);
  void Record(ThreadStaticSource& source);

  std::span<const ThreadStaticField> Fields() const { return fields_; }
  std::span<const RecordedThreadStatic> Found() const;
  // Threads whose statics were not asked for, since there were too many.
  size_t ThreadsLeftOut() const { return left_out_; }

 private:
  void AskAbout(ThreadStaticSource& source, const PausedThread& thread);

  std::vector<ThreadStaticField> fields_;
  FixedBuffer thread_buffer_, found_buffer_;
  size_t found_ = 0, left_out_ = 0;
};

}  // namespace cairn::collector
