#include "viewer/presentation/note_book.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace cairn::presentation {
namespace {

class Notes : public ::testing::Test {
 protected:
  ~Notes() override { std::filesystem::remove_all(folder_); }

  const std::string folder_ =
      (std::filesystem::temp_directory_path() / ("cairn-notes-" + std::to_string(getpid()))).string();
  const std::string path_ = folder_ + "/cairn/notes.json";
};

using Listed = std::vector<std::pair<std::string, std::string>>;

TEST_F(Notes, AreKeptBySnapshotAndThing) {
  {
    NoteBook book(path_);
    ASSERT_TRUE(book.Set({"abc", ""}, "the bad night"));
    ASSERT_TRUE(book.Set({"abc", "@12"}, "held by\nthe cache \"x\""));
    ASSERT_TRUE(book.Set({"def", "@12"}, "another"));
  }
  const NoteBook book(path_);
  EXPECT_EQ(book.Get({"abc", ""}), "the bad night");
  EXPECT_EQ(book.Of("abc"), (Listed{{"", "the bad night"}, {"@12", "held by\nthe cache \"x\""}}));
  EXPECT_EQ(book.Get({"def", "@13"}), "");
  EXPECT_TRUE(book.Of("none").empty());
}

TEST_F(Notes, AnEmptyTextTakesThemAway) {
  NoteBook book(path_);
  ASSERT_TRUE(book.Set({"abc", ""}, "x"));
  ASSERT_TRUE(book.Set({"abc", ""}, ""));
  EXPECT_TRUE(book.Of("abc").empty());
  EXPECT_TRUE(NoteBook(path_).Of("abc").empty());
}

TEST_F(Notes, OfTwoWindowsBothStay) {
  NoteBook first(path_), second(path_);
  ASSERT_TRUE(first.Set({"abc", "@1"}, "one"));
  ASSERT_TRUE(second.Set({"abc", "@2"}, "two"));
  EXPECT_EQ(NoteBook(path_).Of("abc").size(), 2u);
}

TEST_F(Notes, WhatIsNoNoteIsSetAside) {
  std::filesystem::create_directories(folder_ + "/cairn");
  std::ofstream(path_) << "not json";
  NoteBook book(path_);
  ASSERT_TRUE(book.Set({"abc", ""}, "x"));
  std::string kept;
  std::getline(std::ifstream(path_ + ".unreadable"), kept);
  EXPECT_EQ(kept, "not json");
}

TEST_F(Notes, SayWhereTheyCannotBeKept) {
  std::filesystem::create_directories(folder_);
  std::ofstream(folder_ + "/cairn") << "a file where a folder should be";
  NoteBook book(path_);
  const Status kept = book.Set({"abc", ""}, "x");
  ASSERT_FALSE(kept);
  EXPECT_EQ(kept.error().code, "notes.unwritable");
  EXPECT_EQ(book.Get({"abc", ""}), "x");
}

TEST_F(Notes, NameASnapshotByItsIdElseByItsPath) {
  snapshot::Summary summary;
  EXPECT_EQ(NoteNameOf(summary, "/a/b.cairn"), "file:/a/b.cairn");
  summary.capture.id = "0123";
  EXPECT_EQ(NoteNameOf(summary, "/a/b.cairn"), "0123");
}

}  // namespace
}  // namespace cairn::presentation
