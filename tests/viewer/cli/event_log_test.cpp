// Lines, documents and filters of the event log.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>

#include "tests/viewer/cli/schema_check.h"
#include "viewer/cli/command.h"
#include "viewer/cli/event_filter.h"
#include "viewer/cli/event_output.h"
#include "viewer/cli/id_output.h"

namespace cairn::cli::testing {
namespace {

using nlohmann::json;
using protocol::EventGroup;
using protocol::EventValueKind;
using protocol::LoggedEvent;
using ::testing::IsEmpty;

// 2026-11-30 08:20:11 UTC is 1,796,026,811 s after 1970: 20,787 days of 86,400 s, and 30,011 s.
constexpr uint64_t kTime = 1'796'026'811ull * 1'000'000'000 + 123'456'789;

LoggedEvent Thrown() {
  LoggedEvent event;
  event.os_thread = 42;
  event.managed_thread = 7;
  event.thread_name = "worker";
  event.group = EventGroup::kException;
  event.event = "exception";
  event.type = "Shop.Mishap";
  event.name = "Shop.Cart.Add";
  event.module = "Shop.dll";
  event.values = {{"message", EventValueKind::kText, 0, 0, "two\nlines"},
                  {"hresult", EventValueKind::kAddress, 0x80131500, 0, {}},
                  {"nested", EventValueKind::kFlag, 0, 0, {}},
                  {"rethrown", EventValueKind::kFlag, 1, 0, {}}};
  return event;
}

LoggedEvent Loaded() {
  LoggedEvent event;
  event.os_thread = 42;
  event.group = EventGroup::kJit;
  event.event = "method-load";
  event.type = "Shop.Cart";
  event.name = "Add";
  event.module = "Shop.dll";
  return event;
}

bool Shows(const LoggedEvent& event, std::vector<std::string> filters) {
  const auto filter = EventFilter::Parse(filters);
  EXPECT_TRUE(filter.has_value());
  return filter && filter->Shows(event);
}

TEST(EventLine, SaysWhatAPersonNeedsOnOneLine) {
  setenv("TZ", "UTC", 1);
  tzset();
  EXPECT_EQ(EventLine(Thrown(), kTime),
            "08:20:11.123456       42 worker           exception         Shop.Mishap  Shop.Cart.Add  [Shop.dll]  "
            "message=two\\u000alines  hresult=0x80131500  rethrown=yes\n");
  EXPECT_EQ(EventLine(Loaded(), kTime),
            "08:20:11.123456       42                  method-load       Shop.Cart.Add  [Shop.dll]\n");
}

TEST(EventLine, AGapIsALineOfItsOwn) {
  LoggedEvent lost;
  lost.group = EventGroup::kException;
  lost.event = "lost";
  lost.values = {{"count", EventValueKind::kNumber, 12, 0, {}}};
  EXPECT_THAT(EventLine(lost, kTime), ::testing::HasSubstr("LOST  12 exception events"));
  EXPECT_TRUE(Shows(lost, {"nothing fits this"}));
  EXPECT_THAT(SchemaViolations(LoadSchema("log"), json::parse(EventJson(lost, kTime))), IsEmpty());
}

TEST(EventJson, IsOneDocumentOnOneLine) {
  const std::string text = EventJson(Thrown(), kTime);
  EXPECT_EQ(text.find('\n'), text.size() - 1);
  const json document = json::parse(text);
  EXPECT_THAT(SchemaViolations(LoadSchema("log"), document), IsEmpty());
  EXPECT_EQ(document["time"], "2026-11-30T08:20:11.123456Z");
  EXPECT_EQ(document["thread"]["managed_id"], 7);
  EXPECT_EQ(document["kind"], "exception");
  EXPECT_EQ(document["detail"]["message"], "two\nlines");
  EXPECT_EQ(document["detail"]["hresult"], "0x80131500");
  EXPECT_EQ(document["detail"]["nested"], false);
  EXPECT_EQ(json::parse(EventJson(Loaded(), kTime))["thread"]["managed_id"], nullptr);
}

TEST(EventFilter, FitsTypeMethodOrModule) {
  EXPECT_TRUE(Shows(Thrown(), {}));
  EXPECT_TRUE(Shows(Thrown(), {"mishap"}));
  EXPECT_TRUE(Shows(Thrown(), {"type:Shop.*"}));
  EXPECT_TRUE(Shows(Thrown(), {"method:*.Add"}));
  EXPECT_TRUE(Shows(Thrown(), {"module:Shop.dll"}));
  EXPECT_TRUE(Shows(Thrown(), {"nothing", "cart"})) << "one of several is enough";
  EXPECT_FALSE(Shows(Thrown(), {"method:mishap"}));
  EXPECT_FALSE(Shows(Thrown(), {"module:Other.dll"}));
  EXPECT_TRUE(Shows(Loaded(), {"method:Shop.Cart.Add"})) << "a method is known with its type";
}

TEST(EventFilter, RefusesWhatCanNeverFit) {
  for (const char* wrong : {"", "type:", "tpye:Shop.*", "type:module:Shop.dll", "/(/"}) {
    const auto filter = EventFilter::Parse({wrong});
    ASSERT_FALSE(filter.has_value()) << wrong;
    EXPECT_EQ(ExitCodeOf(filter.error()), kExitUsage) << wrong;
  }
  EXPECT_TRUE(EventFilter::Parse({"/a:b/"}).has_value()) << "an expression may hold a colon";
}

TEST(EventGroups, ArePickedByName) {
  EXPECT_EQ(ParseEventGroups("loader,gc").value(), 1u | 1u << 5);
  EXPECT_EQ(ParseEventGroups("all").value(), 511u);
  for (const char* wrong : {"", "gcs", "gc,,jit"}) {
    const auto groups = ParseEventGroups(wrong);
    ASSERT_FALSE(groups.has_value()) << wrong;
    EXPECT_EQ(groups.error().code, "usage.bad_value");
  }
}

TEST(IdOutput, LineAndDocument) {
  const protocol::IdRow row{
      protocol::IdKind::kFunction,
      0x7f00,
      "Shop.Cart.Add",
      "Shop.dll",
      {{"il_bytes", EventValueKind::kNumber, 12, 0, {}}, {"code_1", EventValueKind::kAddress, 0x8000, 0, {}}}};
  EXPECT_EQ(IdLine(row), "function  0x000000007f00  Shop.Cart.Add  [Shop.dll]  il_bytes=12  code_1=0x8000\n");
  json document = {{"schema", 1}, {"ids", json::array({json::parse(presentation::JsonText(IdJson(row)))})}};
  EXPECT_THAT(SchemaViolations(LoadSchema("ids"), document), IsEmpty());
  EXPECT_EQ(document["ids"][0]["id"], "0x7f00");
  EXPECT_EQ(document["ids"][0]["detail"]["il_bytes"], 12);
}

TEST(IdOutput, FieldsAtTheSamePlaceAreAllThere) {
  const auto field = [](const char* text) { return protocol::TextValue("field_8", text); };
  const protocol::IdRow row{protocol::IdKind::kClass,
                            0x7f00,
                            "Shop.Either",
                            "Shop.dll",
                            {field("number: System.Int64"), field("bits: System.Double"), field("low: System.Int32")}};
  EXPECT_EQ(json::parse(presentation::JsonText(IdJson(row)))["detail"],
            json::parse(R"({"field_8":"number: System.Int64","field_8_2":"bits: System.Double",
                            "field_8_3":"low: System.Int32"})"));
}

TEST(IdOutput, KindsAndNumbers) {
  EXPECT_EQ(ParseIdKinds("").value(), 63u);
  EXPECT_EQ(ParseIdKinds("module,thread").value(), 1u << 2 | 1u << 5);
  EXPECT_FALSE(ParseIdKinds("modules").has_value());
  EXPECT_EQ(ParseId("0x7F00").value(), 0x7f00u);
  EXPECT_EQ(ParseId("32512").value(), 0x7f00u);
  for (const char* wrong : {"", "0", "0x", "0x12zz", "-1"}) EXPECT_FALSE(ParseId(wrong).has_value()) << wrong;
}

}  // namespace
}  // namespace cairn::cli::testing
