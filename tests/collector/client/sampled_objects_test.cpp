#include "collector/client/sampled_objects.h"

#include <gtest/gtest.h>

namespace cairn::client {
namespace {

using snapshot::AllocatedObject;

// Types 0 and 1 with the MethodTables 0xA0 and 0xB0; objects of 24 bytes (type 0) and 40 bytes (type 1).
class SampledObjectsMatchTest : public ::testing::Test {
 protected:
  SampledObjectsMatchTest() : types_(2) {
    types_[0].method_table = 0xA0;
    types_[1].method_table = 0xB0;
  }
  static stream::DecodedChunk Chunk(const std::vector<std::pair<uint64_t, uint32_t>>& objects) {
    stream::DecodedChunk chunk;
    for (const auto& [address, type] : objects) {
      chunk.addresses.push_back(address);
      chunk.types.push_back(type);
      chunk.sizes.push_back(type == 0 ? 24 : 40);
    }
    return chunk;
  }
  std::vector<snapshot::Type> types_;
};

TEST_F(SampledObjectsMatchTest, ByStartTypeAndSize) {
  SampledObjects sampled({{0x2000, 0xB0, 40, 7},   // there
                          {0x1000, 0xA0, 24, 5},   // there
                          {0x1018, 0xB0, 40, 6},   // another type is there
                          {0x1008, 0xA0, 24, 1},   // in the middle of an object
                          {0x2028, 0xB0, 400, 2},  // another size
                          {0x9000, 0xA0, 24, 3}},  // nothing is there
                         4);
  sampled.Look(Chunk({{0x1000, 0}, {0x1018, 0}, {0x1030, 1}}), types_);
  sampled.Look(Chunk({}), types_);
  sampled.Look(Chunk({{0x2000, 1}, {0x2028, 1}}), types_);
  snapshot::Sampling sampling;
  sampled.MoveTo(sampling);
  EXPECT_EQ(sampling.objects, (std::vector<AllocatedObject>{{0x1000, 5}, {0x2000, 7}}));
  EXPECT_EQ(sampling.unmatched, 4u + 4u);
}

// Chunks of several ranges do not come in order of address.
TEST_F(SampledObjectsMatchTest, InAnyOrderOfChunks) {
  SampledObjects sampled({{0x1000, 0xA0, 24, 5}, {0x2000, 0xB0, 40, 7}});
  sampled.Look(Chunk({{0x2000, 1}}), types_);
  sampled.Look(Chunk({{0x1000, 0}}), types_);
  snapshot::Sampling sampling;
  sampled.MoveTo(sampling);
  EXPECT_EQ(sampling.objects, (std::vector<AllocatedObject>{{0x1000, 5}, {0x2000, 7}}));
  EXPECT_EQ(sampling.unmatched, 0u);
}

// The event gives the size as it was asked for, the heap as it is laid out.
TEST_F(SampledObjectsMatchTest, SizesBeforeAndBehindTheirRounding) {
  SampledObjects sampled({{0x1000, 0xB0, 33, 5}});
  sampled.Look(Chunk({{0x1000, 1}}), types_);
  snapshot::Sampling sampling;
  sampled.MoveTo(sampling);
  EXPECT_EQ(sampling.objects.size(), 1u);
}

}  // namespace
}  // namespace cairn::client
