// A .gcdump of any bytes: refused, or imported into a snapshot that the verifier finds right.

#include <vector>

#include "snapshot-format/file/snapshot_reader.h"
#include "snapshot-format/file/verifier.h"
#include "tests/hostile/small_snapshot.h"
#include "viewer/convert/gcdump_import.h"
#include "viewer/convert/gcdump_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace cairn;
  const auto dump = convert::GcDump::Parse(std::vector<uint8_t>(data, data + size));
  if (!dump) return 0;
  const std::string path = hostile::ScratchFolder() + "imported.cairn";
  convert::ImportOptions options;
  options.overwrite = true;
  options.id = "0123456789abcdef0123456789abcdef";
  options.now = "2026-11-29T22:00:00Z";
  options.version = "0";
  if (!convert::ImportGcDump(*dump, path, options)) return 0;
  const auto reader = snapshot::SnapshotReader::Open(path);
  if (!reader) __builtin_trap();
  const auto report = snapshot::Verify(**reader);
  if (!report || !report->errors.empty()) __builtin_trap();
  return 0;
}
