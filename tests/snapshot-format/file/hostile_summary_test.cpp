// Files whose checksums are right and whose content lies: written by the real writer from a wrong summary.

#include "tests/snapshot-format/file/snapshot_cases.h"

namespace cairn::snapshot::testing {
namespace {

class HostileSummaryTest : public SnapshotFileTest {
 protected:
  // What Open says of a full snapshot changed by `change`, without the file's name.
  std::string Open(std::function<void(Summary&)> change) {
    SnapshotBuilder builder = FullBuilder();
    builder.BeforeFinish(std::move(change));
    return Message(builder);
  }
  std::string OpenChunk(std::function<void(stream::ChunkHeader&)> change) {
    SnapshotBuilder builder = FullBuilder();
    builder.BeforeChunk(std::move(change));
    return Message(builder);
  }
  std::string Message(SnapshotBuilder& builder) {
    const auto written = builder.Write(path_);
    if (!written) return written.error().message;
    const auto reader = SnapshotReader::Open(path_);
    if (reader) return "";
    EXPECT_EQ(reader.error().code, "snapshot.damaged");
    return reader.error().message.substr((path_ + " is damaged: ").size());
  }
};

TEST_F(HostileSummaryTest, Process) {
  EXPECT_EQ(Open([](Summary&) {}), "");
  EXPECT_EQ(Open([](Summary& s) { s.process.pointer_size = 3; }), "the pointer size is neither 4 nor 8");
  EXPECT_EQ(Open([](Summary& s) { s.process.address_shift = 4; }), "the address shift is neither 2 nor 3");
}

TEST_F(HostileSummaryTest, Ranges) {
  EXPECT_EQ(Open([](Summary& s) { s.ranges[1].start = s.ranges[0].start; }),
            "row 1 of table ranges starts before the one before it ends");
  EXPECT_EQ(Open([](Summary& s) { s.ranges[2].start = ~0ull - 7; }), "row 2 of table ranges leaves the address space");
  EXPECT_EQ(Open([](Summary& s) { s.ranges[2].walked = s.ranges[2].length + 1; }),
            "row 2 of table ranges was walked beyond its end");
  EXPECT_EQ(Open([](Summary& s) { s.ranges[0].alignment = 12; }), "row 0 of table ranges has an impossible alignment");
  EXPECT_EQ(Open([](Summary& s) { s.ranges[0].alignment = 4; }), "row 0 of table ranges has an impossible alignment");
  EXPECT_EQ(Open([](Summary& s) { s.ranges[2].length = 1ull << 60; }), "the ranges are larger than any heap");
  EXPECT_EQ(Open([](Summary& s) { s.ranges[2].generation = static_cast<Generation>(6); }),
            "table ranges row 2: column generation is no known kind");
  EXPECT_EQ(Open([](Summary& s) { s.ranges.clear(); }),
            "row 0 of table chunks, in address order, names a range that is not there");
}

TEST_F(HostileSummaryTest, Indices) {
  EXPECT_EQ(Open([](Summary& s) { s.types[0].module = 1; }), "row 0 of table types names a module that is not there");
  EXPECT_EQ(Open([](Summary& s) { s.types[1].base_type = 5; }), "row 1 of table types names a base that is not there");
  EXPECT_EQ(Open([](Summary& s) { s.roots[1].thread = 1; }), "row 1 of table roots names a thread that is not there");
}

TEST_F(HostileSummaryTest, Kinds) {
  EXPECT_EQ(Open([](Summary& s) { s.types[0].kind = static_cast<TypeKind>(5); }),
            "table types row 0: column kind is no known kind");
  EXPECT_EQ(Open([](Summary& s) { s.roots[0].kind = static_cast<RootKind>(10); }),
            "table roots row 0: column kind is no known kind");
}

TEST_F(HostileSummaryTest, Contents) {
  const auto keep = [this](uint32_t type, stream::ValueSlot slot) {
    return Open([type, slot](Summary& s) {
      s.types[type].value_slots = {stream::Packed(slot)};
      s.types[type].layout.value_slots = 1;
    });
  };
  EXPECT_EQ(keep(4, {16, 4}), "");
  EXPECT_EQ(keep(4, {16, 3}), "row 4 of table types keeps a value of an impossible size");
  EXPECT_EQ(keep(4, {16, 0}), "row 4 of table types keeps a value of an impossible size");
  EXPECT_EQ(keep(4, {26, 8}), "row 4 of table types keeps a value that lies outside its objects");  // 32 bytes
  EXPECT_EQ(keep(3, {8, 4}), "row 3 of table types keeps values of objects that have components");
  EXPECT_EQ(Open([](Summary& s) {
              s.types[4].value_slots.assign(8193, stream::Packed({16, 4}));
              s.types[4].layout.value_slots = 8193;
            }),
            "row 4 of table types keeps more values than an object may have");
  EXPECT_EQ(Open([](Summary& s) { s.types[0].layout.has_hash = true; }),
            "row 0 of table types keeps contents of objects that have none");
  EXPECT_EQ(Open([](Summary& s) { s.types[1].layout.has_text = true; }),
            "row 1 of table types keeps contents of objects that have none");
  EXPECT_EQ(Open([](Summary& s) { s.methods.push_back(s.methods[0]); }), "row 1 of table methods is out of order");
}

TEST_F(HostileSummaryTest, Totals) {
  EXPECT_EQ(Open([](Summary& s) { ++s.totals.types; }), "its total of types is another than there are rows");
  EXPECT_EQ(Open([](Summary& s) { ++s.totals.roots; }), "its total of roots is another than there are rows");
  EXPECT_EQ(Open([](Summary& s) { ++s.totals.dependents; }),
            "its total of dependent handles is another than there are rows");
  EXPECT_EQ(Open([](Summary& s) { ++s.totals.chunks; }), "its total of chunks is another than there are rows");
}

TEST_F(HostileSummaryTest, Chunks) {
  EXPECT_EQ(OpenChunk([](stream::ChunkHeader&) {}), "");
  EXPECT_EQ(OpenChunk([](stream::ChunkHeader& h) { h.sequence += 1; }),
            "row 0 of table chunks, in address order, is out of sequence");
  EXPECT_EQ(OpenChunk([](stream::ChunkHeader& h) { h.sequence = 0; }),
            "row 1 of table chunks, in address order, is out of sequence");
  EXPECT_EQ(OpenChunk([](stream::ChunkHeader& h) { h.range += 1; }),
            "row 3 of table chunks, in address order, names a range that is not there");
  EXPECT_EQ(OpenChunk([](stream::ChunkHeader& h) { h.object_count = 65537; }),
            "row 0 of table chunks, in address order, claims too many objects");
  EXPECT_EQ(OpenChunk([](stream::ChunkHeader& h) { h.slot_count = 393217; }),
            "row 0 of table chunks, in address order, claims too many slots");
}

// Frames that are no honest zstd frames, under a right checksum.
class HostileFrameTest : public SnapshotFileTest {
 protected:
  std::string Read(const std::vector<uint8_t>& frame, uint32_t raw_size) {
    auto writer = SnapshotWriter::Create(path_, {.overwrite = true, .vfs = ""});
    const StoredColumn column{stream::ColumnKind::kTypes, raw_size, frame};
    EXPECT_TRUE((*writer)->AddChunk({}, std::span(&column, 1)));
    Summary summary;
    summary.ranges.push_back({});
    summary.totals.chunks = 1;
    EXPECT_TRUE((*writer)->Finish(summary));
    const auto reader = SnapshotReader::Open(path_);
    EXPECT_TRUE(reader) << reader.error().message;
    stream::DecodedChunk chunk;
    const Status status = (*reader)->ReadChunk(0, chunk);
    return status ? "" : status.error().message.substr((path_ + " is damaged: chunk 0: ").size());
  }
};

TEST_F(HostileFrameTest, EachIsToldApart) {
  const std::vector<uint8_t> raw(1000, 7);
  const std::vector<uint8_t> good = *CompressColumn(raw);
  EXPECT_EQ(Read(good, 1000), "bytes are left over in the types column");  // decompressed, and no object needs it
  EXPECT_EQ(Read(good, 999), "types column: its frame states another size than the chunk");
  EXPECT_EQ(Read(good, 1001), "types column: its frame states another size than the chunk");
  EXPECT_EQ(Read(raw, 1000), "types column: it is no zstd frame");
  EXPECT_EQ(Read({}, 1000), "types column: it is no zstd frame");
  std::vector<uint8_t> cut = good;
  cut.pop_back();
  EXPECT_EQ(Read(cut, 1000).substr(0, 30), "types column: its frame is cut");
  std::vector<uint8_t> followed = good;
  followed.insert(followed.end(), good.begin(), good.end());
  EXPECT_EQ(Read(followed, 1000), "types column: bytes follow its frame");
}

TEST_F(HostileFrameTest, FrameThatClaimsTerabytesIsRefusedBeforeItIsUnpacked) {
  // Magic, descriptor "8 bytes of size, single segment", 2⁴⁰ bytes.
  const std::vector<uint8_t> frame = {0x28, 0xB5, 0x2F, 0xFD, 0xE0, 0, 0, 0, 0, 0, 1, 0, 0, 0x01, 0, 0};
  EXPECT_EQ(Read(frame, 1000), "types column: its frame states another size than the chunk");
}

}  // namespace
}  // namespace cairn::snapshot::testing
