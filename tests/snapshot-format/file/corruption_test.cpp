// A real file, damaged at thousands of places: each time an error, or what was there before.

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <random>

#include "tests/snapshot-format/file/snapshot_cases.h"

namespace cairn::snapshot::testing {
namespace {

class CorruptionTest : public SnapshotFileTest {
 protected:
  void SetUp() override {
    WriteFull();
    original_ = ReadAll(path_);
    content_ = ContentOf(path_);
    ASSERT_FALSE(content_.starts_with("error")) << content_;
  }

  void PutByte(size_t at, uint8_t byte) {
    const int file = open(path_.c_str(), O_WRONLY);
    ASSERT_EQ(pwrite(file, &byte, 1, static_cast<off_t>(at)), 1);
    close(file);
  }
  // Returns whether the damage was found; fails where it was not and the content changed.
  bool Damage(size_t at, uint8_t flipped) {
    PutByte(at, original_[at] ^ flipped);
    const std::string content = ContentOf(path_);
    PutByte(at, original_[at]);
    const bool found = content.starts_with("error");
    EXPECT_TRUE(found || content == content_) << "byte " << at << " xor " << int(flipped);
    return found;
  }
  std::vector<size_t> UsedBytes() const {
    std::vector<size_t> used;
    for (size_t i = 0; i < original_.size(); ++i) {
      if (original_[i] != 0) used.push_back(i);
    }
    return used;
  }

  std::vector<uint8_t> original_;
  std::string content_;
};

TEST_F(CorruptionTest, EveryBitOfTheDatabaseHeader) {
  for (size_t at = 0; at < 108; ++at) {
    for (unsigned bit = 0; bit < 8; ++bit) Damage(at, static_cast<uint8_t>(1 << bit));
  }
}

TEST_F(CorruptionTest, OneBitOfEveryUsedByte) {
  std::mt19937_64 random(1);
  uint64_t found = 0;
  const std::vector<size_t> used = UsedBytes();
  for (const size_t at : used) found += Damage(at, static_cast<uint8_t>(1 << random() % 8));
  // What is not found is what SQLite does not use: nearly everything is.
  EXPECT_GT(found, used.size() * 9 / 10);
  EXPECT_GT(used.size(), 3000u);
}

TEST_F(CorruptionTest, RandomBitsAnywhere) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 800; ++i) Damage(random() % original_.size(), static_cast<uint8_t>(1 << random() % 8));
}

TEST_F(CorruptionTest, StartOfEveryPage) {
  for (size_t page = 0; page < original_.size(); page += 65536) {
    for (size_t at = page; at < page + 24; ++at) Damage(at, 0xFF);
  }
}

TEST_F(CorruptionTest, CutAnywhere) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 300; ++i) {
    const size_t size = i < 120 ? static_cast<size_t>(i) : random() % original_.size();
    WriteAll(path_, std::vector<uint8_t>(original_.begin(), original_.begin() + static_cast<std::ptrdiff_t>(size)));
    EXPECT_TRUE(ContentOf(path_).starts_with("error")) << size;
  }
}

TEST_F(CorruptionTest, PageOverwrittenByAnother) {
  const size_t pages = original_.size() / 65536;
  for (size_t to = 0; to < pages; ++to) {
    for (size_t from = 0; from < pages; ++from) {
      std::vector<uint8_t> bytes = original_;
      std::copy_n(original_.begin() + static_cast<std::ptrdiff_t>(from * 65536), 65536,
                  bytes.begin() + static_cast<std::ptrdiff_t>(to * 65536));
      WriteAll(path_, bytes);
      const std::string content = ContentOf(path_);
      EXPECT_EQ(content.starts_with("error"), from != to) << from << " over " << to;
    }
  }
}

TEST_F(CorruptionTest, PageOfZeroes) {
  for (size_t page = 0; page < original_.size() / 65536; ++page) {
    std::vector<uint8_t> bytes = original_;
    std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(page * 65536), 65536, uint8_t{0});
    WriteAll(path_, bytes);
    EXPECT_TRUE(ContentOf(path_).starts_with("error")) << page;
  }
}

TEST_F(CorruptionTest, BytesBehindTheEndAreFound) {
  std::vector<uint8_t> bytes = original_;
  bytes.insert(bytes.end(), 1000, 0xAA);
  WriteAll(path_, bytes);
  EXPECT_EQ(ContentOf(path_), "error: the file goes on for 1000 bytes behind the pages that its header counts");
}

// Changes that leave a perfect SQLite database.
TEST_F(CorruptionTest, RowsChangedBySql) {
  const char* const statements[] = {
      "UPDATE metadata SET value=value+1 WHERE name='process.pid'",
      "UPDATE metadata SET value='x' WHERE name='process.pid'",
      "UPDATE metadata SET name='process.pie' WHERE name='process.pid'",
      "UPDATE metadata SET value=NULL WHERE name='process.name'",
      "DELETE FROM metadata WHERE name='complete'",
      "UPDATE metadata SET value=1.5 WHERE name='complete'",
      "UPDATE problems SET message='all is well'",
      "DELETE FROM problems",
      "UPDATE ranges SET edges=edges+1 WHERE id=0",
      "UPDATE ranges SET start=CAST('abc' AS BLOB) WHERE id=0",
      "UPDATE modules SET id=7",
      "UPDATE types SET name='Other' WHERE id=1",
      "UPDATE types SET fixed_slots=x'0800' WHERE id=0",
      "UPDATE types SET field_count=0, fields_checksum=0 WHERE id=0",
      "UPDATE threads SET os_id=-1",
      "UPDATE threads SET os_id=4294967296",
      "INSERT INTO threads VALUES (1, 2, 3, 'intruder')",
      "UPDATE roots SET certain=2 WHERE id=0",
      "DELETE FROM roots WHERE id=1",
      "UPDATE dependents SET primary_object=secondary_object",
      "UPDATE methods SET name='Other.Method'",
      "UPDATE fields SET data=x'00' WHERE id=0",
      "DELETE FROM fields WHERE id=2",
      "UPDATE fields SET data=(SELECT data FROM fields WHERE id=0) WHERE id=2",
      "UPDATE types SET has_text=0",
      "UPDATE types SET value_slots=x'' WHERE id=4",
      "UPDATE chunks SET types_bytes=1",
      "UPDATE chunks SET hashes_bytes=0",
      "UPDATE chunks SET end_address=end_address+8 WHERE id=0",
      "DELETE FROM columns WHERE id=0",
      "UPDATE columns SET checksum=checksum+1 WHERE id=0",
      "UPDATE columns SET data='text' WHERE id=0",
      "UPDATE columns SET checksum='x' WHERE id=0",
      "UPDATE completeness SET row_count=row_count+1 WHERE id=3",
      "UPDATE completeness SET checksum=0 WHERE id=0",
      "UPDATE completeness SET checksum=NULL WHERE id=0",
      "UPDATE completeness SET name='x' WHERE id=0",
      "DELETE FROM completeness WHERE id=12",
      "INSERT INTO completeness VALUES (13, 'x', 0, 0)",
      "ALTER TABLE threads RENAME TO strings",
      "ALTER TABLE threads ADD COLUMN more",
      "CREATE INDEX extra ON roots (object)",
      "CREATE VIEW extra AS SELECT 1",
      "CREATE TRIGGER extra AFTER INSERT ON roots BEGIN DELETE FROM types; END",
      "DROP TABLE roots; CREATE VIEW roots AS SELECT * FROM dependents",
  };
  for (const char* statement : statements) {
    WriteAll(path_, original_);
    Doctor(path_, statement);
    const std::string content = ContentOf(path_);
    EXPECT_TRUE(content.starts_with("error")) << statement;
  }
}

TEST_F(CorruptionTest, SwappedColumnsAreFound) {
  Doctor(path_,
         "CREATE TEMP TABLE t AS SELECT * FROM columns WHERE id IN (14, 21);"
         "UPDATE columns SET checksum=(SELECT checksum FROM t WHERE id=35-columns.id),"
         " data=(SELECT data FROM t WHERE id=35-columns.id) WHERE id IN (14, 21)");
  EXPECT_NE(ContentOf(path_).find("chunk 2: types column: its checksum does not match"), std::string::npos)
      << ContentOf(path_);
}

TEST_F(CorruptionTest, SentencesNameTheTable) {
  Doctor(path_, "UPDATE roots SET object=object+8 WHERE id=0");
  EXPECT_EQ(OpenError().message, path_ + " is damaged: table roots does not match its checksum");
  WriteAll(path_, original_);
  Doctor(path_, "DELETE FROM roots WHERE id=1");
  EXPECT_EQ(OpenError().message, path_ + " is damaged: table roots has only 1 of 2 rows");
  WriteAll(path_, original_);
  Doctor(path_, "UPDATE threads SET os_id='x'");
  EXPECT_EQ(OpenError().message,
            path_ + " is damaged: table threads row 0: column os_id holds a value of another type");
}

}  // namespace
}  // namespace cairn::snapshot::testing
