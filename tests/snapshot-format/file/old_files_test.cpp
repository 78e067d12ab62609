// Every snapshot of every released version of the format is read for ever, to the last bit.

#include <algorithm>

#include "tests/snapshot-format/file/snapshot_cases.h"

namespace cairn::snapshot::testing {
namespace {

namespace fs = std::filesystem;

// Runs over everything that chunks hold.
class Digest {
 public:
  template <class T>
  void Add(const std::vector<T>& values) {
    crc_ = stream::Crc32c(crc_, values.data(), values.size() * sizeof(T));
  }
  void Add(const std::string& text) { crc_ = stream::Crc32c(crc_, text.data(), text.size()); }
  uint32_t Value() const { return crc_; }

 private:
  uint32_t crc_ = 0;
};

std::string ChunksOf(SnapshotReader& reader) {
  stream::DecodedChunk chunk;
  stream::DecodedContents contents;
  Digest columns, kept;
  for (size_t i = 0; i < (*reader.Chunks())->size(); ++i) {
    if (const Status status = reader.ReadChunk(i, chunk); !status) return status.error().message;
    columns.Add(chunk.types), columns.Add(chunk.addresses), columns.Add(chunk.sizes), columns.Add(chunk.lengths);
    columns.Add(chunk.targets);
    if (const Status status = reader.ReadContents(i, chunk, contents); !status) return status.error().message;
    for (size_t object = 0; object < chunk.types.size(); ++object) kept.Add(ContentsText(contents.Of(object)));
  }
  std::ostringstream text;
  text << " columns " << std::hex << columns.Value() << " contents " << kept.Value();
  return text.str();
}

std::string NamesOf(SnapshotReader& reader) {
  const Summary& s = reader.Summary();
  Digest names;
  for (const Type& type : s.types) names.Add(type.name);
  for (const Root& root : s.roots) names.Add(root.name + RootKindName(root.kind));
  for (const Thread& thread : s.threads) names.Add(thread.name);
  for (const Method& method : s.methods) names.Add(method.name);
  for (uint32_t type = 0; type < s.types.size(); ++type) {
    const auto fields = reader.ReadFields(type);
    if (!fields) return fields.error().message;
    for (const Field& field : *fields) names.Add(field.name + std::to_string(field.offset));
  }
  std::ostringstream text;
  text << " names " << std::hex << names.Value();
  return text.str();
}

// "shop.cairn: objects 3 bytes 112 … names 3d7b7617"
std::string FactsOf(const fs::path& path) {
  auto reader = SnapshotReader::Open(path.string());
  if (!reader) return reader.error().message;
  const auto report = Verify(**reader);
  if (!report) return report.error().message;
  if (!report->errors.empty()) return path.string() + ": " + report->errors.front();
  const Summary& s = (*reader)->Summary();
  std::ostringstream text;
  text << path.filename().string() << ": objects " << s.totals.objects << " bytes " << s.totals.bytes << " free "
       << s.totals.free_objects << " edges " << s.totals.edges << " types " << s.totals.types << " roots "
       << s.totals.roots << " dependents " << s.totals.dependents << " threads " << s.threads.size() << " problems "
       << s.problems.size() << ChunksOf(**reader) << NamesOf(**reader);
  return text.str();
}

std::vector<std::string> LinesOf(const fs::path& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

TEST(OldFiles, EachVersionIsReadToTheLastBit) {
  size_t files = 0;
  for (const auto& version : fs::directory_iterator(CAIRN_OLD_SNAPSHOTS)) {
    if (!version.is_directory()) continue;
    std::vector<std::string> found;
    for (const auto& file : fs::directory_iterator(version))
      if (file.path().extension() == ".cairn") found.push_back(FactsOf(file.path()));
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, LinesOf(version.path() / "facts.txt")) << version.path();
    files += found.size();
  }
  EXPECT_GE(files, 4u);
}

}  // namespace
}  // namespace cairn::snapshot::testing
