// A snapshot whose checksums are right and whose numbers and columns lie. Each change names a number of the summary or
// of a chunk and gives it another value. What a reader accepts, every analysis must survive.

#include <optional>
#include <unordered_map>

#include "snapshot-format/file/rows.h"
#include "snapshot-format/file/snapshot_reader.h"
#include "snapshot-format/file/verifier.h"
#include "tests/hostile/input.h"
#include "tests/hostile/small_snapshot.h"
#include "viewer/session/snapshot_session.h"

namespace {

using namespace cairn;
using Changes = std::unordered_map<uint32_t, uint64_t>;  // number of a number → its value

// Walks rows as the writer does, counts their numbers, and changes those that are listed.
class Changer {
 public:
  explicit Changer(const Changes& changes) : changes_(changes) {}

  template <class T>
  void operator()(const char*, T& value) {
    if (const auto change = Next()) value = static_cast<T>(*change);
  }
  template <class T>
  void operator()(const char*, T& value, unsigned) {
    if (const auto change = Next()) value = static_cast<T>(*change);
  }
  void operator()(const char*, std::string& text) {
    if (const auto change = Next()) text.resize(*change % 300, '\xFF');
  }
  void operator()(const char*, std::optional<uint64_t>& value) {
    if (const auto change = Next()) value = *change;
  }
  void Id(const char*, uint32_t& id) {
    if (const auto change = Next()) id = static_cast<uint32_t>(*change);
  }
  void Offsets(const char*, std::vector<uint32_t>& offsets, uint32_t& count) {
    if (const auto change = Next()) count = static_cast<uint32_t>(*change);
    if (const auto change = Next()) offsets.resize(*change % 64, static_cast<uint32_t>(*change >> 32));
  }

 private:
  std::optional<uint64_t> Next() {
    const auto change = changes_.find(at_++);
    return change == changes_.end() ? std::nullopt : std::optional(change->second);
  }

  const Changes& changes_;
  uint32_t at_ = 0;
};

template <class Record>
void ChangeAll(Changer& changer, std::vector<Record>& records) {
  for (Record& record : records) Row(changer, record);
}

void ChangeSummary(const Changes& changes, snapshot::Summary& summary) {
  Changer changer(changes);
  for (snapshot::Type& type : summary.types) {
    snapshot::TypeRow row{type, {}};
    Row(changer, row);
    type = row.type;
  }
  ChangeAll(changer, summary.ranges), ChangeAll(changer, summary.roots), ChangeAll(changer, summary.dependents);
  ChangeAll(changer, summary.threads), ChangeAll(changer, summary.methods), ChangeAll(changer, summary.modules);
  ChangeAll(changer, summary.problems);
  Metadata(changer, summary);
}

void ChangeChunk(const Changes& changes, stream::ChunkHeader& header) {
  Changer changer(changes);
  snapshot::ChunkRow row;
  row.header = header;
  Row(changer, row);
  header = row.header;
}

void ReadWhole(const std::string& path) {
  const auto reader = snapshot::SnapshotReader::Open(path);
  if (!reader) return;
  stream::DecodedChunk chunk;
  stream::DecodedContents contents;
  for (size_t i = 0; i < (*(*reader)->Chunks())->size(); ++i)
    if ((*reader)->ReadChunk(i, chunk)) (void)(*reader)->ReadContents(i, chunk, contents);
  for (uint32_t type = 0; type < (*reader)->Summary().types.size(); ++type) (void)(*reader)->ReadFields(type);
  (void)snapshot::Verify(**reader);
}

void Analyse(const std::string& path) {
  session::SnapshotSession::Options options;
  options.threads = 1;
  auto session = session::SnapshotSession::Open(path, options);
  if (!session) return;
  analysis::Work work;
  (void)(*session)->Reachable(work);
  (void)(*session)->RetainedOfTypes(work);
  (void)(*session)->GraphProblems(work);
  (void)(*session)->DominatorChildren({}, 10, work);
  (void)(*session)->Roots({}, work);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  hostile::Input input(data, size);
  Changes of_summary, of_chunk;
  while (!input.AtEnd()) {
    const auto at = input.Number<uint16_t>();
    (at & 0x8000 ? of_chunk : of_summary)[at & 0x7FFF] = input.Number<uint64_t>();
  }
  auto builder = hostile::SmallSnapshot();
  builder.BeforeFinish([&](snapshot::Summary& summary) { ChangeSummary(of_summary, summary); });
  builder.BeforeChunk([&](stream::ChunkHeader& header) { ChangeChunk(of_chunk, header); });
  const std::string path = hostile::ScratchFolder() + "lying.cairn";
  if (!builder.Write(path)) return 0;
  ReadWhole(path);
  Analyse(path);
  return 0;
}
