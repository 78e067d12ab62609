#include "snapshot-format/file/row_archive.h"

#include <gtest/gtest.h>

#include "snapshot-format/file/rows.h"

namespace cairn::snapshot {
namespace {

class RowArchiveTest : public ::testing::Test {
 protected:
  RowArchiveTest()
      : database_(
            *Database::Open(":memory:", "memory", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, "", Access::kWrite)) {}

  // The row that SQL yields, parsed as a Root; what is wrong, or empty.
  std::string ParseRoot(const std::string& sql) {
    Statement statement = *Statement::Prepare(database_, "SELECT " + sql, "testing");
    EXPECT_TRUE(*statement.Step());
    RowDigest digest;
    RowParser parser(statement, digest, limits_);
    Row(parser, root_);
    return parser.WhatIsWrong();
  }

  Database database_;
  Limits limits_;
  Root root_;
};

TEST_F(RowArchiveTest, ParsesARow) {
  EXPECT_EQ(ParseRoot("2, -8, 16, 'Main', 3, 1, 0, 1"), "");
  EXPECT_EQ(root_.kind, RootKind::kLocal);
  EXPECT_EQ(root_.object, 0xFFFFFFFFFFFFFFF8u);
  EXPECT_EQ(root_.name, "Main");
  EXPECT_EQ(root_.thread, 3u);
  EXPECT_TRUE(root_.certain && !root_.interior && root_.pinning);
  EXPECT_EQ(ParseRoot("2, 8, 16, '', NULL, 1, 0, 1"), "");
  EXPECT_EQ(root_.thread, kNoId);
}

TEST_F(RowArchiveTest, NamesTheFirstColumnThatIsWrong) {
  EXPECT_EQ(ParseRoot("10, 8, 16, 'Main', 3, 1, 0, 1"), "column kind is no known kind");
  EXPECT_EQ(ParseRoot("-1, 8, 16, 'Main', 3, 1, 0, 1"), "column kind is no known kind");
  EXPECT_EQ(ParseRoot("2, 8.5, 16, 'Main', 3, 1, 0, 1"), "column object holds a value of another type");
  EXPECT_EQ(ParseRoot("2, 8, NULL, 'Main', 3, 1, 0, 1"), "column source holds a value of another type");
  EXPECT_EQ(ParseRoot("2, 8, 16, x'00', 3, 1, 0, 1"), "column name holds a value of another type");
  EXPECT_EQ(ParseRoot("2, 8, 16, 'Main', 4294967295, 1, 0, 1"), "column thread is out of range");
  EXPECT_EQ(ParseRoot("2, 8, 16, 'Main', -1, 1, 0, 1"), "column thread is out of range");
  EXPECT_EQ(ParseRoot("2, 8, 16, 'Main', 3, 2, 0, 'x'"), "column certain is out of range");
  limits_.max_text_bytes = 3;
  EXPECT_EQ(ParseRoot("2, 8, 16, 'Main', 3, 1, 0, 1"), "column name is longer than any text may be");
}

TEST_F(RowArchiveTest, WritingAndReadingHashTheSame) {
  ASSERT_TRUE(database_.Execute("CREATE TABLE roots (a, b, c, d, e, f, g, h)"));
  Statement insert = *Statement::Prepare(database_, "INSERT INTO roots VALUES (?,?,?,?,?,?,?,?)", "testing");
  RowDigest written, read;
  for (const uint32_t thread : {kNoId, 7u}) {
    Root root{.kind = RootKind::kHandleWeak, .object = ~0ull, .name = "x", .thread = thread};
    RowBinder binder(insert, written);
    Row(binder, root);
    ASSERT_TRUE(binder.Run());
  }
  Statement select = *Statement::Prepare(database_, "SELECT * FROM roots", "testing");
  while (*select.Step()) {
    RowParser parser(select, read, limits_);
    Row(parser, root_);
    read.EndRow();
  }
  EXPECT_EQ(read.Rows(), 2u);
  EXPECT_EQ(read.Checksum(), written.Checksum());
}

TEST(RowDigestTest, TellsValuesTypesAndOrderApart) {
  const auto checksum = [](auto fill) {
    RowDigest digest;
    fill(digest);
    digest.EndRow();
    return digest.Checksum();
  };
  const std::vector<uint8_t> text = {'1'};
  const std::vector<uint32_t> all = {
      checksum([](RowDigest&) {}),
      checksum([](RowDigest& d) { d.Null(); }),
      checksum([](RowDigest& d) { d.Integer(1); }),
      checksum([](RowDigest& d) { d.Integer(-1); }),
      checksum([](RowDigest& d) { d.Real(1); }),
      checksum([&](RowDigest& d) { d.Text(text); }),
      checksum([&](RowDigest& d) { d.Blob(text); }),
      checksum([](RowDigest& d) { d.Integer(1), d.Null(); }),
      checksum([](RowDigest& d) { d.Null(), d.Integer(1); }),
  };
  for (size_t i = 0; i < all.size(); ++i) {
    for (size_t j = 0; j < i; ++j) EXPECT_NE(all[i], all[j]) << i << " and " << j;
  }
}

TEST(WithinLimitTest, NeverCutsACharacter) {
  std::string text;
  while (text.size() < 1'100'000) text += "\xE2\x98\x83";  // three bytes each
  const std::string cut = WithinLimit(text);
  const size_t note = cut.find("…");
  ASSERT_NE(note, std::string::npos);
  EXPECT_EQ(note % 3, 0u);
  EXPECT_LE(cut.size(), 1u << 20);
  EXPECT_EQ(WithinLimit("short"), "short");
}

TEST(SqliteTest, ErrorsNameTheFileAndWhatWasTried) {
  Database database =
      *Database::Open(":memory:", "f.cairn", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, "", Access::kRead);
  const auto statement = Statement::Prepare(database, "SELECT * FROM absent", "reading it");
  ASSERT_FALSE(statement);
  EXPECT_EQ(statement.error().code, "snapshot.damaged");
  EXPECT_EQ(statement.error().message, "f.cairn is damaged: reading it failed: no such table: absent");
  Statement select = *Statement::Prepare(database, "SELECT ?", "selecting");
  select.BindInteger(5, 1);  // there is no such parameter
  EXPECT_FALSE(select.Step());
  select.Rewind();
  EXPECT_TRUE(select.Step());
}

}  // namespace
}  // namespace cairn::snapshot
