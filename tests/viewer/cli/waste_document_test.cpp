// waste: document, tables and notes of a snapshot of its own.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "snapshot-format/testing/snapshot_builder.h"
#include "tests/snapshot-format/temporary_folder.h"
#include "tests/viewer/cli/cairn_program.h"
#include "tests/viewer/cli/checked_document.h"
#include "tests/viewer/presentation/csv_reader.h"

namespace cairn::cli::testing {
namespace {

using nlohmann::json;
using presentation::testing::ReadCsv;
using snapshot::RootKind;
using snapshot::testing::ObjectHandle;
using snapshot::testing::SnapshotBuilder;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// Three orders, each with its own "EUR" (22 + 6 → 32 bytes); a list with room for 8 (24 + 64), of which 3 are used; a
// boxed number.
class WasteDocument : public ::testing::Test {
 protected:
  void Write(const std::string& strings) {
    SnapshotBuilder builder;
    builder.Process().pid = 4242;
    builder.Capture().strings = strings;
    const uint32_t text = builder.String(), order = builder.Class("Shop.Order", {"Currency"});
    const uint32_t list = builder.Class("System.Collections.Generic.List<Shop.Order>", {"_items"});
    builder.ValueField(list, "_size");
    const uint32_t boxed = builder.Class("System.Int32", {}, 8);
    builder.TypeAt(boxed).kind = snapshot::TypeKind::kBoxedStruct;
    std::vector<snapshot::testing::Target> orders;
    for (int i = 0; i < 3; ++i) {
      const ObjectHandle currency = strings == "none" ? builder.Array("", text, 3) : builder.StringOf("", text, "EUR");
      orders.emplace_back(builder.Object("", order, {currency}));
    }
    const ObjectHandle items = builder.Array("", builder.ReferenceArray("Shop.Order[]"), 8, orders);
    const ObjectHandle all = builder.Object("", list, {items});
    builder.Value(all, "_size", 3);
    builder.Root(RootKind::kStatic, all, "Shop.All");
    builder.Root(RootKind::kStatic, builder.Object("", boxed), "Shop.Count");
    if (!builder.Write(Path())) throw std::runtime_error("not written");
  }

  std::string Path() const { return folder_.File("a.cairn"); }
  json Document() const { return CheckedDocument(RunCairn({"waste", Path(), "--json"}), 0, "waste"); }

  snapshot::testing::TemporaryFolder folder_;
};

TEST_F(WasteDocument, Json) {
  Write("all");
  const json waste = Document();
  ASSERT_EQ(waste["duplicates"].size(), 1u);
  EXPECT_EQ(waste["duplicates"][0], json::parse(R"({"kind":"string","type":"System.String","copies":3,"bytes_each":32,
                                                    "wasted":64,"example":0,"text":"EUR","holders":["Shop.Order.Currency"]})"));
  EXPECT_EQ(waste["bytes_in_copies"], json::parse(R"({"strings":64,"arrays":0})"));  // (3 - 1) * 32
  ASSERT_EQ(waste["collections"].size(), 1u);
  EXPECT_EQ(waste["collections"][0]["capacity"], 8);
  EXPECT_EQ(waste["collections"][0]["used"], 3);
  EXPECT_EQ(waste["collections"][0]["wasted"], 40);
  EXPECT_EQ(waste["boxed"], json::parse(R"([{"type":"System.Int32","objects":1,"bytes":24}])"));
}

TEST_F(WasteDocument, TextsOnlyWhereTheyWereCaptured) {
  Write("hash");
  EXPECT_TRUE(Document()["duplicates"][0]["text"].is_null());
  const Outcome text = RunCairn({"waste", Path()});
  EXPECT_THAT(text.err, HasSubstr("cairn capture 4242 --strings all"));
  EXPECT_THAT(text.out, Not(HasSubstr("EUR")));
}

TEST_F(WasteDocument, WithoutHashesItSaysHowToGetThem) {
  Write("none");
  EXPECT_TRUE(Document()["duplicates"].is_null());  // not known, which is not none
  EXPECT_TRUE(Document()["bytes_in_copies"].is_null());
  EXPECT_THAT(RunCairn({"waste", Path()}).err, HasSubstr("cairn capture 4242 --strings hash"));
}

TEST_F(WasteDocument, TextAndCsv) {
  Write("all");
  const Outcome text = RunCairn({"waste", Path()});
  EXPECT_THAT(text.out, HasSubstr("Equal contents: 64 bytes in copies (64 of strings, 0 of arrays)\n"));
  EXPECT_THAT(text.out, HasSubstr("\"EUR\"  Shop.Order.Currency\n"));
  EXPECT_THAT(text.out, HasSubstr("Collections and sparse arrays: 40 bytes not used\n"));
  EXPECT_THAT(text.out, HasSubstr("Boxed values: 24 bytes\n"));
  EXPECT_THAT(text.err, IsEmpty());
  EXPECT_EQ(ReadCsv(RunCairn({"waste", Path(), "--csv"}).out).size(), 2u);
  EXPECT_EQ(ReadCsv(RunCairn({"waste", Path(), "--csv", "--table", "boxed"}).out)[1][0], "System.Int32");
}

}  // namespace
}  // namespace cairn::cli::testing
