#pragma once
// Writes one snapshot: chunks as they come, the small tables at the end, under FILE.partial until Finish
// has synced and renamed it. Destroyed before Finish, it leaves nothing behind.
// Thread rule: one thread. Memory: independent of the heap's size.

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "snapshot-format/file/model.h"
#include "snapshot-format/file/result.h"

namespace cairn::snapshot {

// One column as it is stored.
struct StoredColumn {
  stream::ColumnKind kind{};
  uint32_t raw_size = 0;
  std::span<const uint8_t> compressed;  // one zstd frame
};

class SnapshotWriter {
 public:
  struct Options {
    bool overwrite = false;
    std::string vfs;  // SQLite VFS name; empty for the default. Tests pass a failing one.
  };

  // Errors, of every function: output.exists (usage), output.unwritable, output.full, output.invalid (a
  // wrong call, which is a defect). After an error every later call fails with it.
  static Result<std::unique_ptr<SnapshotWriter>> Create(const std::string& path, const Options& options);
  ~SnapshotWriter();

  // Chunks may come in any order of ranges; within a range in order of sequence.
  Status AddChunk(const stream::ChunkHeader& header, std::span<const StoredColumn> columns);
  // Fields of one type; ids may come in any order, each once.
  Status AddFields(uint32_t type, std::span<const Field> fields);
  // An incomplete snapshot that would replace a complete one goes beside it, as NAME.incomplete.cairn. Returns where
  // Finish will put the file; without this call that is the path given, whatever it replaces.
  const std::string& ChoosePath(bool complete);
  // Writes the small tables and the completeness record, syncs, renames. Nothing may follow.
  // Returns the size of the file in bytes.
  Result<uint64_t> Finish(const Summary& summary);

 private:
  struct Impl;
  explicit SnapshotWriter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// Compresses one column, zstd level 1 by default.
Result<std::vector<uint8_t>> CompressColumn(std::span<const uint8_t> raw, int level = 1);

}  // namespace cairn::snapshot
