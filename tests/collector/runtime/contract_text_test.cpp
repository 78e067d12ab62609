#include "collector/runtime/contract_text.h"

#include <gtest/gtest.h>

namespace cairn::collector {
namespace {

constexpr const char* kJson = R"({"version":0,"baseline":"empty","contracts":{"Thread":1},
  "types":{"Module":{"!":8,"Path":200,"LinkNext":[112,"pointer"]}, "Odd\"{":{"A":1}, "Empty":{},
           "Last":{"!":24,"GCStatics":0}},
  "globals":{"Module":["0x7","uint8"],"List":[[9],"pointer"]}})";

TEST(ContractText, FindsOffsetsSizesAndTypedOffsets) {
  const ContractText text(kJson);
  EXPECT_EQ(text.Offset("Module", "Path"), 200u);
  EXPECT_EQ(text.Offset("Module", "!"), 8u);
  EXPECT_EQ(text.Offset("Module", "LinkNext"), 112u);
  EXPECT_EQ(text.Offset("Last", "GCStatics"), 0u);
}

TEST(ContractText, HasNoAnswerForWhatIsNotThere) {
  const ContractText text(kJson);
  EXPECT_FALSE(text.Offset("Module", "Missing"));
  EXPECT_FALSE(text.Offset("Missing", "Path"));
  EXPECT_FALSE(text.Offset("Empty", "A"));
  EXPECT_FALSE(text.Offset("List", "pointer"));  // a global, not a type
}

TEST(ContractText, FindsSeveralOffsetsOrSaysThatOneIsMissing) {
  const ContractText text(kJson);
  uint32_t path = 1, size = 1, missing = 1;
  EXPECT_TRUE(text.Offsets({{"Module", "Path", &path}, {"Last", "!", &size}}));
  EXPECT_EQ(path, 200u);
  EXPECT_EQ(size, 24u);
  EXPECT_FALSE(text.Offsets({{"Module", "Path", &path}, {"Module", "Missing", &missing}}));
  EXPECT_EQ(missing, 1u);
}

TEST(ContractText, FindsGlobals) {
  const ContractText text(kJson);
  EXPECT_EQ(text.PointerIndex("List"), 9u);
  EXPECT_EQ(text.Value("Module"), 7u);
  EXPECT_FALSE(text.PointerIndex("Module"));  // a number
  EXPECT_FALSE(text.Value("List"));           // an address
  EXPECT_FALSE(text.Value("Missing"));
  EXPECT_EQ(ContractText(R"({"globals":{"A":["12","uint8"]}})").Value("A"), 12u);
  EXPECT_FALSE(ContractText(R"({"globals":{"A":["0xZ","uint8"]}})").Value("A"));
}

TEST(ContractText, SurvivesEveryCut) {
  const std::string_view whole = kJson;
  for (size_t size = 0; size < whole.size(); ++size) {
    const auto offset = ContractText(whole.substr(0, size)).Offset("Last", "!");
    EXPECT_TRUE(!offset || *offset == 24u || *offset == 2u) << size;  // "24" may be cut to "2"
  }
}

TEST(ContractText, RefusesWhatIsNotAnOffset) {
  EXPECT_FALSE(ContractText(R"({"types":{"A":{"x":-1}}})").Offset("A", "x"));
  EXPECT_FALSE(ContractText(R"({"types":{"A":{"x":99999999999}}})").Offset("A", "x"));
  EXPECT_FALSE(ContractText(R"({"types":{"A":{"x":"8"}}})").Offset("A", "x"));
  EXPECT_FALSE(ContractText(R"({"types":[]})").Offset("A", "x"));
}

}  // namespace
}  // namespace cairn::collector
