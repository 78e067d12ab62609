#include "viewer/presentation/documents/info_document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "viewer/presentation/documents/problems.h"

namespace cairn::presentation {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

snapshot::Summary Shop() {
  snapshot::Summary summary;
  summary.process = {4242, "Shop", "dotnet Shop.dll", "10.0.12", "server", "x64", 8, 3};
  summary.totals = {
      .objects = 3, .bytes = 5'000'000'000, .free_objects = 1, .free_bytes = 64, .edges = 2, .roots = 1, .types = 2};
  summary.capture.gc_requested = summary.capture.gc_actual = summary.capture.roots = "full";
  summary.capture.method = "pause";
  summary.capture.pause_ms = {12.34567, 1, 5, 2, 4, 0};
  summary.capture.memory = {.rss_bytes = 1 << 20, .gc_committed_bytes = 2 << 20, .limit_bytes = {}, .copied_bytes = 0};
  summary.capture.reconciled_source = "GC event";
  summary.capture.reconciled_difference_bytes = -8;
  summary.ranges = {{.length = 128,
                     .generation = snapshot::Generation::kLoh,
                     .objects = 3,
                     .bytes = 64,
                     .free_objects = 1,
                     .free_bytes = 64}};
  summary.complete = true;
  return summary;
}

std::string Text(const snapshot::Summary& summary, std::optional<snapshot::VerifyReport> verified = {}) {
  StringSink sink;
  WriteInfoText({"shop.cairn", &summary, 1000, std::move(verified)}, {}, sink);
  return sink.Text();
}

TEST(InfoDocument, HoldsTheContractsFields) {
  const snapshot::Summary summary = Shop();
  const Json fields = InfoFields({"shop.cairn", &summary, 1000, {}});
  EXPECT_EQ(fields["snapshot"], "shop.cairn");
  EXPECT_EQ(fields["complete"], true);
  EXPECT_EQ(fields["process"], Json::parse(R"({"pid":4242,"name":"Shop","command_line":"dotnet Shop.dll",
      "runtime":"10.0.12","gc_mode":"server","architecture":"x64"})"));
  EXPECT_EQ(fields["bytes"], 5'000'000'000);
  EXPECT_EQ(fields["pause_ms"]["total"], 12.346);  // to the microsecond
  EXPECT_EQ(fields["memory"]["limit_bytes"], nullptr);
  EXPECT_EQ(fields["generations"].size(), 6u);
  EXPECT_EQ(fields["generations"][3],
            Json::parse(R"({"name":"loh","objects":3,"bytes":64,"free_objects":1,"free_bytes":64,"ranges":1})"));
  EXPECT_EQ(fields["reconciled"], Json::parse(R"({"source":"GC event","difference_bytes":-8})"));
  EXPECT_FALSE(fields.contains("verified"));
}

TEST(InfoDocument, SaysWhatIsNotKnown) {
  snapshot::Summary summary = Shop();
  summary.capture.concurrent_gc_off_ms = 0;
  EXPECT_EQ(InfoFields({"shop.cairn", &summary, 1000, {}})["concurrent_gc_off_ms"], 0);
  EXPECT_THAT(Text(summary), HasSubstr("concurrent GC off for 0"));
  summary.capture.concurrent_gc_off_ms = -1;
  EXPECT_EQ(InfoFields({"shop.cairn", &summary, 1000, {}})["concurrent_gc_off_ms"], nullptr);
  EXPECT_THAT(Text(summary), HasSubstr("concurrent GC off for an unknown time"));
}

TEST(InfoDocument, KeepsTheContractsOrder) {
  const snapshot::Summary summary = Shop();
  std::vector<std::string> keys;
  const Json fields = InfoFields({"shop.cairn", &summary, 1000, {}});
  for (const auto& [key, value] : fields.items()) keys.push_back(key);
  EXPECT_THAT(
      keys, ::testing::ElementsAre("snapshot", "complete", "problems", "process", "objects", "bytes", "free_objects",
                                   "free_bytes", "edges", "types", "roots_count", "roots", "gc_requested", "gc_actual",
                                   "method", "threads", "pause_ms", "concurrent_gc_off_ms", "child_ms", "elapsed_ms",
                                   "contents", "memory", "file_bytes", "generations", "reconciled"));
}

TEST(InfoDocument, VerifiedErrorsAreNotSound) {
  const snapshot::Summary summary = Shop();
  const InfoDocument good{"f", &summary, 1, snapshot::VerifyReport{4, 3, 2, {}}};
  EXPECT_TRUE(good.IsSound());
  const InfoDocument bad{"f", &summary, 1, snapshot::VerifyReport{4, 3, 2, {"chunk 0: checksum"}}};
  EXPECT_FALSE(bad.IsSound());
  EXPECT_EQ(InfoFields(bad)["verified"],
            Json::parse(R"({"frames":4,"objects":3,"edges":2,"errors":["chunk 0: checksum"]})"));
}

TEST(InfoText, SaysTotalsAndPauseParts) {
  const std::string text = Text(Shop());
  EXPECT_THAT(text, HasSubstr("State       complete\n"));
  EXPECT_THAT(text, HasSubstr("3 objects, 4.7 GiB (5,000,000,000 bytes)"));
  EXPECT_THAT(
      text,
      HasSubstr("Pause       12.3 ms\n            suspend 1.00 ms, collection 5.00 ms, roots 2.00 ms, walk 4.00 ms\n"));
  EXPECT_THAT(text, HasSubstr("with GC event: -8 bytes"));
  EXPECT_THAT(text, Not(HasSubstr("Problems")));
}

TEST(InfoText, NamesProblemsAndWhatToDo) {
  snapshot::Summary summary = Shop();
  summary.complete = false;
  summary.problems = {{"walk.bad_method_table", "at 0x7f00\x1b", true},
                      {"gc.escalated", "gen1 instead of gen0", false}};
  const std::string text = Text(summary);
  EXPECT_THAT(text, HasSubstr("INCOMPLETE"));
  EXPECT_THAT(text, HasSubstr("Problems\n  walk.bad_method_table  at 0x7f00\\u001b\n    → Capture again"));
  EXPECT_THAT(text, HasSubstr("Warnings\n  gc.escalated  gen1 instead of gen0\n"));
}

TEST(InfoText, ShowsWhatVerifyFound) {
  EXPECT_THAT(Text(Shop(), snapshot::VerifyReport{4, 3, 2, {}}),
              HasSubstr("Verified 4 frames, 3 objects, 2 references: no errors"));
  EXPECT_THAT(Text(Shop(), snapshot::VerifyReport{4, 3, 2, {"chunk 0"}}), HasSubstr("DAMAGED\n  chunk 0\n"));
}

TEST(CompletenessFields, JoinsSnapshots) {
  snapshot::Summary a = Shop(), b = Shop();
  b.complete = false;
  b.problems = {{"target.exited", "it left", true}};
  const NamedSummary named[] = {{"a.cairn", &a}, {"b.cairn", &b}};
  EXPECT_EQ(CompletenessFields(named),
            Json::parse(R"({"complete":false,"problems":[{"code":"target.exited","message":"b.cairn: it left"}]})"));
  EXPECT_EQ(CompletenessFields({&named[1], 1})["problems"][0]["message"], "it left");
  EXPECT_EQ(CompletenessFields({&named[0], 1}), Json::parse(R"({"complete":true,"problems":[]})"));
}

TEST(ErrorDocument, HasCodeMessageAndHint) {
  EXPECT_EQ(ErrorDocument({ErrorKind::kFailed, "attach.other_profiler", "m", "h"}),
            Json::parse(R"({"schema":1,"error":{"code":"attach.other_profiler","message":"m","hint":"h"}})"));
}

}  // namespace
}  // namespace cairn::presentation
