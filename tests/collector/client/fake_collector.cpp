#include "tests/collector/client/fake_collector.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>

#include "collector/client/frame_reader.h"
#include "snapshot-format/file/snapshot_writer.h"
#include "snapshot-format/testing/object_encoder.h"

namespace cairn::client::testing {
namespace {

using protocol::FrameKind;
using stream::ColumnKind;

std::vector<stream::TypeLayout> Layouts() {
  stream::TypeLayout node{32, 0, 2, 0, false}, array{24, 8, 0, 1, false};
  return {node, array};
}

std::vector<Sent> EncodeChunks() {
  const auto layouts = Layouts();
  std::vector<Sent> chunks;
  snapshot::testing::ObjectEncoder encoder(layouts, 3, [&](const auto& header, const auto& columns) {
    chunks.push_back({FrameKind::kChunk, ChunkPayload(header, columns)});
  });
  encoder.BeginRange(0);
  encoder.Add({0, kFirst, kFirst + 32, 0, 2, {{0, kSecond}}});
  encoder.Add({0, kSecond, kSecond + 32, 0, 2, {{0, kFirst}, {1, kArray}}});
  encoder.Add({1, kArray, kArray + 48, 3, 3, {{0, kFirst}, {2, kSecond}}});
  encoder.EndRange();
  return chunks;
}

protocol::TypeName Name(uint32_t id, const std::string& name, uint32_t module) {
  protocol::TypeName type;
  type.id = id;
  type.name = name;
  type.module = module;
  return type;
}

}  // namespace

std::vector<uint8_t> ChunkPayload(const stream::ChunkHeader& header, const stream::ChunkColumns& columns) {
  protocol::Chunk chunk{header.range,
                        header.sequence,
                        header.first_address,
                        header.end_address,
                        header.continued_object,
                        header.continued_slot,
                        header.continued_type,
                        header.continued_slots,
                        header.object_count,
                        header.slot_count,
                        {}};
  std::vector<uint8_t> stored;
  for (const ColumnKind kind : stream::kAllColumns) {
    const auto raw = columns.column[stream::ColumnSlot(kind)];
    if (raw.empty()) continue;
    const auto compressed = snapshot::CompressColumn(raw).value();
    chunk.columns.push_back(
        {static_cast<uint8_t>(kind), static_cast<uint32_t>(raw.size()), static_cast<uint32_t>(compressed.size())});
    stored.insert(stored.end(), compressed.begin(), compressed.end());
  }
  auto payload = Say(FrameKind::kChunk, chunk).payload;
  payload.insert(payload.end(), stored.begin(), stored.end());
  return payload;
}

Conversation::Conversation() : chunks(EncodeChunks()) {
  hello.pid = 7;
  hello.runtime_version = "10.0.12";
  hello.server_gc = true;
  ranges.ranges = {{kFirst, kEnd - kFirst, 0x10000, stream::Generation::kGen2, 8, 3, 112, 1, 64, 64, 5, kEnd - kFirst}};
  types.types.resize(2);
  types.types[0] = {0, 0x7000, 32, 0, false, {8, 16}, {}, 0, 0, 2, 64};
  types.types[1] = {1, 0x7100, 24, 8, false, {}, {0}, 16, 0, 1, 48};
  // The collector's module ids are its own: 40 is the first module here.
  names.types = {Name(0, "Shop.Node", 40), Name(1, "System.Object[]", protocol::kNoId)};
  names.types[0].fields = {{"next", 8, stream::FieldKind::kReference, 0, "Shop.Node"},
                           {"items", 16, stream::FieldKind::kReference, 0, "System.Object[]"}};
  modules.modules = {{40, "Shop.dll", "/app/Shop.dll", false}};
  protocol::Root root;
  root.kind = stream::RootKind::kHandleStrong;
  root.object = kSecond;
  root.source = 0x5000;
  protocol::Root array;  // of the statics below
  array.kind = stream::RootKind::kHandlePinned;
  array.object = kArray;
  roots.roots = {root, array};
  dependents.dependents = {{kFirst, kSecond}};
  threads.threads = {{100, 1, "Main"}};
  // Elements 0, 1 and 2 of the array: 0x10080 + 16 = 0x10090, then every 8 bytes.
  statics.statics = {{"Shop.Cache.Instance", 0x10090}, {"Shop.Cache.Nothing", 0x10098}, {"Shop.Cache.Last", 0x100A0}};
  walk.objects = 3;
  walk.bytes = 112;
  walk.free_objects = 1;
  walk.free_bytes = 64;
  walk.edges = 5;
  walk.chunks = 1;
  walk.types = 2;
  walk.condemned = 2;
  walk.pause_total_ms = 12.5;
  walk.reconciled_source = "GetGCMemoryInfo";
  walk.reconciled_bytes = 176;  // 112 + 64
}

std::vector<Sent> Conversation::Frames() const {
  std::vector<Sent> frames = {
      Say(FrameKind::kHello, hello),     Say(FrameKind::kState, protocol::State{protocol::CaptureState::kNaming, 1, 2}),
      Say(FrameKind::kRanges, ranges),   Say(FrameKind::kTypes, types),
      Say(FrameKind::kTypeNames, names), Say(FrameKind::kModules, modules),
      Say(FrameKind::kRoots, roots),     Say(FrameKind::kDependents, dependents),
      Say(FrameKind::kThreads, threads), Say(FrameKind::kStatics, statics),
      Say(FrameKind::kWalkEnd, walk),    Say(FrameKind::kDetached, protocol::Detached{40.5})};
  frames.insert(frames.end(), chunks.begin(), chunks.end());
  frames.push_back(Say(FrameKind::kEnd, protocol::End{chunks.size(), frames.size() + 1}));
  return frames;
}

std::vector<uint8_t> FrameBytes(const Sent& sent, uint64_t sequence) {
  protocol::FrameHeader header;
  header.kind = sent.kind;
  header.payload_size = static_cast<uint32_t>(sent.payload.size());
  header.sequence = sequence;
  header.checksum = FrameChecksum(header, sent.payload);
  std::vector<uint8_t> bytes(sizeof header);
  std::memcpy(bytes.data(), &header, sizeof header);
  bytes.insert(bytes.end(), sent.payload.begin(), sent.payload.end());
  return bytes;
}

int ConnectTo(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return -1;
  std::memcpy(address.sun_path, path.data(), path.size());
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) return fd;
  close(fd);
  return -1;
}

bool SendFrames(int fd, const std::vector<Sent>& frames) {
  for (size_t i = 0; i < frames.size(); ++i) {
    const auto bytes = FrameBytes(frames[i], i);
    if (send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(bytes.size())) return false;
  }
  return true;
}

}  // namespace cairn::client::testing
