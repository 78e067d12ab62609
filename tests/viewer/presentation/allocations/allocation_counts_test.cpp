// Reports of allocations that were all counted: nothing in them is called an estimate.

#include <gtest/gtest.h>

#include "viewer/presentation/allocations/allocation_document.h"
#include "viewer/presentation/allocations/allocation_report.h"
#include "viewer/presentation/allocations/flame_graph.h"

namespace cairn::presentation {
namespace {

using snapshot::kNoId;

// Main makes 3 orders of 40 bytes, Load, of which more lies around it, 5 notes of 24.
AllocationReport Counted() {
  AllocationReport report;
  report.counted = true;
  report.sampling.seconds = 2;
  report.sampling.samples = 8;
  report.sampling.methods = {{"App.Main"}, {"App.Load"}};
  report.sampling.frames = {{kNoId, 0, false}, {kNoId, 0, true}, {1, 1, false}};
  report.sampling.totals = {{"App.Order", 0, 3, 3, 120, true}, {"App.Note", 2, 5, 5, 120, true}};
  return report;
}

Json DocumentOf(const AllocationReport& report) {
  StringSink sink;
  JsonDocument document(sink);
  PutAllocations(document, report, AllocationsBy::kType);
  document.Finish();
  return Json::parse(sink.Text());
}

TEST(AllocationCountsTest, TheDocumentCallsNothingAnEstimate) {
  const Json json = DocumentOf(Counted());
  EXPECT_EQ(json["estimated"], false);
  EXPECT_EQ(json["source"], "counted");
  for (const Json& row : json["types"]) {
    EXPECT_EQ(row["uncertainty"], 0);
    EXPECT_EQ(row["exact"], true);
  }
  EXPECT_EQ(json["overhead"]["dropped_bytes"], 0);
  EXPECT_EQ(json["overhead"]["dropped_stacks"], 0);
  EXPECT_TRUE(json["overhead"]["taken_ms"].is_null());
}

TEST(AllocationCountsTest, NotesSayWhatWasCounted) {
  EXPECT_EQ(AllocationNotes(Counted()),
            (std::vector<std::string>{"exact: every allocation in 2.0 s was counted, 8 objects",
                                      "of 5 objects only the innermost frames of the stack were kept (--depth)"}));
}

TEST(AllocationCountsTest, NotesSayWhatIsMissing) {
  AllocationReport report = Counted();
  report.sampling.dropped = 7;
  report.dropped_bytes = 168;
  report.dropped_stacks = 2;
  report.without_stack = 4;
  const auto notes = AllocationNotes(report);
  ASSERT_EQ(notes.size(), 5u);
  EXPECT_TRUE(notes[1].starts_with("INCOMPLETE: 7 objects of together 168 bytes stand in no row"));
  EXPECT_TRUE(notes[2].starts_with("INCOMPLETE: 2 objects stand under no stack"));
  EXPECT_EQ(notes[3], "the runtime did not tell the stack of 4 objects");
}

TEST(AllocationCountsTest, TheSameFiles) {
  EXPECT_EQ(FoldedStacks(Counted().sampling), "(more frames);App.Main;App.Load;App.Note 120\nApp.Main;App.Order 120\n");
  EXPECT_NE(FlameGraphPage(Counted(), "Allocations").find("every allocation in 2.0 s was counted"), std::string::npos);
}

}  // namespace
}  // namespace cairn::presentation
