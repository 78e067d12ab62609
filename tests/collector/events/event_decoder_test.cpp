#include "collector/events/event_decoder.h"

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

namespace cairn::collector {
namespace {

using protocol::EventValue;
using protocol::LoggedEvent;

// A payload, field by field.
class Payload {
 public:
  template <class T>
  Payload& Add(T value) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(&value);
    bytes_.insert(bytes_.end(), bytes, bytes + sizeof value);
    return *this;
  }
  Payload& Text(const std::u16string& text) {
    for (const char16_t unit : text) Add(unit);
    return Add(char16_t{0});
  }
  const std::vector<uint8_t>& Bytes() const { return bytes_; }

 private:
  std::vector<uint8_t> bytes_;
};

struct Decoded {
  bool whole = false;
  LoggedEvent event;

  const EventValue& Value(const std::string& key) const {
    static const EventValue kNone;
    for (const EventValue& value : event.values)
      if (value.key == key) return value;
    ADD_FAILURE() << "no value " << key;
    return kNone;
  }
};

Decoded Decode(uint16_t id, uint16_t version, const Payload& payload, std::string_view text = {}) {
  Decoded decoded;
  const ListedEvent* listed = FindEvent(id);
  if (listed == nullptr) return decoded;
  const EventParts parts{{version, static_cast<uint16_t>(text.size()), 0}, text, payload.Bytes()};
  decoded.whole = DecodeEvent(*listed, parts, &decoded.event);
  return decoded;
}

TEST(EventDecoderTest, Exception) {
  const auto got = Decode(80, 1,
                          Payload()
                              .Text(u"Shop.Mishap")
                              .Text(u"no \u20ac left")
                              .Add(uint64_t{0x1234})
                              .Add(uint32_t{0x80131500})
                              .Add(uint16_t{2 | 16})
                              .Add(uint16_t{0}));
  EXPECT_TRUE(got.whole);
  EXPECT_EQ(got.event.event, "exception");
  EXPECT_EQ(got.event.type, "Shop.Mishap");
  EXPECT_EQ(got.Value("message").text, "no \u20ac left");
  EXPECT_EQ(got.Value("hresult").number, 0x80131500u);
  EXPECT_EQ(got.Value("nested").number, 1u);
  EXPECT_EQ(got.Value("rethrown").number, 0u);
}

TEST(EventDecoderTest, StartOfACollection) {
  const auto got = Decode(
      1, 2,
      Payload().Add(uint32_t{7}).Add(uint32_t{2}).Add(uint32_t{1}).Add(uint32_t{1}).Add(uint16_t{0}).Add(uint64_t{0}));
  EXPECT_EQ(got.event.event, "gc-start");
  EXPECT_EQ(got.Value("number").number, 7u);
  EXPECT_EQ(got.Value("generation").number, 2u);
  EXPECT_EQ(got.Value("reason").text, "induced");
  EXPECT_EQ(got.Value("type").text, "background");
}

TEST(EventDecoderTest, ReasonsThatLaterRuntimesHaveAreNumbers) {
  const auto got = Decode(9, 1, Payload().Add(uint32_t{99}).Add(uint32_t{1}).Add(uint16_t{0}));
  EXPECT_EQ(got.event.event, "suspend-begin");
  EXPECT_EQ(got.Value("reason").text, "99");
}

TEST(EventDecoderTest, MethodOfAModule) {
  const auto got = Decode(143, 2,
                          Payload()
                              .Add(uint64_t{0x10})
                              .Add(uint64_t{0x20})
                              .Add(uint64_t{0x7f00})
                              .Add(uint32_t{120})
                              .Add(uint32_t{0x06000001})
                              .Add(uint32_t{(4u << 7) | 8})
                              .Text(u"Shop.Cart")
                              .Text(u"Add")
                              .Text(u"void (int)")
                              .Add(uint16_t{0})
                              .Add(uint64_t{0}),
                          "/app/Shop.dll");
  EXPECT_TRUE(got.whole);
  EXPECT_EQ(got.event.event, "method-load");
  EXPECT_EQ(got.event.type, "Shop.Cart");
  EXPECT_EQ(got.event.name, "Add");
  EXPECT_EQ(got.event.module, "Shop.dll");
  EXPECT_EQ(got.Value("bytes").number, 120u);
  EXPECT_EQ(got.Value("tier").text, "tier 1");
  EXPECT_EQ(got.Value("dynamic").number, 0u);
}

// The bits that say so are others for a module than for an assembly: 0x4 of it, and 0x2 there; 0x2 of a module, and 0x4
// there, is a native image.
TEST(EventDecoderTest, ModulesAndAssembliesThatAreMadeAtRunTime) {
  for (const auto& [flags, module_is, assembly_is] : {std::tuple{2u, 0u, 1u}, std::tuple{4u, 1u, 0u}}) {
    const auto module = Decode(
        152, 2,
        Payload().Add(uint64_t{1}).Add(uint64_t{2}).Add(uint32_t{flags}).Add(uint32_t{0}).Text(u"Made").Text(u""));
    EXPECT_EQ(module.Value("dynamic").number, module_is) << flags;
    const auto assembly = Decode(
        154, 1, Payload().Add(uint64_t{1}).Add(uint64_t{2}).Add(uint64_t{3}).Add(uint32_t{flags}).Text(u"Made, V=1"));
    EXPECT_EQ(assembly.Value("dynamic").number, assembly_is) << flags;
  }
}

TEST(EventDecoderTest, ModuleAndAssembly) {
  const auto module = Decode(152, 2,
                             Payload()
                                 .Add(uint64_t{1})
                                 .Add(uint64_t{2})
                                 .Add(uint32_t{0})
                                 .Add(uint32_t{0})
                                 .Text(u"/app/Shop.dll")
                                 .Text(u"")
                                 .Add(uint16_t{0}));
  EXPECT_EQ(module.event.name, "Shop.dll");
  EXPECT_EQ(module.Value("dynamic").number, 0u);
  EXPECT_EQ(module.Value("path").text, "/app/Shop.dll");
  const auto assembly = Decode(154, 1,
                               Payload()
                                   .Add(uint64_t{1})
                                   .Add(uint64_t{2})
                                   .Add(uint64_t{3})
                                   .Add(uint32_t{8})
                                   .Text(u"Shop, Version=1.0.0.0, Culture=neutral")
                                   .Add(uint16_t{0}));
  EXPECT_EQ(assembly.event.name, "Shop");
  EXPECT_EQ(assembly.Value("collectible").number, 1u);
}

TEST(EventDecoderTest, Contention) {
  const auto start =
      Decode(81, 2, Payload().Add(uint8_t{0}).Add(uint16_t{0}).Add(uint64_t{5}).Add(uint64_t{6}).Add(uint64_t{4242}));
  EXPECT_EQ(start.Value("lock").number, 5u);
  EXPECT_EQ(start.Value("object").number, 6u);
  EXPECT_EQ(start.Value("owner_os_thread").number, 4242u);
  const auto stop = Decode(91, 1, Payload().Add(uint8_t{0}).Add(uint16_t{0}).Add(2500.0));
  EXPECT_DOUBLE_EQ(stop.Value("waited_us").real, 2.5) << "2,500 ns";
}

TEST(EventDecoderTest, CutPayloadsAreSaidToBe) {
  for (const uint16_t id : {1, 2, 4, 9, 13, 50, 51, 54, 55, 74, 80, 81, 85, 91, 143, 144, 152, 153, 154, 155}) {
    const auto got = Decode(id, 2, Payload().Add(uint8_t{1}));
    EXPECT_FALSE(got.whole) << id;
    EXPECT_FALSE(got.event.event.empty()) << id;
  }
}

TEST(EventDecoderTest, PartsOfARecordAreChecked) {
  EventParts parts;
  EXPECT_FALSE(TakeApart(std::vector<uint8_t>(7), &parts));
  std::vector<uint8_t> record(12);
  record[2] = 5;  // a text longer than what follows
  EXPECT_FALSE(TakeApart(record, &parts));
  record[2] = 3;
  ASSERT_TRUE(TakeApart(record, &parts));
  EXPECT_EQ(parts.text.size(), 3u);
  EXPECT_EQ(parts.payload.size(), 1u);
}

TEST(EventListTest, SubscribesToWhatTheGroupsNeedAndNoMore) {
  const auto of = [](EventGroup group) { return SubscriptionFor(1u << static_cast<unsigned>(group)); };
  EXPECT_EQ(of(EventGroup::kException).level, 2u);
  EXPECT_EQ(of(EventGroup::kException).keywords, 0x8000u);
  EXPECT_EQ(of(EventGroup::kJit).level, 5u);
  const EventSubscription both = SubscriptionFor(1u << 4 | 1u << 5);  // exceptions and collections
  EXPECT_EQ(both.keywords, 0x8001u);
  EXPECT_EQ(both.level, 4u);
  EXPECT_EQ(FindEvent(10), nullptr) << "allocation ticks come at level 5, and are not part of the log";
}

}  // namespace
}  // namespace cairn::collector
