// The document of watch and run against its schema, and what rows of a series say.

#include "viewer/presentation/documents/series_document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/viewer/cli/schema_check.h"
#include "viewer/presentation/render/csv_rows.h"
#include "viewer/presentation/render/streamed_text.h"
#include "viewer/presentation/tables/watch_table.h"

namespace cairn::cli::testing {
namespace {

using nlohmann::json;
using ::testing::IsEmpty;

snapshot::Summary SmallSummary() {
  snapshot::Summary summary;
  summary.complete = true;
  summary.process.gc_mode = "server";
  summary.capture.gc_requested = "young";
  summary.capture.gc_actual = "gen0";
  summary.capture.roots = "young";
  summary.capture.method = "fork";
  return summary;
}

json Written(const presentation::Json& fields) {
  presentation::StringSink sink;
  presentation::JsonDocument document(sink);
  document.PutAll(fields);
  document.Finish();
  return json::parse(sink.Text());
}

TEST(SeriesDocument, HoldsWhatWasKept) {
  const snapshot::Summary summary = SmallSummary();
  presentation::SeriesDocument series;
  for (const char* path : {"a.cairn", "b.cairn", "c.cairn"}) series.Add({path, &summary, 10, {}});
  series.Drop("a.cairn");
  series.Drop("a.cairn");  // is gone already
  const json document = Written(series.Fields("count", std::nullopt));
  EXPECT_THAT(SchemaViolations(LoadSchema("watch"), document), IsEmpty());
  ASSERT_EQ(document["snapshots"].size(), 2u);
  EXPECT_EQ(document["snapshots"][0]["snapshot"], "b.cairn");
  EXPECT_EQ(document["dropped"], 1);
  EXPECT_EQ(document["reason"], "count");
  for (const json& snapshot : document["snapshots"])
    EXPECT_THAT(SchemaViolations(LoadSchema("info"), snapshot), IsEmpty());
}

TEST(SeriesDocument, SaysWhatEndedItBeforeItsTime) {
  presentation::SeriesDocument series;
  const Error error{ErrorKind::kFailed, "output.full", "The disk is full.", "Make room."};
  const json document = Written(series.Fields("failed", error));
  EXPECT_THAT(SchemaViolations(LoadSchema("watch"), document), IsEmpty());
  EXPECT_EQ(document["error"]["code"], "output.full");
  EXPECT_EQ(document["error"]["hint"], "Make room.");
}

presentation::WatchRow Row() {
  return {2, "12:30:01", "2026-01-02T11:30:01Z", "every", 1234, 56789, -1000, 12.5, false, "d/x.cairn"};
}

TEST(WatchTable, RowsArePrintedAsTheyCome) {
  presentation::StringSink sink;
  presentation::StreamedText text(sink, presentation::WatchWidths());
  text.Begin(presentation::WatchColumns());
  EXPECT_EQ(sink.Text(),
            "  No  Time      Cause            Objects            Bytes           Change       Pause  Snapshot\n");
  text.Row(presentation::WatchCells(Row()));
  EXPECT_TRUE(
      sink.Text().ends_with("   2  12:30:01  every              1,234           56,789           -1,000     12.5 ms  "
                            "d/x.cairn (incomplete)\n"))
      << sink.Text();
}

TEST(WatchTable, DataIsExact) {
  presentation::StringSink sink;
  presentation::CsvRows csv(sink);
  csv.Begin(presentation::WatchColumns());
  presentation::WatchRow first = Row();
  first.difference_bytes.reset();
  csv.Row(presentation::WatchCells(first));
  EXPECT_EQ(sink.Text(),
            "number,captured_at,cause,objects,bytes,difference_bytes,pause_ms,complete,snapshot\r\n"
            "2,2026-01-02T11:30:01Z,every,1234,56789,,12.5,false,d/x.cairn\r\n");
}

}  // namespace
}  // namespace cairn::cli::testing
