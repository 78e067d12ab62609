// The worked example of FORMAT.md, byte for byte: what the page says is what the writer writes and what
// the reader reads.

#include <fstream>
#include <sstream>

#include "tests/snapshot-format/file/snapshot_cases.h"

namespace cairn::snapshot::testing {
namespace {

using Bytes = std::vector<uint8_t>;

// The value of the line "name: value" of the page.
std::string FromPage(const std::string& name) {
  std::ifstream page(CAIRN_FORMAT_PAGE);
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with(name + ": ")) return line.substr(name.size() + 2);
  }
  ADD_FAILURE() << "FORMAT.md has no line " << name;
  return "";
}

Bytes BytesFromPage(const std::string& name) {
  std::istringstream words(FromPage(name));
  Bytes bytes;
  for (unsigned byte = 0; words >> std::hex >> byte;) bytes.push_back(static_cast<uint8_t>(byte));
  return bytes;
}

std::string Hex(uint32_t value) {
  char text[9];
  std::snprintf(text, sizeof text, "%08x", value);
  return text;
}

// The first value of the first row, as text or as bytes.
Bytes Query(const std::string& path, const std::string& sql) {
  sqlite3* database = nullptr;
  sqlite3_stmt* statement = nullptr;
  EXPECT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  EXPECT_EQ(sqlite3_prepare_v2(database, sql.c_str(), -1, &statement, nullptr), SQLITE_OK) << sqlite3_errmsg(database);
  EXPECT_EQ(sqlite3_step(statement), SQLITE_ROW);
  const auto* data = static_cast<const uint8_t*>(sqlite3_column_blob(statement, 0));
  const Bytes bytes(data, data + sqlite3_column_bytes(statement, 0));
  sqlite3_finalize(statement);
  sqlite3_close(database);
  return bytes;
}

std::string QueryChecksum(const std::string& path, const std::string& sql) {
  const Bytes digits = Query(path, "SELECT printf('%08x', (" + sql + "))");
  return std::string(digits.begin(), digits.end());
}

class FormatExampleTest : public SnapshotFileTest {
 protected:
  FormatExampleTest() {
    const uint32_t node = builder_.Class("Node", {"next", "value", "extra"});
    const uint32_t bytes = builder_.StructArray("System.Byte[]", 1);
    builder_.Object("a", node, {"a", "x"});
    builder_.Gap(16);
    const ObjectHandle x = builder_.Array("x", bytes, 5);
    builder_.Hash(x, 0x0123456789ABCDEF).Text(x, "leak", true);
    builder_.Object("b", node, {"a", "x"});
    builder_.FieldsAt(node) = {{"next", 8, FieldKind::kReference, 0x1C, "Node"}};
    builder_.Thread("main", 77, 3);
  }
  SnapshotBuilder builder_;
};

TEST_F(FormatExampleTest, ColumnsOfTheChunk) {
  const Summary summary = *builder_.MakeSummary();
  std::vector<stream::TypeLayout> layouts;
  for (const Type& type : summary.types) layouts.push_back(type.layout);
  const uint64_t a = 0x7F0000001000, x = 0x7F0000001038, b = 0x7F0000001058, end = 0x7F0000001080;
  EXPECT_EQ(builder_.AddressOf("x"), x);
  EXPECT_EQ(builder_.AddressOf("b"), b);
  ObjectEncoder encoder(layouts, 3, [&](const stream::ChunkHeader& header, const stream::ChunkColumns& columns) {
    EXPECT_EQ(header.first_address, a);
    EXPECT_EQ(header.end_address, end);
    EXPECT_EQ(header.object_count, 3u);
    EXPECT_EQ(header.slot_count, 6u);
    const char* const names[] = {"types", "lengths", "gaps", "references", "", "hashes", "texts"};
    for (size_t i = 0; i < stream::kColumnCount; ++i) {
      const Bytes expected = *names[i] == 0 ? Bytes() : BytesFromPage(names[i]);
      EXPECT_EQ(Bytes(columns.column[i].begin(), columns.column[i].end()), expected) << names[i];
    }
  });
  encoder.BeginRange(0);
  encoder.Add({.type = 0, .address = a, .end = a + 40, .length = 0, .slots = 3, .targets = {{0, a}, {1, x}}});
  encoder.Add({.type = 1,
               .address = x,
               .end = x + 32,
               .length = 5,
               .slots = 0,
               .targets = {},
               .hash = 0x0123456789ABCDEF,
               .text = "leak",
               .text_cut = true});
  encoder.Add({.type = 0, .address = b, .end = end, .length = 0, .slots = 3, .targets = {{0, a}, {1, x}}});
  encoder.EndRange();
}

TEST_F(FormatExampleTest, FileHoldsTheStatedChecksums) {
  Write(builder_);
  EXPECT_EQ(QueryChecksum(path_, "SELECT checksum FROM completeness WHERE name='threads'"),
            FromPage("threads checksum"));
  const Bytes digest = BytesFromPage("threads bytes");
  EXPECT_EQ(Hex(stream::Crc32c(0, digest.data(), digest.size())), FromPage("threads checksum"));
  EXPECT_EQ(Query(path_, "SELECT data FROM fields WHERE id=0"), BytesFromPage("fields data"));
  EXPECT_EQ(QueryChecksum(path_, "SELECT fields_checksum FROM types WHERE id=0"), FromPage("fields checksum"));
}

// A file made of the page's bytes alone reads as the page says.
TEST_F(FormatExampleTest, ReaderReadsThePage) {
  Write(builder_);
  const Bytes frame = BytesFromPage("types frame");
  const Bytes lengths = *CompressColumn(BytesFromPage("lengths")), gaps = *CompressColumn(BytesFromPage("gaps"));
  const Bytes references = *CompressColumn(BytesFromPage("references"));
  const Bytes hashes = *CompressColumn(BytesFromPage("hashes")), texts = *CompressColumn(BytesFromPage("texts"));
  const stream::ChunkHeader header{
      .first_address = 0x7F0000001000, .end_address = 0x7F0000001080, .object_count = 3, .slot_count = 6};
  const StoredColumn columns[] = {
      {stream::ColumnKind::kTypes, 3, frame},   {stream::ColumnKind::kLengths, 1, lengths},
      {stream::ColumnKind::kGaps, 2, gaps},     {stream::ColumnKind::kReferences, 6, references},
      {stream::ColumnKind::kHashes, 8, hashes}, {stream::ColumnKind::kTexts, 5, texts}};
  path_ = folder_.File("page.cairn");
  auto writer = SnapshotWriter::Create(path_, {});
  ASSERT_TRUE((*writer)->AddChunk(header, columns));
  Summary summary = *builder_.MakeSummary();
  summary.totals.chunks = 1;
  ASSERT_TRUE((*writer)->Finish(summary));
  EXPECT_EQ(QueryChecksum(path_, "SELECT checksum FROM columns WHERE id=0"), FromPage("types checksum"));

  const auto reader = Open();
  ASSERT_NE(reader, nullptr);
  stream::DecodedChunk chunk;
  const Status read = reader->ReadChunk(0, chunk);
  ASSERT_TRUE(read) << read.error().message;
  const uint64_t a = 0x7F0000001000, x = 0x7F0000001038, b = 0x7F0000001058;
  EXPECT_EQ(chunk.addresses, (std::vector<uint64_t>{a, x, b}));
  EXPECT_EQ(chunk.sizes, (std::vector<uint64_t>{40, 32, 40}));
  EXPECT_EQ(chunk.targets, (std::vector<uint64_t>{a, x, 0, a, x, 0}));
  stream::DecodedContents contents;
  ASSERT_TRUE(reader->ReadContents(0, chunk, contents));
  EXPECT_EQ(ContentsText(contents.Of(0)), "");
  EXPECT_EQ(ContentsText(contents.Of(1)), "|123456789abcdef|cut leak");
  EXPECT_EQ(Verify(*reader)->errors, std::vector<std::string>());
}

}  // namespace
}  // namespace cairn::snapshot::testing
