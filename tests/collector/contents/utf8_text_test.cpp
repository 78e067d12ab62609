#include "collector/contents/utf8_text.h"

#include <gtest/gtest.h>

#include <string>

namespace cairn::collector {
namespace {

std::string Utf8(const std::u16string& text) {
  std::string out(text.size() * 3, 0);
  out.resize(PutUtf8(reinterpret_cast<const uint8_t*>(text.data()), static_cast<uint32_t>(text.size()),
                     reinterpret_cast<uint8_t*>(out.data())));
  return out;
}

TEST(Utf8Text, OneToFourBytes) {
  EXPECT_EQ(Utf8(u""), "");
  EXPECT_EQ(Utf8(u"leak\x7F"), "leak\x7F");
  EXPECT_EQ(Utf8(u"\u0080\u07FF"), "\xC2\x80\xDF\xBF");
  EXPECT_EQ(Utf8(u"\u0800\uFFFF"), "\xE0\xA0\x80\xEF\xBF\xBF");
  EXPECT_EQ(Utf8(u"\U00010000\U0010FFFF"), "\xF0\x90\x80\x80\xF4\x8F\xBF\xBF");
}

TEST(Utf8Text, ALoneSurrogateIsReplaced) {
  const std::u16string high(1, 0xD83D), low(1, 0xDE00);
  EXPECT_EQ(Utf8(high), "\xEF\xBF\xBD");
  EXPECT_EQ(Utf8(low + high), "\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(Utf8(high + u"x"), "\xEF\xBF\xBDx");
  EXPECT_EQ(Utf8(high + high + low), "\xEF\xBF\xBD\xF0\x9F\x98\x80");
}

}  // namespace
}  // namespace cairn::collector
