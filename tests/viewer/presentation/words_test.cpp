// Names as they are typed and shown: objects, near misses, hostile text.

#include <gtest/gtest.h>

#include <array>

#include "viewer/presentation/nearest_word.h"
#include "viewer/presentation/object_name.h"
#include "viewer/presentation/visible_text.h"

namespace cairn::presentation {
namespace {

TEST(ObjectName, TakesIndexAndAddress) {
  using Kind = ObjectName::Kind;
  EXPECT_EQ(ParseObjectName("@12").value(), (ObjectName{Kind::kIndex, 12}));
  EXPECT_EQ(ParseObjectName("12").value(), (ObjectName{Kind::kIndex, 12}));
  EXPECT_EQ(ParseObjectName("0x7f12a0001000").value(), (ObjectName{Kind::kAddress, 0x7f12a0001000}));
  EXPECT_EQ(ParseObjectName("0XFF").value(), (ObjectName{Kind::kAddress, 255}));
  EXPECT_EQ(ParseObjectName("5000000000").value(), (ObjectName{Kind::kIndex, 5'000'000'000}));  // above 2^32
}

TEST(ObjectName, RefusesEverythingElse) {
  for (const char* wrong : {"", "@", "0x", "@0x10", "-1", "@-1", "12a", "0xg", "Shop.Order", "99999999999999999999"}) {
    const auto name = ParseObjectName(wrong);
    ASSERT_FALSE(name) << wrong;
    EXPECT_EQ(name.error().code, "usage.bad_object");
  }
}

TEST(ObjectName, WritesWhatItReads) {
  for (const char* text : {"@12", "0x7f10"}) EXPECT_EQ(ToString(ParseObjectName(text).value()), text);
}

TEST(NearestWord, FindsWhatWasMeant) {
  const std::array<std::string, 5> known = {"types", "diff", "detach", "ps", "capture"};
  EXPECT_EQ(NearestWord("tpyes", known), "types");     // a swap
  EXPECT_EQ(NearestWord("typ", known), std::nullopt);  // two of five letters: more than a third
  EXPECT_EQ(NearestWord("captrue", known), "capture");
  EXPECT_EQ(NearestWord("dif", known), "diff");
  EXPECT_EQ(NearestWord("p", known), "ps");
  EXPECT_EQ(NearestWord("xyzzy", known), std::nullopt);
  EXPECT_EQ(NearestWord(std::string(100'000, 't'), known), std::nullopt);
}

TEST(VisibleText, ShowsWhatWouldActOnATerminal) {
  EXPECT_EQ(VisibleText("Shop.Order"), "Shop.Order");
  EXPECT_EQ(VisibleText("a\x1b[31mb"), "a\\u001b[31mb");
  EXPECT_EQ(VisibleText("a\nb\r\t"), "a\\u000ab\\u000d\\u0009");
  EXPECT_EQ(VisibleText("\x7f"), "\\u007f");
  EXPECT_EQ(VisibleText("\xC2\x9B"), "\\u009b");           // C1: a one-character escape
  EXPECT_EQ(VisibleText("\xE2\x80\xAE"), "\\u202e");       // turns the writing direction
  EXPECT_EQ(VisibleText("\xF3\xA0\x80\x81"), "\\ue0001");  // a tag
  EXPECT_EQ(VisibleText(std::string("a\0b", 3)), "a\\u0000b");
}

TEST(VisibleText, KeepsLettersOfEveryScript) { EXPECT_EQ(VisibleText("Größe.Заказ.注文"), "Größe.Заказ.注文"); }

TEST(VisibleText, ShowsBytesThatAreNoUtf8) {
  EXPECT_EQ(VisibleText("a\xff"), "a\\xff");
  EXPECT_EQ(VisibleText("\xC3"), "\\xc3");                             // cut
  EXPECT_EQ(VisibleText("\xC0\x80"), "\\xc0\\x80");                    // overlong
  EXPECT_EQ(VisibleText("\xED\xA0\x80"), "\\xed\\xa0\\x80");           // half of a surrogate pair
  EXPECT_EQ(VisibleText("\xF4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // above U+10FFFF
}

TEST(DisplayWidth, CountsCodePoints) {
  EXPECT_EQ(DisplayWidth("Größe"), 5u);
  EXPECT_EQ(DisplayWidth(""), 0u);
}

TEST(Shortened, KeepsBothEnds) {
  EXPECT_EQ(Shortened("abcdefghij", 10), "abcdefghij");
  EXPECT_EQ(Shortened("abcdefghij", 5), "ab…ij");
  EXPECT_EQ(Shortened("abcdefghij", 6), "abc…ij");
  EXPECT_EQ(Shortened("ääääöööö", 5), "ää…öö");
  EXPECT_EQ(Shortened("abc", 1), "…");
  EXPECT_EQ(Shortened("abc", 0), "");
}

}  // namespace
}  // namespace cairn::presentation
