#include "viewer/presentation/quantity.h"

#include <gtest/gtest.h>

#include <limits>

namespace cairn::presentation {
namespace {

TEST(ParseSize, TakesDecimalAndBinaryUnits) {
  EXPECT_EQ(ParseSize("4096").value(), 4096u);
  EXPECT_EQ(ParseSize("4096B").value(), 4096u);
  EXPECT_EQ(ParseSize("200MB").value(), 200'000'000u);
  EXPECT_EQ(ParseSize("1.5GiB").value(), 1'610'612'736u);  // 1.5 × 2^30
  EXPECT_EQ(ParseSize("10 kib").value(), 10'240u);
  EXPECT_EQ(ParseSize("2tb").value(), 2'000'000'000'000u);
  EXPECT_EQ(ParseSize("0").value(), 0u);
}

TEST(ParseSize, RefusesEverythingElse) {
  for (const char* wrong :
       {"", "MB", "-5MB", "5 parsec", "1e9", "0x10", "5MBs", "99999999999TiB", "inf", "nan", " 5"}) {
    const auto size = ParseSize(wrong);
    ASSERT_FALSE(size) << wrong;
    EXPECT_EQ(size.error().code, "usage.bad_size");
    EXPECT_EQ(size.error().kind, ErrorKind::kUsage);
  }
  EXPECT_EQ(ParseSize("1.5").value(), 2u);  // rounded to whole bytes
}

int64_t Ms(const char* text, BareNumber bare = BareNumber::kSeconds) {
  return ParseDuration(text, bare).value().count();
}

TEST(ParseDuration, TakesUnitsClockAndBareNumbers) {
  EXPECT_EQ(Ms("250ms"), 250);
  EXPECT_EQ(Ms("30s"), 30'000);
  EXPECT_EQ(Ms("5m"), 300'000);
  EXPECT_EQ(Ms("1.5h"), 5'400'000);
  EXPECT_EQ(Ms("2d"), 172'800'000);
  EXPECT_EQ(Ms("00:00:30"), 30'000);
  EXPECT_EQ(Ms("01:02:03"), 3'723'000);     // 3600 + 2 × 60 + 3
  EXPECT_EQ(Ms("1.02:03:04"), 93'784'000);  // 86400 + 7200 + 180 + 4
  EXPECT_EQ(Ms("7"), 7'000);
  EXPECT_EQ(Ms("7", BareNumber::kMilliseconds), 7);
}

TEST(ParseDuration, RefusesEverythingElse) {
  for (const char* wrong :
       {"", "s", "-5s", "5 fortnights", "1:2", "00:60:00", "00:00:60", "1:2:3:4", "a:b:c", "::", "9999999999999d"}) {
    const auto duration = ParseDuration(wrong, BareNumber::kSeconds);
    ASSERT_FALSE(duration) << wrong;
    EXPECT_EQ(duration.error().code, "usage.bad_duration");
  }
}

TEST(Counts, AreGrouped) {
  EXPECT_EQ(GroupedCount(0), "0");
  EXPECT_EQ(GroupedCount(999), "999");
  EXPECT_EQ(GroupedCount(1000), "1,000");
  EXPECT_EQ(GroupedCount(12'345'678), "12,345,678");
  EXPECT_EQ(GroupedCount(std::numeric_limits<uint64_t>::max()), "18,446,744,073,709,551,615");
}

TEST(Differences, KeepTheirSign) {
  EXPECT_EQ(GroupedDifference(0), "0");
  EXPECT_EQ(GroupedDifference(1234), "+1,234");
  EXPECT_EQ(GroupedDifference(-7), "-7");
  EXPECT_EQ(GroupedDifference(std::numeric_limits<int64_t>::min()), "-9,223,372,036,854,775,808");
}

TEST(Bytes, AreReadableAndExact) {
  EXPECT_EQ(HumanBytes(0), "0 B");
  EXPECT_EQ(HumanBytes(1023), "1023 B");
  EXPECT_EQ(HumanBytes(1536), "1.5 KiB");
  EXPECT_EQ(HumanBytes(1'048'575), "1.0 MiB");  // 1023.999 KiB is not "1024.0 KiB"
  EXPECT_EQ(HumanBytes(5ull << 30), "5.0 GiB");
  EXPECT_EQ(HumanBytes(std::numeric_limits<uint64_t>::max()), "16.0 EiB");
  EXPECT_EQ(FullBytes(1), "1 byte");
  EXPECT_EQ(FullBytes(512), "512 bytes");
  EXPECT_EQ(FullBytes(5ull << 30), "5.0 GiB (5,368,709,120 bytes)");
}

TEST(Times, HaveThreeDigits) {
  EXPECT_EQ(Milliseconds(0.351), "0.35 ms");
  EXPECT_EQ(Milliseconds(12.44), "12.4 ms");
  EXPECT_EQ(Milliseconds(1234.4), "1,234 ms");
  EXPECT_EQ(Milliseconds(std::numeric_limits<double>::quiet_NaN()), "unknown");
  EXPECT_EQ(Milliseconds(1e300), "9,000,000,000,000,000,000 ms");  // a hostile file may say anything
}

TEST(Addresses, AreHexadecimal) { EXPECT_EQ(HexAddress(0x7f12a0001000), "0x7f12a0001000"); }

}  // namespace
}  // namespace cairn::presentation
