#pragma once
// Makes a snapshot of a .gcdump, which every command reads. What a .gcdump does not know is absent or labelled: field
// names, gaps, threads. Objects that have no address of their own are given one.
// Thread rule: one thread. Memory: that of the .gcdump and 24 bytes per object.

#include <string>

#include "viewer/convert/converted.h"
#include "viewer/convert/gcdump_reader.h"

namespace cairn::convert {

struct ImportOptions {
  bool overwrite = false;
  std::string id;       // of the new snapshot: 32 hex digits, random
  std::string now;      // UTC, ISO 8601: for a .gcdump that does not know when it was collected
  std::string version;  // of this program
};

// Errors: import.damaged, and those of SnapshotWriter.
Result<Converted> ImportGcDump(const GcDump& dump, const std::string& path, const ImportOptions& options);

}  // namespace cairn::convert
