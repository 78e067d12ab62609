#pragma once
// A snapshot with something in every table, a text of everything it holds, and the knife to change a file
// behind the writer's back.

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "snapshot-format/file/rows.h"
#include "snapshot-format/file/snapshot_reader.h"
#include "snapshot-format/file/verifier.h"
#include "snapshot-format/testing/snapshot_builder.h"
#include "tests/snapshot-format/temporary_folder.h"

namespace cairn::snapshot::testing {

// 3 ranges, 2 chunks in the first, arrays over chunks, every kind of column and table.
inline SnapshotBuilder FullBuilder() {
  SnapshotBuilder builder;
  const uint32_t node = builder.Class("Shop.Node", {"next", "value"}, 8);
  const uint32_t nodes = builder.ReferenceArray("Shop.Node[]", "Shop.Node");
  const uint32_t entries = builder.StructArray("Shop.Entry[]", 24, {{"Key", 0}, {"Value", 8}});
  const uint32_t text = builder.String();
  builder.TypeAt(node).module = builder.Module("Shop.dll");
  builder.TypeAt(nodes).base = "System.Array";
  builder.Object("a", node, {"b", "text"});
  builder.Array("text", text, 5);
  builder.Gap(48);
  builder.Object("b", node, {"a"});
  const ObjectHandle big = builder.Array("big", nodes, 300000, {"a", nullptr, "b"});
  builder.Refer(big, 299999, "text");
  builder.Array("map", entries, 3, {"a", "b", nullptr, nullptr, "big"});
  const uint32_t list = builder.Class("Shop.List", {"_items"});
  builder.ValueField(list, "_size").ValueField(list, "_closed", 1, 0x02, "System.Boolean");
  const ObjectHandle closed = builder.Object("list", list, {"big"});
  builder.Value(closed, "_size", 300000).Value(closed, "_closed", 1);
  builder.Text(builder.StringOf("word", text, "leak"), "leak").Method(0x7F8000001000, "Shop.Prices.OnChanged");
  builder.Capture().strings = "all";
  builder.Capture().salt_id = "0123456789abcdef";
  builder.Range(Generation::kLoh);
  builder.Array("large", text, 50000);
  builder.Gap(24);
  builder.Range(Generation::kFrozen);
  builder.Array("literal", text, 1);
  builder.LoaderAllocator(entries, "a");
  builder.Thread("main", 10, 1);
  builder.Root(RootKind::kStatic, "big", "Shop.Cache.All");
  builder.AddRoot(
      {.kind = RootKind::kLocal, .source = 0x7FFC0010, .name = "Main", .thread = 0, .certain = false, .pinning = true},
      "map");
  builder.Dependent("a", "b");
  builder.Problem("walk.note", "a warning", false);
  return builder;
}

// Prints every column of every row by the row descriptions.
class TextArchive {
 public:
  template <class T>
  void operator()(const char* name, const T& value) {
    out_ << name << '=' << +value << ' ';
  }
  template <class T>
  void operator()(const char* name, const T& value, unsigned) {
    out_ << name << '=' << int(value) << ' ';
  }
  void operator()(const char* name, const std::string& value) { out_ << name << "='" << value << "' "; }
  void operator()(const char* name, const std::optional<uint64_t>& value) {
    out_ << name << '=' << (value ? std::to_string(*value) : "null") << ' ';
  }
  void Id(const char* name, uint32_t id) { out_ << name << '=' << id << ' '; }
  void Offsets(const char* name, const std::vector<uint32_t>& offsets, uint32_t count) {
    out_ << name << '=' << count << ':';
    for (const uint32_t offset : offsets) out_ << offset << ',';
  }
  void EndRow() { out_ << '\n'; }
  std::string Text() const { return out_.str(); }

 private:
  std::ostringstream out_;
};

template <class Record>
void Print(TextArchive& text, std::vector<Record> records) {
  for (Record& record : records) Row(text, record), text.EndRow();
}

inline std::string SummaryText(Summary summary) {
  TextArchive text;
  Metadata(text, summary);
  text.EndRow();
  Print(text, summary.problems), Print(text, summary.ranges), Print(text, summary.modules);
  for (const Type& type : summary.types) {
    TypeRow row{type, {}};
    Row(text, row), text.EndRow();
  }
  Print(text, summary.threads), Print(text, summary.roots), Print(text, summary.dependents),
      Print(text, summary.methods);
  return text.Text();
}

template <class T>
std::string Checksum(const std::vector<T>& values) {
  return std::to_string(stream::Crc32c(0, values.data(), values.size() * sizeof(T))) + " ";
}

// "3 0|af63…|cut leak" of what is kept of one object; empty for nothing.
inline std::string ContentsText(const stream::ObjectContents& contents) {
  std::ostringstream out;
  for (const int64_t value : contents.values) out << value << ' ';
  if (contents.hash != 0) out << '|' << std::hex << contents.hash;
  if (contents.has_text) out << '|' << (contents.text_cut ? "cut " : "") << contents.text;
  return out.str();
}

// Everything a reader can be asked for; "error: …" where it refuses.
inline std::string Content(SnapshotReader& reader) {
  std::string text = SummaryText(reader.Summary());
  stream::DecodedChunk chunk;
  stream::DecodedContents contents;
  for (size_t i = 0; i < (*reader.Chunks())->size(); ++i) {
    if (const Status status = reader.ReadChunk(i, chunk); !status) return "error: " + status.error().message;
    text += Checksum(chunk.types) + Checksum(chunk.addresses) + Checksum(chunk.sizes) + Checksum(chunk.lengths) +
            Checksum(chunk.slots) + Checksum(chunk.first_slot) + Checksum(chunk.targets) + "\n";
    if (const Status status = reader.ReadContents(i, chunk, contents); !status)
      return "error: " + status.error().message;
    for (size_t object = 0; object < chunk.types.size(); ++object) text += ContentsText(contents.Of(object));
  }
  for (uint32_t type = 0; type < reader.Summary().types.size(); ++type) {
    const auto fields = reader.ReadFields(type);
    if (!fields) return "error: " + fields.error().message;
    for (const Field& field : *fields) {
      text += field.name + " " + std::to_string(field.offset) + " " + std::to_string(int(field.kind)) + " " +
              std::to_string(field.element_type) + " " + field.type + "\n";
    }
  }
  return text;
}

// The same from a path, the verifier's errors included.
inline std::string ContentOf(const std::string& path) {
  auto reader = SnapshotReader::Open(path);
  if (!reader) return "error: " + reader.error().message;
  std::string text = Content(**reader);
  if (text.starts_with("error: ")) return text;
  const auto report = Verify(**reader);
  if (!report) return "error: " + report.error().message;
  if (!report->errors.empty()) return "error: " + report->errors.front();
  return text;
}

// Runs SQL on a snapshot as any program could.
inline void Doctor(const std::string& path, const std::string& sql) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  char* message = nullptr;
  EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &message), SQLITE_OK) << message;
  sqlite3_free(message);
  sqlite3_close(database);
}

class SnapshotFileTest : public ::testing::Test {
 protected:
  std::unique_ptr<SnapshotReader> Open() {
    auto reader = SnapshotReader::Open(path_);
    EXPECT_TRUE(reader) << reader.error().message;
    return reader ? std::move(*reader) : nullptr;
  }
  void Write(SnapshotBuilder& builder) {
    const auto written = builder.Write(path_);
    ASSERT_TRUE(written) << written.error().message;
  }
  void WriteFull() {
    SnapshotBuilder builder = FullBuilder();
    Write(builder);
  }
  Error OpenError() {
    const auto reader = SnapshotReader::Open(path_);
    EXPECT_FALSE(reader) << "it opened";
    return reader ? Error{} : reader.error();
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.File("test.cairn");
};

}  // namespace cairn::snapshot::testing
