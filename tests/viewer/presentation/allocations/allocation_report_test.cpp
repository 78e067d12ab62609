#include "viewer/presentation/allocations/allocation_report.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/viewer/presentation/xml_tree.h"
#include "viewer/presentation/allocations/allocation_document.h"
#include "viewer/presentation/allocations/allocation_tables.h"
#include "viewer/presentation/allocations/flame_graph.h"

namespace cairn::presentation {
namespace {

using snapshot::kNoId;

// Main (cut) calls Load, Load calls Load, Load calls Add. Add makes orders and bytes, the outer Load bytes.
snapshot::Sampling Example() {
  snapshot::Sampling sampling;
  sampling.seconds = 2;
  sampling.mean_bytes = 102400;
  sampling.samples = 16;
  sampling.dropped = 1;
  sampling.methods = {{"App.Main"}, {"Shop.Load<T>"}, {"Shop.Cache.Add"}};
  sampling.frames = {{kNoId, 0, true}, {0, 1, false}, {1, 1, false}, {2, 2, false}};
  sampling.totals = {{"Shop.Order", 3, 9, 30000, 900'000, false},
                     {"System.Byte[]", 3, 3, 4, 300'000, false},
                     {"System.Byte[]", 1, 4, 4, 400'000, true}};
  return sampling;
}

TEST(AllocationReportTest, ByType) {
  const auto rows = ByType(Example());
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].type, "Shop.Order");
  EXPECT_EQ(rows[1].type, "System.Byte[]");
  EXPECT_EQ(rows[1].sum.bytes, 700'000u);
  EXPECT_EQ(rows[1].sum.samples, 7u);
  EXPECT_EQ(rows[1].sum.objects, 8u);
  EXPECT_FALSE(rows[1].sum.exact);  // part of it is estimated
  ASSERT_EQ(rows[1].stacks.size(), 2u);
  EXPECT_EQ(rows[1].stacks[0].stack, 1u);
  EXPECT_TRUE(rows[1].stacks[0].sum.exact);
}

TEST(AllocationReportTest, ByStack) {
  const auto rows = ByStack(Example());
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].stack, 3u);
  EXPECT_EQ(rows[0].sum.bytes, 1'200'000u);
  EXPECT_EQ(rows[1].sum.bytes, 400'000u);
}

TEST(AllocationReportTest, ByMethodCountsRecursionOnce) {
  const auto rows = ByMethod(Example());
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].method, "Shop.Cache.Add");
  EXPECT_EQ(rows[0].own.bytes, 1'200'000u);
  EXPECT_EQ(rows[0].bytes_with_callees, 1'200'000u);
  EXPECT_EQ(rows[1].method, "Shop.Load<T>");
  EXPECT_EQ(rows[1].own.bytes, 400'000u);
  EXPECT_EQ(rows[1].bytes_with_callees, 1'600'000u);  // once, though it is twice on one stack
  EXPECT_EQ(rows[2].method, "App.Main");
  EXPECT_EQ(rows[2].own.bytes, 0u);
  EXPECT_EQ(rows[2].bytes_with_callees, 1'600'000u);
}

TEST(AllocationReportTest, HowSureItIs) {
  snapshot::Sampling sampling = Example();
  // 1.96 × sqrt((1 − 9 / 30000) / 9) = 0.6532
  EXPECT_NEAR(*Uncertainty(sampling, {9, 30000, 900'000, false}), 0.6532, 1e-4);
  // Each of four was seen with 3 / 4: 1.96 × sqrt(0.25 / 3) = 0.5658
  EXPECT_NEAR(*Uncertainty(sampling, {3, 4, 300'000, false}), 0.5658, 1e-4);
  EXPECT_EQ(Uncertainty(sampling, {4, 4, 400'000, true}), 0);
  EXPECT_EQ(Uncertainty(sampling, {0, 0, 0, false}), std::nullopt);
  sampling.source = snapshot::SamplingSource::kTicks;
  EXPECT_EQ(Uncertainty(sampling, {9, 30000, 900'000, false}), std::nullopt);
}

TEST(AllocationReportTest, FramesInnermostFirst) {
  EXPECT_EQ(FramesOf(Example(), 3),
            (std::vector<std::string>{"Shop.Cache.Add", "Shop.Load<T>", "Shop.Load<T>", "App.Main", "(more frames)"}));
  EXPECT_EQ(StackLine(Example(), 3, 2), "Shop.Cache.Add < Shop.Load<T> < …");
}

TEST(AllocationReportTest, Notes) {
  AllocationReport report{Example(), 0.001, 0, 0, 1};
  EXPECT_EQ(AllocationNotes(report),
            (std::vector<std::string>{"16 samples in 2.0 s, 1 dropped; they took 0.05 % of one core from the "
                                      "application"}));
  report.left_out = 48;
  report.one_in = 4;
  report.without_stack = 2;
  report.sampling.source = snapshot::SamplingSource::kTicks;
  const auto notes = AllocationNotes(report);
  ASSERT_EQ(notes.size(), 4u);
  EXPECT_TRUE(notes[0].starts_with("approximate: "));
  EXPECT_NE(notes[2].find("48 samples were not looked at: up to 4 stand"), std::string::npos);
  EXPECT_NE(notes[3].find("the stack of 2 samples"), std::string::npos);
}

TEST(AllocationTablesTest, RowsHaveTheColumnsThatAreNamed) {
  const snapshot::Sampling sampling = Example();
  for (const auto by : {AllocationsBy::kType, AllocationsBy::kStack, AllocationsBy::kMethod}) {
    const auto table = AllocationTable(sampling, by);
    ASSERT_GT(table->RowCount(), 0u);
    for (uint64_t row = 0; row < table->RowCount(); ++row) EXPECT_EQ(table->Row(row).size(), table->Columns().size());
  }
}

TEST(AllocationDocumentTest, TheContractsFields) {
  StringSink sink;
  JsonDocument document(sink);
  PutAllocations(document, {Example(), 0.001, 0, 0, 1}, AllocationsBy::kMethod);
  document.Finish();
  const Json json = Json::parse(sink.Text());
  EXPECT_EQ(json["schema"], 1);
  EXPECT_EQ(json["seconds"], 2.0);
  EXPECT_EQ(json["estimated"], true);
  EXPECT_EQ(json["types"][0]["type"], "Shop.Order");
  EXPECT_EQ(json["types"][0]["bytes"], 900'000);
  EXPECT_EQ(json["types"][0]["stacks"][0]["frames"][0], "Shop.Cache.Add");
  EXPECT_EQ(json["types"][0]["stacks"][0]["samples"], 9);
  EXPECT_EQ(json["by_method"].size(), 3u);
  EXPECT_EQ(json["overhead"]["samples"], 16);
  EXPECT_EQ(json["overhead"]["dropped"], 1);
  EXPECT_DOUBLE_EQ(json["overhead"]["taken_ms"].get<double>(), 1.0);
}

TEST(FoldedStacksTest, OutermostFirst) {
  EXPECT_EQ(FoldedStacks(Example()),
            "(more frames);App.Main;Shop.Load<T>;Shop.Load<T>;Shop.Cache.Add;Shop.Order 900000\n"
            "(more frames);App.Main;Shop.Load<T>;Shop.Load<T>;Shop.Cache.Add;System.Byte[] 300000\n"
            "(more frames);App.Main;Shop.Load<T>;System.Byte[] 400000\n");
}

TEST(FoldedStacksTest, ANameCannotEndItsLine) {
  snapshot::Sampling sampling = Example();
  sampling.methods[2].name = "A;B\nC 7";
  const std::string folded = FoldedStacks(sampling);
  EXPECT_EQ(std::count(folded.begin(), folded.end(), '\n'), 3);
  EXPECT_NE(folded.find(";A_B_C 7;Shop.Order 900000"), std::string::npos);
}

TEST(FlameGraphTest, WidthsAreShares) {
  const std::string page = FlameGraphPage({Example(), 0, 0, 0, 1}, "Allocations of process 7");
  // Of 1600 kB on 1200 units: the order 900 kB is 675 wide, the first bytes 300 kB 225, the second 400 kB 300.
  EXPECT_NE(page.find("width=\"675.00\""), std::string::npos);
  EXPECT_NE(page.find("width=\"225.00\""), std::string::npos);
  EXPECT_NE(page.find("width=\"300.00\""), std::string::npos);
  EXPECT_NE(page.find("900,000 bytes (56.2 %), 9 samples"), std::string::npos);
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_EQ(page.find("http"), std::string::npos);
}

TEST(FlameGraphTest, ItsTableSaysTheShareAndHowSureItIs) {
  const std::string page = FlameGraphPage({Example(), 0, 0, 0, 1}, "Allocations");
  EXPECT_NE(page.find("<th>Bytes</th><th>Share</th><th>±</th>"), std::string::npos);
  // 900 of 1600 kB; 1.96 × sqrt((1 − 9 / 30000) / 9) = 0.6532
  EXPECT_NE(page.find("<td>900,000</td><td>56.2 %</td><td>65 %</td>"), std::string::npos) << page;
}

// Well-formed, and each box lies in the picture, on one that is at least as wide, or on the ground.
TEST(FlameGraphTest, BoxesStandOnBoxes) {
  snapshot::Sampling sampling = Example();
  sampling.methods[1].name = "A<B>&\"C\"\nD";
  sampling.totals.push_back({"Shop.Tiny", 3, 1, 1, 10, false});  // 10 of 1,600,010 bytes are not drawn
  const std::string page = FlameGraphPage({sampling, 0, 0, 0, 1}, "Allocations");
  const size_t begin = page.find("<svg"), end = page.find("</svg>");
  const testing::XmlElement svg = testing::XmlReader::Read(page.substr(begin, end + 6 - begin));
  EXPECT_EQ(svg.attributes.at("viewBox"), "0 0 1200 108");  // 6 rows of 18
  const auto boxes = svg.Named("rect");
  ASSERT_EQ(boxes.size(), 8u);
  EXPECT_EQ(svg.Named("title").size(), 9u);  // the picture's own as well
  const auto number = [](const testing::XmlElement& box, const char* name) {
    return std::stod(box.attributes.at(name));
  };
  for (const auto* box : boxes) {
    const double left = number(*box, "x"), right = left + number(*box, "width"), y = number(*box, "y");
    EXPECT_GE(left, 0);
    EXPECT_LE(right, 1200.01);
    const bool stands = std::ranges::any_of(boxes, [&](const auto* below) {
      const double x = number(*below, "x");
      return number(*below, "y") == y + 18 && x <= left + 0.01 && x + number(*below, "width") >= right - 0.01;
    });
    EXPECT_TRUE(stands || y == 90) << left << " " << y;
  }
  EXPECT_NE(page.find("<li>10 bytes lie in boxes too narrow to be drawn</li>"), std::string::npos);
}

TEST(FlameGraphTest, NamesAreHarmless) {
  snapshot::Sampling sampling = Example();
  sampling.methods[2].name = "</svg><script>alert(1)</script>";
  sampling.totals[0].type = "A<B>&\"C\"";
  const std::string page = FlameGraphPage({sampling, 0, 0, 0, 1}, "<b>");
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_EQ(page.find("<b>"), std::string::npos);
  EXPECT_NE(page.find("A&lt;B&gt;&amp;"), std::string::npos);
}

TEST(FlameGraphTest, NothingWasSampled) {
  const std::string page = FlameGraphPage({}, "Nothing");
  EXPECT_NE(page.find("</svg>"), std::string::npos);
  EXPECT_EQ(FoldedStacks({}), "");
}

}  // namespace
}  // namespace cairn::presentation
