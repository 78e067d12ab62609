#include "collector/sampling/allocation_event.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace cairn::collector {
namespace {

class Payload {
 public:
  Payload& Number(uint64_t value, size_t bytes) {
    for (size_t i = 0; i < bytes; ++i) bytes_.push_back(static_cast<uint8_t>(value >> (8 * i)));
    return *this;
  }
  Payload& Text(const std::string& text) {
    for (const char c : text) Number(static_cast<uint8_t>(c), 2);
    return Number(0, 2);
  }
  const std::vector<uint8_t>& Bytes() const { return bytes_; }

 private:
  std::vector<uint8_t> bytes_;
};

std::vector<uint8_t> Sampled(size_t pointer) {
  return Payload()
      .Number(1, 4)
      .Number(9, 2)
      .Number(0x11223344, pointer)
      .Text("Shop.Order")
      .Number(0x55667788, pointer)
      .Number(100024, 8)
      .Number(77, 8)
      .Bytes();
}

std::vector<uint8_t> Tick(size_t pointer) {
  return Payload()
      .Number(5, 4)
      .Number(2, 4)
      .Number(9, 2)
      .Number(106500, 8)
      .Number(0x11223344, pointer)
      .Text("Shop.Order")
      .Number(3, 4)
      .Number(0x55667788, pointer)
      .Number(48, 8)
      .Bytes();
}

std::string NameOf(const AllocationEvent& event) {
  std::string text;
  for (size_t i = 0; i < event.name.size(); i += 2) text += static_cast<char>(event.name[i]);
  return text;
}

TEST(AllocationEventTest, ASample) {
  for (const size_t pointer : {size_t{4}, size_t{8}}) {
    const std::vector<uint8_t> payload = Sampled(pointer);
    const auto event = ReadAllocationSampled(0, payload, pointer);
    ASSERT_TRUE(event);
    EXPECT_EQ(event->kind, AllocationKind::kLarge);
    EXPECT_EQ(event->type_id, 0x11223344u);
    EXPECT_EQ(event->address, 0x55667788u);
    EXPECT_EQ(event->size, 100024u);
    EXPECT_EQ(event->amount, 0u);
    EXPECT_EQ(NameOf(*event), "Shop.Order");
  }
}

TEST(AllocationEventTest, ATick) {
  for (const size_t pointer : {size_t{4}, size_t{8}}) {
    const std::vector<uint8_t> payload = Tick(pointer);
    const auto event = ReadAllocationTick(4, payload, pointer);
    ASSERT_TRUE(event);
    EXPECT_EQ(event->kind, AllocationKind::kPinned);
    EXPECT_EQ(event->type_id, 0x11223344u);
    EXPECT_EQ(event->address, 0x55667788u);
    EXPECT_EQ(event->size, 48u);
    EXPECT_EQ(event->amount, 106500u);
    EXPECT_EQ(NameOf(*event), "Shop.Order");
  }
}

TEST(AllocationEventTest, WhatIsCutSaysNothing) {
  for (size_t size = 0; size < Sampled(8).size(); ++size) {
    const std::vector<uint8_t> payload = Sampled(8);
    EXPECT_FALSE(ReadAllocationSampled(0, std::span(payload).first(size), 8)) << size;
  }
  for (size_t size = 0; size < Tick(8).size(); ++size) {
    const std::vector<uint8_t> payload = Tick(8);
    EXPECT_FALSE(ReadAllocationTick(4, std::span(payload).first(size), 8)) << size;
  }
}

TEST(AllocationEventTest, AnOlderTickHasNoSize) {
  const std::vector<uint8_t> payload = Tick(8);
  EXPECT_FALSE(ReadAllocationTick(3, payload, 8));
}

TEST(AllocationEventTest, AKindOfALaterRuntimeIsASmallObject) {
  std::vector<uint8_t> payload = Sampled(8);
  payload[0] = 7;
  EXPECT_EQ(ReadAllocationSampled(0, payload, 8)->kind, AllocationKind::kSmall);
}

}  // namespace
}  // namespace cairn::collector
