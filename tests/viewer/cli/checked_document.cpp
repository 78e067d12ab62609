#include "tests/viewer/cli/checked_document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/viewer/cli/schema_check.h"

namespace cairn::cli::testing {

nlohmann::json CheckedDocument(const Outcome& outcome, int code, const std::string& schema) {
  EXPECT_EQ(outcome.code, code) << outcome.out << outcome.err;
  nlohmann::json document = nlohmann::json::parse(outcome.out);
  EXPECT_THAT(SchemaViolations(LoadSchema(schema), document), ::testing::IsEmpty());
  return document;
}

}  // namespace cairn::cli::testing
