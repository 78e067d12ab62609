// One statement over tables of our own: what it may do, what it may take, and what the tables are asked for.

#include "snapshot-format/sql/read_only_query.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <thread>

namespace cairn::sql {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// numbers(n, name): 0 … 999 and "n0" … "n999"; n can be looked up, name too. Remembers what it was asked for.
class Numbers : public VirtualTable {
 public:
  std::string Name() const override { return "numbers"; }
  std::vector<TableColumn> Columns() const override {
    return {{"n", ColumnType::kInteger}, {"name", ColumnType::kText}};
  }
  Plan Choose(std::span<const Constraint> constraints, std::span<const Order> order) const override {
    Plan plan;
    for (size_t i = 0; i < constraints.size(); ++i) plan.used.push_back(i);
    plan.ordered = order.size() == 1 && order[0].column == 0 && !order[0].descending;
    return plan;
  }
  std::unique_ptr<TableCursor> Open() override;

  std::vector<Bound> bounds;
  int visited = 0;
  int fails_at = -1;  // row whose cells cannot be read
};

class NumberCursor : public TableCursor {
 public:
  explicit NumberCursor(Numbers& table) : table_(table) {}
  Status Filter(std::span<const Bound> bounds) override {
    table_.bounds.assign(bounds.begin(), bounds.end());
    at_ = 0;
    return {};
  }
  bool AtEnd() const override { return at_ == 1000; }
  Status Next() override {
    ++at_;
    ++table_.visited;
    return {};
  }
  Result<Value> Column(int column) override {
    if (at_ == table_.fails_at) return Fail(ErrorKind::kDamaged, "snapshot.damaged", "row 500 is damaged");
    if (column == 0) return Value(int64_t{at_});
    return Value("n" + std::to_string(at_));
  }
  int64_t RowId() const override { return at_; }

 private:
  Numbers& table_;
  int at_ = 0;
};

std::unique_ptr<TableCursor> Numbers::Open() { return std::make_unique<NumberCursor>(*this); }

struct TextWriter {
  std::string operator()(std::monostate) const { return "null"; }
  std::string operator()(int64_t number) const { return std::to_string(number); }
  std::string operator()(double number) const { return std::to_string(number); }
  std::string operator()(const std::string& text) const { return text; }
  std::string operator()(const LastingText& text) const { return std::string(text.text); }
};

struct Rows : ResultSink {
  void Columns(const std::vector<std::string>& names) override { columns = names; }
  bool Row(std::span<const Value> cells) override {
    std::string row;
    for (const Value& cell : cells) row += (row.empty() ? "" : "|") + std::visit(TextWriter{}, cell);
    rows.push_back(row);
    if (each) each();
    return rows.size() < most;
  }
  std::function<void()> each;
  std::vector<std::string> columns, rows;
  size_t most = SIZE_MAX;
};

class ReadOnlyQuery : public ::testing::Test {
 protected:
  Status Run(const std::string& sql) {
    VirtualTable* tables[] = {&numbers_};
    return RunReadOnly(
        sql, tables, limits_, [this] { return cancelled_; }, rows_);
  }
  std::string CodeOf(const std::string& sql) {
    const Status done = Run(sql);
    return done ? "" : done.error().code;
  }

  Numbers numbers_;
  Rows rows_;
  QueryLimits limits_;
  bool cancelled_ = false;
};

TEST_F(ReadOnlyQuery, GivesColumnsAndRows) {
  ASSERT_TRUE(Run("SELECT n, name AS called, n * 1.5, NULL FROM numbers WHERE n BETWEEN 3 AND 4"));
  EXPECT_THAT(rows_.columns, ElementsAre("n", "called", "n * 1.5", "NULL"));
  EXPECT_THAT(rows_.rows, ElementsAre("3|n3|4.500000|null", "4|n4|6.000000|null"));
}

TEST_F(ReadOnlyQuery, StopsWhenNobodyReadsOn) {
  rows_.most = 2;
  ASSERT_TRUE(Run("SELECT n FROM numbers"));
  EXPECT_THAT(rows_.rows, ElementsAre("0", "1"));
  EXPECT_LT(numbers_.visited, 3);
}

// Constraints come with values as the column's type compares them.
TEST_F(ReadOnlyQuery, PassesConstraintsOn) {
  struct Case {
    const char* where;
    Comparison comparison;
    Value value;
  };
  for (const Case& each : {Case{"n = 7", Comparison::kEqual, int64_t{7}},
                           {"n = '7'", Comparison::kEqual, int64_t{7}},
                           {"n > 7.5", Comparison::kGreater, 7.5},
                           {"n <= 7", Comparison::kLessOrEqual, int64_t{7}},
                           {"8 > n", Comparison::kLess, int64_t{8}},
                           {"n = NULL", Comparison::kEqual, Value()},
                           {"n = 'seven'", Comparison::kEqual, std::string("seven")},
                           {"name = 'n5'", Comparison::kEqual, std::string("n5")},
                           {"name = 5", Comparison::kEqual, std::string("5")}}) {
    ASSERT_TRUE(Run(std::string("SELECT n FROM numbers WHERE ") + each.where));
    ASSERT_EQ(numbers_.bounds.size(), 1u) << each.where;
    EXPECT_EQ(numbers_.bounds[0].comparison, each.comparison) << each.where;
    EXPECT_EQ(numbers_.bounds[0].value, each.value) << each.where;
  }
}

// More names are equal to it than a lookup by bytes would find.
TEST_F(ReadOnlyQuery, OtherCollationsAreNotPassedOn) {
  ASSERT_TRUE(Run("SELECT n FROM numbers WHERE name = 'N5' COLLATE NOCASE"));
  EXPECT_THAT(numbers_.bounds, IsEmpty());
  EXPECT_THAT(rows_.rows, ElementsAre("5"));
}

TEST_F(ReadOnlyQuery, RefusesAllButReading) {
  for (const char* sql : {"DROP TABLE numbers",
                          "INSERT INTO numbers VALUES (1, 'x')",
                          "CREATE TABLE t(x)",
                          "CREATE TEMP TABLE t(x)",
                          "CREATE VIEW v AS SELECT 1",
                          "CREATE VIRTUAL TABLE t USING numbers",
                          "ATTACH ':memory:' AS other",
                          "ATTACH '/tmp/cairn-x' AS other",
                          "DETACH main",
                          "PRAGMA temp_store",
                          "PRAGMA writable_schema = 1",
                          "VACUUM",
                          "VACUUM INTO '/tmp/cairn-x'",
                          "BEGIN",
                          "COMMIT",
                          "SAVEPOINT s",
                          "REINDEX",
                          "ANALYZE",
                          "SELECT load_extension('/tmp/x')",
                          "SELECT * FROM pragma_database_list",
                          "SELECT * FROM json_each('[1]')",
                          "SELECT * FROM json_tree('[1]')"})
    EXPECT_EQ(CodeOf(sql), "query.refused") << sql;
  // A table that cannot be written is refused before anybody asks whether that is allowed.
  for (const char* sql : {"DELETE FROM numbers", "UPDATE numbers SET n = 1"})
    EXPECT_EQ(CodeOf(sql), "query.invalid") << sql;
  EXPECT_THAT(rows_.rows, IsEmpty());
}

TEST_F(ReadOnlyQuery, RefusesWhatIsNoStatement) {
  for (const char* sql :
       {"", "  ", ";", "-- nothing", "SELEC 1", "SELECT missing FROM numbers", "SELECT * FROM missing",
        "SELECT 1; SELECT 2", "SELECT 1; DROP TABLE numbers", "SELECT ?", "SELECT :name", "SELECT 'x"})
    EXPECT_EQ(CodeOf(sql), "query.invalid") << sql;
  for (const char* sql : {"SELECT 1;", "SELECT 1 ; -- and a comment", "/* first */ SELECT 1", "VALUES (1)",
                          "EXPLAIN QUERY PLAN SELECT * FROM numbers", "WITH t(x) AS (SELECT 1) SELECT x FROM t"})
    EXPECT_EQ(CodeOf(sql), "") << sql;
}

constexpr const char* kEndless =
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c";

TEST_F(ReadOnlyQuery, EndlessRecursionEndsWithTheTime) {
  limits_.time = milliseconds(50);
  const Status done = Run(kEndless);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, "query.timeout");
  EXPECT_EQ(done.error().kind, ErrorKind::kFailed);
  EXPECT_THAT(done.error().message, HasSubstr("50 ms"));
}

// Each row takes 10 ms to write, so that at most two are written before the 20 ms are over.
TEST_F(ReadOnlyQuery, RowsThatAreDearToWriteEndWithTheTimeToo) {
  limits_.time = milliseconds(20);
  rows_.each = [] { std::this_thread::sleep_for(milliseconds(10)); };
  EXPECT_EQ(CodeOf("WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 500) SELECT x FROM c"),
            "query.timeout");
  EXPECT_LE(rows_.rows.size(), 2u);
}

TEST_F(ReadOnlyQuery, EndlessRecursionCanBeCancelled) {
  cancelled_ = true;
  EXPECT_EQ(CodeOf(kEndless), "cancelled");
}

// 200,000 texts of 1000 bytes to be sorted are 200 MB.
TEST_F(ReadOnlyQuery, MemoryIsBounded) {
  limits_.memory_bytes = 20 << 20;
  EXPECT_EQ(CodeOf("SELECT a.name || hex(zeroblob(500)) FROM numbers a, numbers b WHERE b.n < 200 ORDER BY 1"),
            "query.memory");
  EXPECT_EQ(CodeOf("SELECT length(randomblob(1000000000))"), "query.memory");
  EXPECT_EQ(CodeOf("SELECT count(*) FROM numbers"), "");  // and afterwards all is well
}

TEST_F(ReadOnlyQuery, ATablesOwnErrorIsTold) {
  numbers_.fails_at = 500;
  const Status done = Run("SELECT sum(n) FROM numbers");
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, "snapshot.damaged");
  EXPECT_EQ(done.error().kind, ErrorKind::kDamaged);
}

}  // namespace
}  // namespace cairn::sql
