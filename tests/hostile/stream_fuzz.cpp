// Frames of any kind in any order, as a collector that was taken over could send them: refused, or a snapshot that
// can be read.

#include "collector/client/assembler.h"
#include "snapshot-format/file/snapshot_reader.h"
#include "snapshot-format/file/verifier.h"
#include "tests/hostile/input.h"
#include "tests/hostile/small_snapshot.h"

namespace {

using namespace cairn;

client::CaptureContext Context(const std::string& path) {
  client::CaptureContext context;
  context.process.pid = 4242;
  context.process.name = "shop";
  context.process.architecture = "x64";
  context.captured_at = "2026-11-29T22:00:00Z";
  context.started = client::Clock::now();
  context.output = path;
  return context;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string path = hostile::ScratchFolder() + "assembled.cairn";
  auto writer = snapshot::SnapshotWriter::Create(path, {true, {}});
  if (!writer) __builtin_trap();
  client::Assembler assembler(std::move(*writer), Context(path));
  hostile::Input input(data, size);
  std::optional<Error> cut;
  for (uint64_t sequence = 0; !input.AtEnd() && !cut; ++sequence) {
    const auto kind = input.Number<uint8_t>();
    const std::span<const uint8_t> payload = input.Bytes(input.Number<uint16_t>());
    const Status status = assembler.Accept({static_cast<protocol::FrameKind>(kind & 0x7F),
                                            sequence,
                                            {payload.begin(), payload.end()},
                                            (kind & 0x80) != 0});
    if (!status) cut = status.error();
  }
  if (!assembler.Finish(cut)) return 0;
  const auto reader = snapshot::SnapshotReader::Open(path);
  if (!reader) __builtin_trap();
  (void)snapshot::Verify(**reader);
  return 0;
}
