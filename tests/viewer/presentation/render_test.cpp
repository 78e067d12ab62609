// One table, three forms.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/viewer/presentation/csv_reader.h"
#include "viewer/presentation/render/csv_rows.h"
#include "viewer/presentation/render/json_document.h"
#include "viewer/presentation/render/probe_list.h"
#include "viewer/presentation/render/text_table.h"
#include "viewer/presentation/tables/probe_table.h"
#include "viewer/presentation/tables/process_table.h"

namespace cairn::presentation {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// Whatever columns and rows a case needs.
class LiteralTable : public Table {
 public:
  LiteralTable(std::vector<Column> columns, std::vector<std::vector<Cell>> rows)
      : columns_(std::move(columns)), rows_(std::move(rows)) {}
  std::vector<Column> Columns() const override { return columns_; }
  uint64_t RowCount() const override { return rows_.size(); }
  std::vector<Cell> Row(uint64_t row) const override { return rows_[row]; }

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

LiteralTable Numbers() {
  return {{{"name", "Name"}, {"count", "Count", Format::kCount}, {"growth", "Growth", Format::kDifference}},
          {{std::string("first"), uint64_t{1234567}, int64_t{-5}}, {std::string("b"), uint64_t{1}, int64_t{1000}}}};
}

LiteralTable HostileNames() {
  return {{{"type", "Type"}},
          {{std::string("a\x1b]0;owned\x07")},
           {std::string("line\r\nbreak")},
           {std::string("Cache<A, \"B\">")},
           {std::string(" padded ")},
           {std::string("\xff\xfe")},
           {std::string("=cmd()")}}};
}

std::string Text(const Table& table, TextStyle style = {}, std::optional<uint64_t> top = {}) {
  StringSink sink;
  TextTable text(sink, style);
  Emit(table, top, text);
  return sink.Text();
}

std::string Csv(const Table& table) {
  StringSink sink;
  CsvRows csv(sink);
  Emit(table, std::nullopt, csv);
  return sink.Text();
}

Json Document(const Table& table) {
  StringSink sink;
  JsonDocument document(sink);
  JsonDocument::Rows rows(document, "rows");
  Emit(table, std::nullopt, rows);
  document.Finish();
  return Json::parse(sink.Text());
}

TEST(TextTable, AlignsNumbersRight) {
  EXPECT_EQ(Text(Numbers()),
            "Name       Count  Growth\n"
            "first  1,234,567      -5\n"
            "b              1  +1,000\n");
}

TEST(TextTable, SaysWhatIsLeftOut) {
  EXPECT_THAT(Text(Numbers(), {}, 1), HasSubstr("… 1 more row\n"));
  EXPECT_THAT(Text(Numbers()), Not(HasSubstr("more")));
}

TEST(TextTable, PrintsNoTitlesWithoutRows) { EXPECT_EQ(Text(LiteralTable({{"name", "Name"}}, {})), ""); }

TEST(TextTable, LeavesEmptyColumnsOutWhereTheyMay) {
  Column maybe{"retained", "Retained", Format::kBytes};
  maybe.hide_if_empty = true;
  const Column always{"reason", "Reason"};
  EXPECT_EQ(Text(LiteralTable({{"n", "N", Format::kCount}, maybe, always}, {{uint64_t{1}, Cell(), Cell()}})),
            "N  Reason\n1  -\n");
  EXPECT_EQ(Text(LiteralTable({{"n", "N", Format::kCount}, maybe}, {{uint64_t{1}, uint64_t{2}}})),
            "N  Retained\n1         2\n");
}

TEST(TextTable, PutsColumnsInTheirPlaces) {
  Column last{"type", "Type"};
  last.place = 1;
  EXPECT_EQ(Text(LiteralTable({last, {"n", "N", Format::kCount}}, {{std::string("A"), uint64_t{7}}})),
            "N  Type\n7  A\n");
}

TEST(TextTable, FitsATerminalByTheWidestText) {
  const LiteralTable table({{"n", "N", Format::kCount}, {"type", "Type"}},
                           {{uint64_t{1}, std::string("System.Collections.Generic.Dictionary<System.String>")}});
  EXPECT_EQ(Text(table, {false, 30}), "N  Type\n1  System.Collec…ystem.String>\n");  // 30 = 1 + 2 + 13 + 1 + 13
}

TEST(TextTable, ColourIsOnlyAround) {
  EXPECT_THAT(Text(Numbers(), {true, 0}), HasSubstr("\x1b[1mName"));
  EXPECT_THAT(Text(Numbers()), Not(HasSubstr("\x1b")));
}

TEST(TextTable, HostileNamesStayOnTheirLine) {
  const std::string text = Text(HostileNames());
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 7);  // the titles and six rows
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, Not(HasSubstr("\r")));
  EXPECT_THAT(text, HasSubstr("a\\u001b]0;owned\\u0007"));
}

TEST(Csv, ParsesBack) {
  EXPECT_THAT(testing::ReadCsv(Csv(Numbers())),
              ElementsAre(ElementsAre("name", "count", "growth"), ElementsAre("first", "1234567", "-5"),
                          ElementsAre("b", "1", "1000")));
}

TEST(Csv, HostileNamesParseBack) {
  const std::string csv = Csv(HostileNames());
  EXPECT_THAT(testing::ReadCsv(csv),
              ElementsAre(ElementsAre("type"), ElementsAre("a\\u001b]0;owned\\u0007"), ElementsAre("line\r\nbreak"),
                          ElementsAre("Cache<A, \"B\">"), ElementsAre(" padded "), ElementsAre("\\xff\\xfe"),
                          ElementsAre("=cmd()")));
  EXPECT_THAT(csv, Not(HasSubstr("\x1b")));
}

TEST(Csv, NumbersSeriesAndLeavesTextOnlyOut) {
  Column first{"bytes", "Before", Format::kBytes}, second{"bytes", "After", Format::kBytes};
  first.series = 0;
  second.series = 1;
  const Column text_only{"", "Growth", Format::kDifference, Shown::kTextOnly};
  const LiteralTable table({first, second, text_only}, {{uint64_t{1}, Cell(), int64_t{0}}});
  EXPECT_EQ(Csv(table), "bytes_1,bytes_2\r\n1,\r\n");
  EXPECT_EQ(Document(table)["rows"], Json::parse(R"([{"bytes":[1,null]}])"));
}

TEST(JsonDocument, IsOneObject) {
  EXPECT_EQ(Document(Numbers()), Json::parse(R"({"schema":1,"rows":[{"name":"first","count":1234567,"growth":-5},
                                                {"name":"b","count":1,"growth":1000}]})"));
  EXPECT_EQ(Document(LiteralTable({{"a", "A"}}, {})), Json::parse(R"({"schema":1,"rows":[]})"));
}

TEST(JsonDocument, HostileNamesAreEscapedAndExact) {
  StringSink sink;
  JsonDocument document(sink);
  JsonDocument::Rows rows(document, "rows");
  Emit(HostileNames(), std::nullopt, rows);
  document.Finish();
  for (const char c : sink.Text()) EXPECT_TRUE(c == '\n' || (c >= 0x20 && c < 0x7f));
  const Json parsed = Json::parse(sink.Text());
  EXPECT_EQ(parsed["rows"][0]["type"], "a\x1b]0;owned\x07");
  EXPECT_EQ(parsed["rows"][1]["type"], "line\r\nbreak");
  EXPECT_EQ(parsed["rows"][4]["type"], "\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(ProcessTable, IsInOrderOfPid) {
  const ProcessTable table({{20, "b", "root", "", 5000, false, "stopped"}, {3, "a", "me", "10.0.12", 2048, true, {}}});
  EXPECT_EQ(Text(table),
            "Pid  Name  User  Runtime  RSS bytes  Attachable  Remark\n"
            "  3  a     me    10.0.12      2,048  yes         -\n"
            " 20  b     root               5,000  no          stopped\n");
  EXPECT_EQ(Document(table)["rows"][0], Json::parse(R"({"pid":3,"name":"a","user":"me","runtime":"10.0.12",
                                                       "rss_bytes":2048,"attachable":true,"reason":null})"));
}

TEST(ProbeList, PutsTheRemedyBelow) {
  StringSink sink;
  const ProbeTable table({{"socket", true, "found", {}},
                          {"start", true, "full ones only", "pass --light"},
                          {"user", false, "is root's\x1b", "run as root"}});
  WriteProbeList(table, {}, sink);
  EXPECT_EQ(sink.Text(),
            "ok      socket  found\n"
            "LIMITS  start   full ones only\n"
            "                → pass --light\n"
            "BROKEN  user    is root's\\u001b\n"
            "                → run as root\n");
  EXPECT_FALSE(table.AllOk());
  EXPECT_TRUE(ProbeTable({}).AllOk());
}

}  // namespace
}  // namespace cairn::presentation
