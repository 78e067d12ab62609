// Questions in SQL: the answer as a table like every other.

#include <gtest/gtest.h>

#include "tests/viewer/presentation/session_sample.h"
#include "viewer/presentation/pages/page_loader.h"
#include "viewer/presentation/tables/result_table.h"

namespace cairn::presentation {
namespace {

class SqlPages : public ::testing::Test {
 protected:
  Result<PagePointer> Asked(const std::string& sql) {
    return loader_.Load(Place::Of(View::kSql, sample_.path).Asking(sql), work_);
  }

  testing::SessionSample sample_;
  PageLoader loader_{{}};
  analysis::Work work_;
};

TEST_F(SqlPages, WithoutAStatementSayWhatCanBeAsked) {
  const auto page = Asked("");
  ASSERT_TRUE(page) << page.error().message;
  const Section& tables = (*page)->sections.at(0);
  EXPECT_GE(tables.table->RowCount(), 6u);
  const auto columns = tables.table->Columns();
  const auto leads = tables.link(RowView(columns, tables.table->Row(0)), "type");
  ASSERT_TRUE(leads);
  const auto first = loader_.Load(*leads, work_);
  EXPECT_TRUE(first) << leads->sql;
}

TEST_F(SqlPages, AnswerWithLinks) {
  const auto page = Asked("SELECT object, type, bytes FROM objects WHERE type='Shop.Order' ORDER BY object");
  ASSERT_TRUE(page) << page.error().message;
  const Section& rows = (*page)->sections.at(0);
  ASSERT_EQ(rows.table->RowCount(), 3u);  // two reachable, one lost
  const auto columns = rows.table->Columns();
  const auto cells = rows.table->Row(0);
  const RowView row(columns, cells);
  EXPECT_EQ(row.Number("object"), 2u);
  EXPECT_EQ(rows.link(row, "object")->object, 2u);
  EXPECT_EQ(rows.link(row, "type")->type, "Shop.Order");
  EXPECT_EQ(rows.link(row, "bytes"), std::nullopt);
}

TEST_F(SqlPages, AnswersSortAndFilterAsOthersDo) {
  Place place = Place::Of(View::kSql, sample_.path).Asking("SELECT type, objects FROM types");
  const auto page = loader_.Load(place.Filtered("order").Sorted({{"objects", true}}), work_);
  ASSERT_TRUE(page) << page.error().message;
  EXPECT_EQ((*page)->sections.at(0).table->RowCount(), 2u);  // Shop.Order and Shop.Order[]
  EXPECT_EQ(std::get<std::string>((*page)->sections[0].table->At(0, 0)), "Shop.Order[]");  // 1 of them, 2 orders
}

TEST_F(SqlPages, SayWhatIsWrongWithAStatement) {
  const auto wrong = Asked("SELECT nonsense FROM objects");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, "query.invalid");
  EXPECT_EQ(Asked("DELETE FROM objects").error().kind, ErrorKind::kUsage);
}

TEST_F(SqlPages, CanBeCancelled) {
  analysis::Work cancelled;
  cancelled.Cancel();
  const auto page = loader_.Load(
      Place::Of(View::kSql, sample_.path).Asking("SELECT count(*) FROM objects a, objects b, objects c"), cancelled);
  ASSERT_FALSE(page);
  EXPECT_EQ(page.error().code, "cancelled");
}

TEST(ResultTable, IsCutWhereItIsTooLong) {
  ResultTable table(2);
  table.Columns(std::vector<std::string>{"a", "b"});
  const std::vector<sql::Value> row = {int64_t{1}, std::string("x")};
  EXPECT_TRUE(table.Row(row));
  EXPECT_TRUE(table.Row(row));
  EXPECT_FALSE(table.IsCut());
  EXPECT_FALSE(table.Row(row));
  EXPECT_TRUE(table.IsCut());
  EXPECT_EQ(table.RowCount(), 2u);
  EXPECT_EQ(table.Row(1), (std::vector<Cell>{int64_t{1}, std::string("x")}));
  EXPECT_TRUE(table.Columns()[0].IsNumeric());
}

}  // namespace
}  // namespace cairn::presentation
