#include "collector/capture/option_check.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>

namespace cairn::collector {
namespace {

using protocol::Options;

Options Good() {
  Options options;
  options.size = sizeof options;
  std::strcpy(options.socket_path, "/tmp/s");
  return options;
}

bool Reads(const Options& options) {
  Options copy;
  return ReadOptions(&options, sizeof options, copy);
}

TEST(OptionCheckTest, TakesAGoodBlock) {
  const Options options = Good();
  Options copy;
  ASSERT_TRUE(ReadOptions(&options, sizeof options, copy));
  EXPECT_STREQ(copy.socket_path, "/tmp/s");
}

TEST(OptionCheckTest, RefusesEveryBrokenField) {
  const std::pair<const char*, std::function<void(Options&)>> breakings[] = {
      {"magic", [](Options& o) { o.magic ^= 1; }},
      {"version", [](Options& o) { o.version += 1; }},
      {"size", [](Options& o) { o.size -= 1; }},
      {"gc", [](Options& o) { o.gc = static_cast<protocol::GcRequest>(2); }},
      {"method", [](Options& o) { o.method = static_cast<protocol::WalkMethod>(3); }},
      {"strings", [](Options& o) { o.strings = static_cast<protocol::StringCapture>(3); }},
      {"self check", [](Options& o) { o.self_check = static_cast<protocol::SelfCheck>(2); }},
      {"no path", [](Options& o) { o.socket_path[0] = 0; }},
      {"endless path", [](Options& o) { std::memset(o.socket_path, 'x', sizeof o.socket_path); }},
  };
  for (const auto& [name, apply] : breakings) {
    Options options = Good();
    apply(options);
    EXPECT_FALSE(Reads(options)) << name;
  }
}

TEST(OptionCheckTest, RefusesOtherSizesAndNothing) {
  const Options options = Good();
  Options copy;
  EXPECT_FALSE(ReadOptions(nullptr, sizeof options, copy));
  for (size_t size : {size_t{0}, size_t{1}, sizeof options - 1, sizeof options + 1}) {
    EXPECT_FALSE(ReadOptions(&options, size, copy)) << size;
  }
}

TEST(OptionCheckTest, TakesEveryWish) {
  Options options = Good(), copy;
  options.gc = protocol::GcRequest::kYoung;
  options.wait_natural_ms = 500;
  options.light = 1;
  options.values = 1;
  options.strings = protocol::StringCapture::kAll;
  EXPECT_TRUE(ReadOptions(&options, sizeof options, copy));
  EXPECT_EQ(copy.values, 1);
  EXPECT_EQ(copy.strings, protocol::StringCapture::kAll);
}

}  // namespace
}  // namespace cairn::collector
