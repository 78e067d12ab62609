// Work that a session begins before it is asked for.

#include "viewer/session/ahead.h"

#include <gtest/gtest.h>

#include <atomic>
#include <optional>

#include "viewer/session/computed.h"

namespace cairn::session {
namespace {

TEST(Ahead, WhoeverAsksLaterGetsWhatWasBegun) {
  Computed<int> value;
  std::atomic<int> computed{0};
  const auto get = [&](analysis::Work& work) { return value.Get(work, [&]() -> Result<int> { return ++computed; }); };
  {
    const Ahead ahead(2, get);
    analysis::Work work;
    EXPECT_EQ(**get(work), 1);
  }
  EXPECT_EQ(computed, 1);
}

TEST(Ahead, EndsWithItsScope) {
  std::atomic<bool> cancelled{false};
  std::optional<Ahead> ahead;
  ahead.emplace(2, [&](analysis::Work& work) {
    while (!work.Cancelled()) std::this_thread::yield();
    cancelled = true;
    return 0;
  });
  ahead.reset();
  EXPECT_TRUE(cancelled);
}

TEST(Ahead, OneThreadBeginsNothing) {
  bool called = false;
  {
    const Ahead ahead(1, [&](analysis::Work&) { return called = true; });
  }
  EXPECT_FALSE(called);
}

}  // namespace
}  // namespace cairn::session
