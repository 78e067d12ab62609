// Where objects were allocated, in the documents and reports that compare and judge snapshots.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "snapshot-format/testing/snapshot_builder.h"
#include "tests/snapshot-format/temporary_folder.h"
#include "tests/viewer/cli/cairn_program.h"
#include "tests/viewer/cli/checked_document.h"

namespace cairn::cli::testing {
namespace {

using nlohmann::json;
using snapshot::RootKind;
using snapshot::testing::SnapshotBuilder;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kWords = "Shop.Cache.Add < Shop.Loader.Load (2 of 3 sampled; 3 of 4 instances were sampled)";

// `orders` objects in a static array. Sampled: the first three, two of them from Add < Load, one from Load.
void Write(const std::string& path, int orders, bool sampled) {
  SnapshotBuilder builder;
  builder.Process().pid = 4242;
  builder.Process().name = "Shop";
  builder.Capture().captured_at = "2026-01-02T03:04:05Z";
  const uint32_t order = builder.Class("Shop.Order"), list = builder.ReferenceArray("Shop.Order[]", "Shop.Order");
  std::vector<snapshot::testing::ObjectHandle> made;
  std::vector<snapshot::testing::Target> targets;
  for (int i = 0; i < orders; ++i) targets.emplace_back(made.emplace_back(builder.Object("", order)));
  builder.Array("list", list, 8, targets);
  builder.Root(RootKind::kStatic, "list", "Shop.Cache.All");
  if (sampled) {
    snapshot::Sampling sampling;
    sampling.seconds = 1;
    sampling.mean_bytes = 102400;
    sampling.samples = 3;
    sampling.methods = {{"Shop.Loader.Load"}, {"Shop.Cache.Add"}};
    sampling.frames = {{snapshot::kNoId, 0, false}, {0, 1, false}};
    sampling.totals = {{"Shop.Order", 1, 2, 8000, 200'000, false}, {"Shop.Order", 0, 1, 4000, 100'000, false}};
    for (int i = 0; i < 3; ++i) sampling.objects.push_back({builder.AddressOf(made[i]), i < 2 ? 1u : 0u});
    builder.BeforeFinish([sampling](snapshot::Summary& summary) { summary.sampling = sampling; });
  }
  if (const auto written = builder.Write(path); !written) throw std::runtime_error(written.error().message);
}

class AllocatedDocuments : public ::testing::Test {
 protected:
  AllocatedDocuments() {
    Write(Base(), 2, false);
    Write(Head(), 4, true);
    std::ofstream(Rules()) << "[[limit]]\nname = \"orders\"\ntype = \"Shop.Order\"\nmax_objects = 1\n";
  }

  std::string Base() const { return folder_.File("base.cairn"); }
  std::string Head() const { return folder_.File("head.cairn"); }
  std::string Rules() const { return folder_.File("rules.toml"); }
  std::string Report(const std::string& kind) const {
    const std::string path = folder_.File("report." + kind);
    const Outcome outcome = RunCairn({"check", Head(), "--rules", Rules(), "--report", kind + "=" + path});
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  static std::string ErrorOf(const std::vector<std::string>& arguments, int code) {
    const Outcome outcome = RunCairn(arguments);
    EXPECT_EQ(outcome.code, code);
    return json::parse(outcome.out)["error"]["code"];
  }
  static json RowOf(const json& rows, const std::string& type) {
    for (const json& row : rows)
      if (row["type"] == type) return row;
    throw std::runtime_error("no row of " + type);
  }

  snapshot::testing::TemporaryFolder folder_;
};

TEST_F(AllocatedDocuments, DiffByType) {
  const json diff = CheckedDocument(RunCairn({"diff", Base(), Head(), "--all", "--json"}), 0, "diff");
  EXPECT_EQ(RowOf(diff["types"], "Shop.Order")["allocated"], kWords);
  EXPECT_EQ(RowOf(diff["types"], "Shop.Order[]")["allocated"], nullptr);
  EXPECT_THAT(RunCairn({"diff", Base(), Head()}).out, HasSubstr("Allocated at"));
  EXPECT_THAT(RunCairn({"diff", Base(), Head(), "--csv"}).out, HasSubstr(kWords));
}

TEST_F(AllocatedDocuments, DiffByPath) {
  const json diff = CheckedDocument(RunCairn({"diff", Base(), Head(), "--by", "path", "--json"}), 0, "diff");
  EXPECT_EQ(RowOf(diff["paths"], "Shop.Order")["allocated"], kWords);
}

TEST_F(AllocatedDocuments, TheLastSnapshotTells) {
  const json backwards = CheckedDocument(RunCairn({"diff", Head(), Base(), "--json"}), 0, "diff");
  EXPECT_FALSE(RowOf(backwards["types"], "Shop.Order").contains("allocated"));
  EXPECT_THAT(RunCairn({"diff", Head(), Base()}).out, Not(HasSubstr("Allocated")));
}

TEST_F(AllocatedDocuments, Suspects) {
  const json suspects = CheckedDocument(RunCairn({"suspects", Head(), "--base", Base(), "--json"}), 0, "suspects");
  EXPECT_EQ(RowOf(suspects["suspects"], "Shop.Order")["allocated"], kWords);
}

TEST_F(AllocatedDocuments, InfoSaysHowMuchIsKnown) {
  const json info = CheckedDocument(RunCairn({"info", Head(), "--json"}), 0, "info");
  EXPECT_EQ(info["sampling"], json::parse(R"({"source":"samples","seconds":1.0,"mean_bytes":102400,"samples":3,
                                              "dropped":0,"objects":3,"unmatched":0,"lost":null})"));
  EXPECT_THAT(RunCairn({"info", Head()}).out,
              HasSubstr("Allocations 3 samples with stacks in 1.0 s, 0 dropped\n"
                        "            estimated without bias: one allocation in a mean of 102,400 bytes, at random\n"
                        "            the stacks of 3 objects in the snapshot\n"));
  EXPECT_FALSE(CheckedDocument(RunCairn({"info", Base(), "--json"}), 0, "info").contains("sampling"));
  EXPECT_THAT(RunCairn({"info", Base()}).out, Not(HasSubstr("Allocations")));
}

// What was sampled before a snapshot, as the same tables that a process gives.
TEST_F(AllocatedDocuments, AllocationsOfAFile) {
  const json all = CheckedDocument(RunCairn({"allocations", Head(), "--by", "method", "--json"}), 0, "allocations");
  EXPECT_EQ(all["complete"], true);
  EXPECT_EQ(all["problems"], json::array());
  ASSERT_EQ(all["types"].size(), 1u);
  EXPECT_EQ(all["types"][0]["bytes"], 300'000);  // 200,000 + 100,000
  EXPECT_EQ(all["by_method"][0]["method"], "Shop.Cache.Add");
  EXPECT_EQ(all["overhead"], json::parse(R"({"samples":3,"dropped":0,"left_out":null,"one_in":null,
                                             "without_stack":null,"taken_ms":null})"));
  const Outcome text = RunCairn({"allocations", Head()});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("100.0 %"));
  EXPECT_THAT(text.err, HasSubstr("cairn allocations: 3 samples in 1.0 s, 0 dropped\n"));
}

TEST_F(AllocatedDocuments, AllocationsOfAFileAsAPageSaysOfWhatAndWhen) {
  ASSERT_EQ(RunCairn({"allocations", Head(), "--html", folder_.File("page.html")}).code, 0);
  std::ostringstream page;
  page << std::ifstream(folder_.File("page.html")).rdbuf();
  EXPECT_THAT(page.str(), HasSubstr("<h1>Allocations of Shop, process 4242, before 2026-01-02T03:04:05Z</h1>"));
}

TEST_F(AllocatedDocuments, AllocationsOfAFileThatHasNone) {
  EXPECT_EQ(ErrorOf({"allocations", Base(), "--json"}, 3), "allocations.none");
  EXPECT_EQ(ErrorOf({"allocations", Head(), "--duration", "5s", "--json"}, 2), "usage.conflict");
}

TEST_F(AllocatedDocuments, PathOfAType) {
  const json path = CheckedDocument(RunCairn({"path", Head(), "--type", "Shop.Order", "--json"}), 0, "path");
  ASSERT_EQ(path["types_allocated"].size(), 1u);  // the exact name; not Shop.Order[]
  const json& type = path["types_allocated"][0];
  EXPECT_EQ(type["type"], "Shop.Order");
  EXPECT_EQ(type["instances"], 4);
  EXPECT_EQ(type["sampled"], 3);
  EXPECT_EQ(type["sites"][0], json::parse(R"({"frames":["Shop.Cache.Add","Shop.Loader.Load"],"sampled":2})"));
  EXPECT_THAT(RunCairn({"path", Head(), "--type", "Shop.Order"}).out,
              HasSubstr(std::string("\nShop.Order allocated at ") + kWords + "\n"));
  EXPECT_THAT(RunCairn({"path", Head(), "--type", "Shop.Order", "--csv"}).out,
              HasSubstr(std::string("Shop.Cache.Add < Shop.Loader.Load,") + kWords + "\r\n"));
}

// Only the orders of a path speak for it.
TEST_F(AllocatedDocuments, EachPathOfAType) {
  const json path = CheckedDocument(RunCairn({"path", Head(), "--type", "Shop.Order", "--json"}), 0, "path");
  ASSERT_EQ(path["paths"].size(), 1u);
  EXPECT_EQ(path["paths"][0]["bytes"], 96);  // 4 × 24
  EXPECT_EQ(path["paths"][0]["allocated"], json::parse(R"({"instances":4,"sampled":3,"sites":[
      {"frames":["Shop.Cache.Add","Shop.Loader.Load"],"sampled":2},{"frames":["Shop.Loader.Load"],"sampled":1}]})"));
  const json other = CheckedDocument(RunCairn({"path", Head(), "--type", "Shop.Order[]", "--json"}), 0, "path");
  EXPECT_EQ(other["paths"][0]["allocated"], json::parse(R"({"instances":1,"sampled":0,"sites":[]})"));
  const json base = CheckedDocument(RunCairn({"path", Base(), "--type", "Shop.Order", "--json"}), 0, "path");
  EXPECT_FALSE(base["paths"][0].contains("allocated"));
}

// Of an object that was not sampled, and is not the example of its type, its like are told.
TEST_F(AllocatedDocuments, PathOfAnObject) {
  const std::string last = RunCairn({"path", Head(), "@3"}).out;
  EXPECT_THAT(last, HasSubstr(std::string("\nShop.Order allocated at ") + kWords + "\n"));
  EXPECT_THAT(last, Not(HasSubstr("@3 allocated at")));
  EXPECT_THAT(RunCairn({"path", Head(), "@0"}).out, HasSubstr("@0 allocated at Shop.Cache.Add < Shop.Loader.Load\n"));
}

TEST_F(AllocatedDocuments, PathOfTypesWithoutASample) {
  EXPECT_THAT(RunCairn({"path", Head(), "--type", "Shop.Order[]"}).out,
              HasSubstr("\nallocated where is not known: none of 1 instance was sampled\n"));
  const json path = CheckedDocument(RunCairn({"path", Base(), "Shop.Order", "--json"}), 0, "path");
  EXPECT_FALSE(path.contains("types_allocated"));
  EXPECT_THAT(RunCairn({"path", Base(), "Shop.Order"}).out, Not(HasSubstr("allocated")));
}

TEST_F(AllocatedDocuments, Object) {
  EXPECT_THAT(RunCairn({"object", Head(), "@0"}).out,
              HasSubstr(std::string("Allocated   at Shop.Cache.Add < Shop.Loader.Load; its type at ") + kWords + "\n"));
  EXPECT_THAT(RunCairn({"object", Head(), "@3"}).out,
              HasSubstr(std::string("Allocated   not known of this one; others of its type at ") + kWords + "\n"));
}

TEST_F(AllocatedDocuments, Check) {
  const json check = CheckedDocument(RunCairn({"check", Head(), "--rules", Rules(), "--json"}), 1, "check");
  const json& allocated = check["violations"][0]["allocated"];
  EXPECT_EQ(allocated["instances"], 4);
  EXPECT_EQ(allocated["sampled"], 3);
  EXPECT_EQ(allocated["sites"][0]["sampled"], 2);
  EXPECT_EQ(allocated["sites"][0]["frames"], json::parse(R"(["Shop.Cache.Add","Shop.Loader.Load"])"));
  EXPECT_EQ(allocated["sites"][1]["frames"], json::parse(R"(["Shop.Loader.Load"])"));
  EXPECT_THAT(RunCairn({"check", Head(), "--rules", Rules()}).out,
              HasSubstr(std::string("\n  Shop.Order allocated at ") + kWords + "\n"));
  EXPECT_THAT(RunCairn({"check", Head(), "--rules", Rules(), "--csv"}).out, HasSubstr(kWords));
}

TEST_F(AllocatedDocuments, ReportsOfACheck) {
  EXPECT_THAT(Report("junit"), HasSubstr("Shop.Order allocated at Shop.Cache.Add &lt; Shop.Loader.Load (2 of 3"));
  EXPECT_THAT(Report("html"), HasSubstr("<p>Shop.Order allocated at Shop.Cache.Add &lt; Shop.Loader.Load (2 of 3"));
  EXPECT_THAT(Report("md"), HasSubstr("Shop.Order allocated at Shop.Cache.Add \\< Shop.Loader.Load \\(2 of 3"));
  EXPECT_THAT(Report("text"), HasSubstr(kWords));
  const json stacks = json::parse(Report("sarif"))["runs"][0]["results"][0]["stacks"];
  ASSERT_EQ(stacks.size(), 2u);
  EXPECT_EQ(stacks[0]["message"]["text"], "allocated here: 2 of 3 sampled");
  ASSERT_EQ(stacks[0]["frames"].size(), 2u);
  EXPECT_EQ(stacks[0]["frames"][0]["location"]["logicalLocations"][0]["fullyQualifiedName"], "Shop.Cache.Add");
}

// What was not sampled is not spoken of.
TEST_F(AllocatedDocuments, WithoutSamplesNothingIsSaid) {
  const json check = CheckedDocument(RunCairn({"check", Base(), "--rules", Rules(), "--json"}), 1, "check");
  EXPECT_FALSE(check["violations"][0].contains("allocated"));
  EXPECT_THAT(RunCairn({"check", Base(), "--rules", Rules()}).out, Not(HasSubstr("allocated at")));
}

}  // namespace
}  // namespace cairn::cli::testing
