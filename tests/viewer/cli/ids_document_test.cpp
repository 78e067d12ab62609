// ids FILE: document and lines of a snapshot of its own.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "snapshot-format/testing/snapshot_builder.h"
#include "tests/snapshot-format/temporary_folder.h"
#include "tests/viewer/cli/cairn_program.h"
#include "tests/viewer/cli/checked_document.h"
#include "tests/viewer/cli/sample_snapshots.h"

namespace cairn::cli::testing {
namespace {

using nlohmann::json;
using snapshot::testing::SnapshotBuilder;
using ::testing::HasSubstr;

// Shop.Order: method table and header 16, two references 16: 32 bytes; fields behind the method table, at 8 and 16.
class IdsDocument : public ::testing::Test {
 protected:
  IdsDocument() {
    SnapshotBuilder builder;
    const uint32_t shop = builder.Module("Shop.dll", true);
    const uint32_t order = builder.Class("Shop.Order", {"customer", "next"});
    builder.TypeAt(order).module = shop;
    builder.TypeAt(order).method_table = 0x7f00aa00;
    builder.TypeAt(order).base = "Shop.Entity";
    builder.Object("a", order);
    builder.Method(0x7f00bb00, "Shop.Prices.OnChanged(System.Object)");
    builder.Thread("Main", 42, 1);
    if (!builder.Write(Path())) throw std::runtime_error("not written");
  }

  std::string Path() const { return folder_.File("a.cairn"); }
  json Ids(const std::vector<std::string>& more) const {
    std::vector<std::string> arguments = {"ids", Path(), "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return CheckedDocument(RunCairn(arguments), 0, "ids").at("ids");
  }

  snapshot::testing::TemporaryFolder folder_;
};

TEST_F(IdsDocument, TellsWhatASnapshotHolds) {
  const json functions = Ids({"--kind", "function"});
  ASSERT_EQ(functions.size(), 1u);
  EXPECT_EQ(functions[0], (json{{"kind", "function"},
                                {"id", "0x7f00bb00"},
                                {"name", "Shop.Prices.OnChanged(System.Object)"},
                                {"path", nullptr},
                                {"detail", {{"held_as", "delegate"}}}}));
  const json others = Ids({"--kind", "module,thread"});
  ASSERT_EQ(others.size(), 2u);
  EXPECT_EQ(others[0]["name"], "Shop.dll");
  EXPECT_EQ(others[0]["id"], nullptr);
  EXPECT_EQ(others[0]["detail"]["collectible"], true);
  EXPECT_EQ(others[1]["name"], "Main");
  EXPECT_EQ(others[1]["detail"], (json{{"os_thread", 42}, {"managed_thread", 1}}));
}

TEST_F(IdsDocument, OneClassComesWithItsFields) {
  const json ids = Ids({"0x7f00aa00"});
  ASSERT_EQ(ids.size(), 1u);
  EXPECT_EQ(ids[0]["kind"], "class");
  EXPECT_EQ(ids[0]["name"], "Shop.Order");
  EXPECT_EQ(ids[0]["path"], "Shop.dll");
  const json& detail = ids[0]["detail"];
  EXPECT_EQ(detail["is"], "class");
  EXPECT_EQ(detail["base"], "Shop.Entity");
  EXPECT_EQ(detail["bytes"], 32);
  EXPECT_EQ(detail["objects"], 1);
  EXPECT_THAT(detail["field_8"], ::testing::StartsWith("customer: "));
  EXPECT_THAT(detail["field_16"], ::testing::StartsWith("next: "));
  EXPECT_FALSE(Ids({"--kind", "class"})[0]["detail"].contains("field_8"));
}

TEST_F(IdsDocument, Text) {
  const Outcome outcome = RunCairn({"ids", Path()});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("module    -               Shop.dll  [/app/Shop.dll]  collectible=yes\n"));
  EXPECT_THAT(outcome.out, HasSubstr("class     0x00007f00aa00  Shop.Order  [Shop.dll]  is=class"));
  EXPECT_THAT(outcome.out, HasSubstr("thread    -               Main  os_thread=42  managed_thread=1\n"));
}

TEST_F(IdsDocument, WhatItDoesNotHoldHasASentence) {
  for (const std::vector<std::string>& more : {std::vector<std::string>{"0x1234"}, {"--kind", "domain,assembly"}}) {
    std::vector<std::string> arguments = {"ids", Path(), "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    EXPECT_EQ(CheckedDocument(RunCairn(arguments), 3, "error")["error"]["code"], "ids.none") << more.back();
  }
  EXPECT_EQ(CheckedDocument(RunCairn({"ids", "gone.cairn", "--json"}), 3, "error")["error"]["code"],
            "snapshot.missing");
  EXPECT_EQ(CheckedDocument(RunCairn({"ids", "4x2", "--json"}), 2, "error")["error"]["code"], "usage.bad_pid");
}

TEST(IdsOfASnapshot, IncompleteOnesSaySo) {
  const json document = CheckedDocument(RunCairn({"ids", Samples().Path("odd.cairn"), "--json"}), 4, "ids");
  EXPECT_EQ(document["complete"], false);
  EXPECT_EQ(document["problems"].size(), 2u);
}

}  // namespace
}  // namespace cairn::cli::testing
