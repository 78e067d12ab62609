#include "viewer/presentation/documents/trace_lines.h"

#include <gtest/gtest.h>

namespace cairn::presentation {
namespace {

// 2026-11-30T08:30:00 UTC is 1,796,027,400 s after 1970.
TraceCall Left() {
  TraceCall call;
  call.realtime_ns = 1'796'027'400'123'456'789;
  call.thread = 4243;
  call.thread_name = "worker";
  call.method = "Shop.Order.Save";
  call.leave = true;
  call.duration_ns = 1'234'500;
  call.exception = "System.IO.IOException";
  return call;
}

TEST(TraceLines, DocumentOfACallThatEnds) {
  EXPECT_EQ(JsonText(TraceDocument(Left())),
            R"({"schema":1,"time":"2026-11-30T08:30:00.123456Z","thread":{"os_id":4243,"managed_id":null,)"
            R"("name":"worker"},"method":"Shop.Order.Save","phase":"leave","duration_us":1234.5,)"
            R"("exception":"System.IO.IOException"})");
}

TEST(TraceLines, DocumentOfACallThatBegins) {
  TraceCall call = Left();
  call.leave = false;
  call.exception.reset();
  call.thread_name.clear();
  const Json document = TraceDocument(call);
  EXPECT_EQ(document["phase"], "enter");
  EXPECT_TRUE(document["duration_us"].is_null());
  EXPECT_TRUE(document["exception"].is_null());
  EXPECT_TRUE(document["thread"]["name"].is_null());
}

TEST(TraceLines, LinesAreHarmless) {
  TraceCall call = Left();
  EXPECT_NE(TraceLine(call).find("< Shop.Order.Save  1.23 ms  System.IO.IOException\n"), std::string::npos);
  call.method = "Evil\x1b[2J\nName";
  call.exception = "";
  const std::string line = TraceLine(call);
  EXPECT_EQ(line.find('\x1b'), std::string::npos);
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  EXPECT_NE(line.find("(unknown)"), std::string::npos);
}

// 3 calls in 3 ms: 1 ms each; one of 4 still runs.
TEST(TraceLines, SumsByTotalDuration) {
  TraceSum fast{"A.Fast", "a.dll", "", 4, 3, 0, 3'000'000, 2'000'000};
  TraceSum slow{"A.Slow", "a.dll", "", 1, 1, 1, 5'000'000'000, 5'000'000'000};
  const TraceSumTable table({fast, slow});
  EXPECT_EQ(std::get<std::string>(table.Row(0)[6]), "A.Slow");
  EXPECT_EQ(std::get<std::string>(table.Row(0)[3]), "5.00 s");
  EXPECT_EQ(std::get<uint64_t>(table.Row(1)[1]), 1u);
  EXPECT_EQ(std::get<std::string>(table.Row(1)[4]), "1.00 ms");
}

TEST(TraceLines, DocumentOfTheEnd) {
  TraceEnd end;
  end.sums = {{"A.B", "a.dll", "Its body is strange.", 0, 0, 0, 0, 0}};
  end.lost_lines = 7;
  EXPECT_EQ(JsonText(TraceDocument(end)),
            R"({"schema":1,"methods":[{"method":"A.B","module":"a.dll","not_traced":"Its body is strange.","calls":0,)"
            R"("returned":0,"exceptions":0,"total_us":0.0,"longest_us":0.0}],"lost_lines":7,"not_counted":0,)"
            R"("reverted":0,"not_reverted":0,"complete":true})");
}

}  // namespace
}  // namespace cairn::presentation
