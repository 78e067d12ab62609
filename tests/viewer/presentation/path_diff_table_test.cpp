#include "viewer/presentation/tables/path_diff_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/viewer/presentation/fake_heap.h"
#include "viewer/presentation/tables/suspects_table.h"

namespace cairn::presentation {
namespace {

using ::testing::ElementsAre;
using testing::RecordingSink;

const std::vector<PathRow> kSnapshots[] = {{{"v1:a", "static Cache", "Cache", 1, 100},
                                            {"v1:b", "static Cache → []", "Order", 2, 48},
                                            {"v1:g", "gone", "G", 1, 24}},
                                           {{"v1:a", "static Cache", "Cache", 1, 900},
                                            {"v1:b", "static Cache → []", "Order", 20, 480},
                                            {"v1:n", "new", "N", 1, 24}}};

TEST(PathDiffTable, WhereObjectsWereAddedComesFirst) {
  const PathDiffTable table(kSnapshots, false);
  EXPECT_THAT(table.Rows(), ElementsAre(PathDiffRow{"v1:b", "static Cache → []", "Order", {2, 20}, {48, 480}},
                                        PathDiffRow{"v1:n", "new", "N", {0, 1}, {0, 24}},
                                        PathDiffRow{"v1:a", "static Cache", "Cache", {1, 1}, {100, 900}},
                                        PathDiffRow{"v1:g", "gone", "G", {1, 0}, {24, 0}}));
}

TEST(PathDiffTable, Columns) {
  RecordingSink sink;
  Emit(PathDiffTable(kSnapshots, false), 1, sink);
  EXPECT_THAT(sink.keys,
              ElementsAre("fingerprint", "path", "type", "objects", "objects", "retained", "retained", "", ""));
  EXPECT_THAT(sink.rows, ElementsAre("v1:b|static Cache → []|Order|2|20|48|480|432|18"));
  EXPECT_EQ(sink.left_out, 3u);
}

TEST(PathDiffTable, UnchangedRowsOnlyWithAll) {
  const std::vector<PathRow> same[] = {kSnapshots[0], kSnapshots[0]};
  EXPECT_EQ(PathDiffTable(same, false).RowCount(), 0u);
  EXPECT_EQ(PathDiffTable(same, true).RowCount(), 3u);
}

TEST(SuspectsTable, RowsAndGrowth) {
  snapshot::Summary summary;
  summary.types.emplace_back().name = "Order";
  session::Suspect suspect;
  suspect.group.fingerprint = "v1:b";
  suspect.group.path = "static Cache → []";
  suspect.group.type = analysis::TypeIndex(0);
  suspect.group.objects = 20;
  suspect.group.bytes = 480;
  suspect.group.retained = 960;
  suspect.objects_before = 2;
  suspect.retained_before = 96;
  suspect.accumulation_point = analysis::ObjectIndex(3);
  RecordingSink alone, grown;
  Emit(SuspectsTable(summary, {suspect}, 2880, false), std::nullopt, alone);
  Emit(SuspectsTable(summary, {suspect}, 2880, true), std::nullopt, grown);
  EXPECT_THAT(alone.keys, ElementsAre("fingerprint", "type", "objects", "bytes", "retained", "share", "path",
                                      "accumulation_point", "sense", ""));
  EXPECT_THAT(alone.rows, ElementsAre("v1:b|Order|20|480|960|0.333300|static Cache → []|3|null|33.3 %"));
  EXPECT_THAT(grown.rows, ElementsAre("v1:b|Order|20|480|960|0.333300|static Cache → []|3|null|33.3 %|18|864"));
}

}  // namespace
}  // namespace cairn::presentation
