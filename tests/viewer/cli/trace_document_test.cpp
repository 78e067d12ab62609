// What cairn trace prints with --json, against its schemas.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/viewer/cli/schema_check.h"
#include "viewer/presentation/documents/trace_lines.h"

namespace cairn::cli::testing {
namespace {

using presentation::JsonText;
using presentation::TraceCall;
using presentation::TraceDocument;
using presentation::TraceEnd;
using ::testing::IsEmpty;

nlohmann::json Parsed(const presentation::Json& document) { return nlohmann::json::parse(JsonText(document)); }

TEST(TraceDocuments, OfCallsFollowTheSchema) {
  TraceCall call;
  call.method = "Shop.Order.Save";
  EXPECT_THAT(SchemaViolations(LoadSchema("trace"), Parsed(TraceDocument(call))), IsEmpty());
  call.leave = true;
  call.thread_name = "worker";
  call.exception = "System.IO.IOException";
  EXPECT_THAT(SchemaViolations(LoadSchema("trace"), Parsed(TraceDocument(call))), IsEmpty());
}

TEST(TraceDocuments, OfTheEndFollowsTheSchema) {
  TraceEnd end;
  end.sums = {{"Shop.Order.Save", "Shop.dll", "", 3, 2, 1, 5000, 3000},
              {"Shop.Order.Load", "Shop.dll", "It lies …", 0, 0, 0, 0, 0}};
  EXPECT_THAT(SchemaViolations(LoadSchema("trace_end"), Parsed(TraceDocument(end))), IsEmpty());
}

}  // namespace
}  // namespace cairn::cli::testing
