// write_corpus FOLDER: the inputs to start from that are not text.

#include <cstdio>
#include <filesystem>

#include "tests/collector/client/fake_collector.h"
#include "tests/hostile/small_snapshot.h"
#include "tests/snapshot-format/temporary_folder.h"
#include "viewer/convert/gcdump_writer.h"

namespace {

using namespace cairn;

// As stream_fuzz reads it.
std::vector<uint8_t> AsInput(const std::vector<client::testing::Sent>& frames) {
  std::vector<uint8_t> bytes;
  for (const client::testing::Sent& frame : frames) {
    bytes.push_back(static_cast<uint8_t>(frame.kind));
    bytes.push_back(static_cast<uint8_t>(frame.payload.size()));
    bytes.push_back(static_cast<uint8_t>(frame.payload.size() >> 8));
    bytes.insert(bytes.end(), frame.payload.begin(), frame.payload.end());
  }
  return bytes;
}

bool WriteDump(const std::string& path) {
  const std::string snapshot = hostile::ScratchFolder() + "seed.cairn";
  analysis::Work work;
  if (!hostile::SmallSnapshot().Write(snapshot)) return false;
  const auto session = session::SnapshotSession::Open(snapshot);
  const auto file = convert::OutputFile::Create(path, true);
  return session && file && convert::WriteGcDump(**session, **file, work) && (*file)->Finish();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "write_corpus FOLDER\n"), 2;
  const std::filesystem::path folder = argv[1];
  snapshot::testing::WriteAll(folder / "stream" / "conversation", AsInput(client::testing::Conversation().Frames()));
  return WriteDump(folder / "gcdump" / "small") ? 0 : 1;
}
