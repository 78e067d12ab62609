// snapshot_identity BEFORE AFTER PREFIX: judges the identity table of a tracked snapshot by what objects say
// themselves. Objects of types whose names begin with PREFIX and that have a field "Id" are known by it (the snapshots
// were taken with --values); an array that one of them refers to is known by its holder. One line per type:
//   IDENTITY type survived wrong dead wrong uncertain new
// survived: said to be there still, at an address where an object of the type is; the first "wrong": it is another one;
// dead: said to be gone; the second "wrong": its Id is still there; uncertain: said to be that. Ids below 1 are not
// planted and are only looked at as what others were taken for.

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <map>
#include <string>
#include <unordered_map>

#include "snapshot-format/file/snapshot_reader.h"

namespace cairn::e2e {
namespace {

struct Known {
  std::string type;
  int64_t id = 0;
};
using Heap = std::map<uint64_t, Known>;  // by address

struct Row {
  uint64_t survived = 0, not_survived = 0, dead = 0, not_dead = 0, uncertain = 0, fresh = 0;
};

Status Read(snapshot::SnapshotReader& reader, const std::string& prefix, Heap& heap) {
  const auto chunks = reader.Chunks();
  if (!chunks) return tl::make_unexpected(chunks.error());
  const auto& types = reader.Summary().types;
  std::unordered_map<uint64_t, int64_t> holders;  // array → Id of its holder
  stream::DecodedChunk objects;
  stream::DecodedContents contents;
  std::map<uint32_t, size_t> id_slots;
  for (uint32_t t = 0; t < types.size(); ++t) {
    if (types[t].name.rfind(prefix, 0) != 0) continue;
    const auto fields = reader.ReadFields(t);
    if (!fields) return tl::make_unexpected(fields.error());
    for (const auto& field : *fields)
      for (size_t s = 0; field.name == "Id" && s < types[t].value_slots.size(); ++s)
        if (stream::UnpackedValueSlot(types[t].value_slots[s]).offset == field.offset) id_slots[t] = s;
  }
  for (size_t chunk = 0; chunk < (*chunks)->size(); ++chunk) {
    CAIRN_TRY(reader.ReadChunk(chunk, objects));
    CAIRN_TRY(reader.ReadContents(chunk, objects, contents));
    for (size_t i = 0; i < objects.types.size(); ++i) {
      const auto& type = types[objects.types[i]];
      if (type.name.rfind(prefix, 0) != 0) continue;
      const auto slot = id_slots.find(objects.types[i]);
      const int64_t id = slot == id_slots.end() ? 0 : contents.Of(i).values[slot->second];
      heap[objects.addresses[i]] = {type.name, id};
      if (id <= 0) continue;
      for (uint64_t s = objects.first_slot[i]; s < objects.first_slot[i + 1]; ++s)
        if (objects.targets[s] != 0) holders[objects.targets[s]] = id;
    }
  }
  for (auto& [address, known] : heap) {
    const auto holder = holders.find(address);
    if (known.type.ends_with("[]") && holder != holders.end()) known.id = holder->second;
  }
  return {};
}

const snapshot::IdentityRange* Find(const snapshot::Tracking& tracking, uint64_t address) {
  auto at = std::upper_bound(tracking.ranges.begin(), tracking.ranges.end(), address,
                             [](uint64_t value, const snapshot::IdentityRange& range) { return value < range.from; });
  if (at == tracking.ranges.begin()) return nullptr;
  --at;
  return address - at->from < at->length ? &*at : nullptr;
}

void Judge(const Heap& before, const Heap& after, const snapshot::Tracking& tracking,
           std::map<std::string, Row>& rows) {
  std::map<std::pair<std::string, int64_t>, uint64_t> there;
  for (const auto& [address, known] : after)
    if (known.id > 0) there[{known.type, known.id}] = address;
  for (const auto& [address, known] : before) {
    Row& row = rows[known.type];
    const snapshot::IdentityRange* range = Find(tracking, address);
    const auto now = range == nullptr ? after.end() : after.find(range->to + (address - range->from));
    const bool found = now != after.end() && now->second.type == known.type;
    if (found && !range->certain) {
      ++row.uncertain;
    } else if (found) {
      ++row.survived;
      row.not_survived += known.id != now->second.id;
    } else {
      ++row.dead;
      row.not_dead += known.id > 0 && there.contains({known.type, known.id});
    }
  }
  for (const auto& [address, known] : after) rows[known.type].fresh += 1;
  for (auto& [type, row] : rows) row.fresh -= std::min(row.fresh, row.survived + row.uncertain);
}

}  // namespace
}  // namespace cairn::e2e

int main(int count, char** arguments) {
  using namespace cairn;
  if (count != 4) return 2;
  e2e::Heap heaps[2];
  std::unique_ptr<snapshot::SnapshotReader> readers[2];
  for (int i = 0; i < 2; ++i) {
    auto reader = snapshot::SnapshotReader::Open(arguments[1 + i]);
    if (!reader) return std::fprintf(stderr, "%s\n", reader.error().message.c_str()), 1;
    readers[i] = std::move(*reader);
    const Status read = e2e::Read(*readers[i], arguments[3], heaps[i]);
    if (!read) return std::fprintf(stderr, "%s\n", read.error().message.c_str()), 1;
  }
  const auto& tracking = readers[1]->Summary().tracking;
  if (!tracking) return std::fprintf(stderr, "objects were not followed\n"), 1;
  const bool follows = tracking->previous == readers[0]->Summary().capture.id;
  std::printf("TRACKING\t%s\t%s\t%" PRIu64 "\t%" PRIu64 "\t%zu\n", follows ? "follows" : "does not follow",
              tracking->lost.c_str(), tracking->collections, tracking->background, tracking->ranges.size());
  std::map<std::string, e2e::Row> rows;
  e2e::Judge(heaps[0], heaps[1], *tracking, rows);
  for (const auto& [type, row] : rows)
    std::printf("IDENTITY\t%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n",
                type.c_str(), row.survived, row.not_survived, row.dead, row.not_dead, row.uncertain, row.fresh);
  return 0;
}
