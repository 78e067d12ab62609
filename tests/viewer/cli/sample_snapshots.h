#pragma once
// Three small snapshots, built literally, and damaged copies of them, in a folder of their own.

#include <string>

namespace cairn::cli::testing {

class SampleSnapshots {
 public:
  // base.cairn, head.cairn (base and a leak), odd.cairn (incomplete, hostile names, a young collection).
  SampleSnapshots();
  ~SampleSnapshots();
  SampleSnapshots(const SampleSnapshots&) = delete;
  SampleSnapshots& operator=(const SampleSnapshots&) = delete;

  const std::string& Folder() const { return folder_; }
  std::string Path(const std::string& name) const { return folder_ + "/" + name; }

  // NAME holds the first `bytes` of base.cairn.
  void WriteCut(const std::string& name, size_t bytes) const;
  // NAME is base.cairn with other bytes at `at`.
  void WriteChanged(const std::string& name, size_t at, const std::string& bytes) const;
  // NAME is base.cairn, captured at another time ("2026-01-02T03:04:05Z" is that of the three).
  void WriteCapturedAt(const std::string& name, const std::string& time) const;
  void WriteText(const std::string& name, const std::string& content) const;
  // NAME is a snapshot of 70,000 objects whose second chunk does not decode.
  void WriteWithDamagedChunk(const std::string& name) const;
  // NAME is a snapshot of so many types of one object each, all held by handles.
  void WriteManyTypes(const std::string& name, int types) const;

 private:
  std::string folder_;
};

// Built once for all tests of the program.
const SampleSnapshots& Samples();

}  // namespace cairn::cli::testing
