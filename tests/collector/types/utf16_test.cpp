#include "collector/types/utf16.h"

#include <gtest/gtest.h>

namespace cairn::collector {
namespace {

TEST(Utf16, ConvertsBothWays) {
  const std::u16string text = u"Gr\u00FC\u00DFe \u20AC \U0001F600";
  const std::string utf8 =
      "Gr\xC3\xBC\xC3\x9F"
      "e \xE2\x82\xAC \xF0\x9F\x98\x80";
  EXPECT_EQ(ToUtf8(text.data(), text.size()), utf8);
  EXPECT_EQ(ToUtf16(utf8), text);
}

TEST(Utf16, ReplacesLoneSurrogates) {
  const abi::WChar lone[] = {0xD800, 'x', 0xDC00};
  EXPECT_EQ(ToUtf8(lone, 3), "\xEF\xBF\xBDx\xEF\xBF\xBD");
}

TEST(Utf16, CutsBetweenCharacters) {
  char out[3];
  EXPECT_EQ(ToUtf8(u"a\u20AC", 2, out, sizeof out), 1u);  // 1 + 3 bytes do not fit
  EXPECT_EQ(out[0], 'a');
}

}  // namespace
}  // namespace cairn::collector
