// snapshot_edges FILE: what a snapshot holds, as lines that other readers of the same heap can be compared with.
//   TYPE name objects bytes edges checksum     edges include the one to the loader allocator
//   ROOT kind name type                        type of the object the root holds
//   HOLDS kind name type thread managed-id certain   the same roots once more; the thread by name
//   DEPENDENT primary-type secondary-type
//   AT address type bytes generation           objects of the pinned and the frozen heap
//   RANGE start end generation
//   TOTAL objects bytes edges
// The checksum is the sum of FNV-1a over (object, target) of every edge, modulo 2^64.

#include <cinttypes>
#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>

#include "snapshot-format/file/snapshot_reader.h"

namespace cairn::e2e {
namespace {

using snapshot::SnapshotReader;
using stream::DecodedChunk;

struct Tally {
  uint64_t objects = 0, bytes = 0, edges = 0, checksum = 0;
};

uint64_t EdgeChecksum(uint64_t from, uint64_t to) {
  uint64_t hash = 0xcbf29ce484222325;
  for (uint64_t word : {from, to}) {
    for (int shift = 0; shift < 64; shift += 8) hash = (hash ^ (word >> shift & 0xff)) * 0x100000001b3;
  }
  return hash;
}

void AddEdge(Tally& tally, uint64_t from, uint64_t to) {
  if (to == 0) return;
  ++tally.edges;
  tally.checksum += EdgeChecksum(from, to);
}

// One pass over a snapshot's objects.
class Census {
 public:
  explicit Census(SnapshotReader& reader) : reader_(reader), tallies_(reader.Summary().types.size()) {
    for (const snapshot::Root& root : reader.Summary().roots) wanted_[root.object] = snapshot::kNoId;
    for (const snapshot::Dependent& pair : reader.Summary().dependents) {
      wanted_[pair.primary] = wanted_[pair.secondary] = snapshot::kNoId;
    }
  }

  Status Count() {
    auto chunks = reader_.Chunks();
    if (!chunks) return tl::make_unexpected(chunks.error());
    DecodedChunk decoded;
    for (size_t i = 0; i < (*chunks)->size(); ++i) {
      CAIRN_TRY(reader_.ReadChunk(i, decoded));
      AddChunk((**chunks)[i].header, decoded);
    }
    return {};
  }

  void Print() const {
    PrintTypes();
    for (const snapshot::Root& root : reader_.Summary().roots) {
      std::printf("ROOT\t%s\t%s\t%s\n", snapshot::RootKindName(root.kind), root.name.c_str(),
                  TypeOf(root.object).c_str());
    }
    for (const snapshot::Root& root : reader_.Summary().roots) PrintHolder(root);
    for (const snapshot::Dependent& pair : reader_.Summary().dependents) {
      std::printf("DEPENDENT\t%s\t%s\n", TypeOf(pair.primary).c_str(), TypeOf(pair.secondary).c_str());
    }
    for (const snapshot::Range& range : reader_.Summary().ranges) {
      std::printf("RANGE\t%" PRIx64 "\t%" PRIx64 "\t%s\n", range.start, range.start + range.length,
                  snapshot::GenerationName(range.generation));
    }
    std::fputs(immovable_.c_str(), stdout);
  }

 private:
  const snapshot::Type& TypeAt(uint32_t id) const { return reader_.Summary().types[id]; }

  std::string TypeOf(uint64_t address) const {
    const auto found = wanted_.find(address);
    return found == wanted_.end() || found->second == snapshot::kNoId ? "" : TypeAt(found->second).name;
  }

  void PrintHolder(const snapshot::Root& root) const {
    const auto& threads = reader_.Summary().threads;
    const snapshot::Thread thread = root.thread < threads.size() ? threads[root.thread] : snapshot::Thread();
    std::printf("HOLDS\t%s\t%s\t%s\t%s\t%u\t%s\n", snapshot::RootKindName(root.kind), root.name.c_str(),
                TypeOf(root.object).c_str(), thread.name.c_str(), thread.managed_id, root.certain ? "yes" : "no");
  }

  void AddChunk(const stream::ChunkHeader& header, const DecodedChunk& chunk) {
    const uint32_t continued = chunk.first_slot.empty() ? header.continued_slots : chunk.first_slot[0];
    for (uint32_t slot = 0; slot < continued; ++slot) {
      AddEdge(tallies_[header.continued_type], header.continued_object, chunk.targets[slot]);
    }
    for (size_t i = 0; i < chunk.types.size(); ++i) AddObject(header, chunk, i);
  }

  void AddObject(const stream::ChunkHeader& header, const DecodedChunk& chunk, size_t i) {
    const uint64_t address = chunk.addresses[i];
    Tally& tally = tallies_[chunk.types[i]];
    ++tally.objects;
    tally.bytes += chunk.sizes[i];
    AddEdge(tally, address, TypeAt(chunk.types[i]).loader_allocator);
    for (uint32_t slot = chunk.first_slot[i]; slot < chunk.first_slot[i + 1]; ++slot) {
      AddEdge(tally, address, chunk.targets[slot]);
    }
    if (const auto found = wanted_.find(address); found != wanted_.end()) found->second = chunk.types[i];
    const stream::Generation generation = reader_.Summary().ranges[header.range].generation;
    if (generation >= stream::Generation::kPoh) AddImmovable(address, chunk.types[i], chunk.sizes[i], generation);
  }

  void AddImmovable(uint64_t address, uint32_t type, uint64_t bytes, stream::Generation generation) {
    char head[32];
    std::snprintf(head, sizeof head, "AT\t0x%" PRIx64 "\t", address);
    immovable_ +=
        head + TypeAt(type).name + "\t" + std::to_string(bytes) + "\t" + snapshot::GenerationName(generation) + "\n";
  }

  // Types of one name, of several load contexts for example, are one line.
  void PrintTypes() const {
    std::map<std::string, Tally> by_name;
    Tally all;
    for (size_t id = 0; id < tallies_.size(); ++id) {
      for (Tally* sum : {&by_name[TypeAt(static_cast<uint32_t>(id)).name], &all}) {
        sum->objects += tallies_[id].objects;
        sum->bytes += tallies_[id].bytes;
        sum->edges += tallies_[id].edges;
        sum->checksum += tallies_[id].checksum;
      }
    }
    for (const auto& [name, t] : by_name) {
      std::printf("TYPE\t%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%016" PRIx64 "\n", name.c_str(), t.objects, t.bytes,
                  t.edges, t.checksum);
    }
    std::printf("TOTAL\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n", all.objects, all.bytes, all.edges);
  }

  SnapshotReader& reader_;
  std::vector<Tally> tallies_;                     // by type id
  std::unordered_map<uint64_t, uint32_t> wanted_;  // objects of roots and dependent handles → type id
  std::string immovable_;
};

Status Run(const char* path) {
  auto reader = SnapshotReader::Open(path);
  if (!reader) return tl::make_unexpected(reader.error());
  Census census(**reader);
  CAIRN_TRY(census.Count());
  census.Print();
  return {};
}

}  // namespace
}  // namespace cairn::e2e

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: snapshot_edges FILE\n"), 2;
  const cairn::Status status = cairn::e2e::Run(argv[1]);
  if (!status) return std::fprintf(stderr, "%s\n", status.error().message.c_str()), 4;
  return 0;
}
