#include "collector/roots/thread_recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collector/abi/masks.h"
#include "tests/collector/roots/fake_functions.h"

namespace cairn::collector {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr uint32_t kStack = static_cast<uint32_t>(abi::GcRootKind::kStack);
constexpr uint32_t kHandle = static_cast<uint32_t>(abi::GcRootKind::kHandle);
constexpr uint32_t kNone = ThreadRecorder::kNoMarker;

// Offsets that differ from those of any real runtime.
constexpr const char* kContract = R"({"types":{
  "ThreadStore":{"FirstThreadLink":8},
  "Thread":{"Id":0,"PreemptiveGCDisabled":4,"OSId":8,"Frame":16,"LinkNext":[24,"pointer"],"ThreadLocalDataPtr":32},
  "ThreadLocalData":{"NonCollectibleTlsArrayData":16}},
  "globals":{"ThreadStore":[[1],"pointer"],"NumberOfTlsOffsetsNotUsedInNoncollectibleArray":["0x2","uint8"]}})";

uint64_t Address(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

struct FakeArray {  // of references
  uint64_t method_table = 0;
  uint64_t length = 3;
  uint64_t elements[3] = {};
};
struct FakeLocals {
  uint64_t other[2] = {};
  uint64_t slot_arrays = 0;
  uint64_t more[5] = {};
};
struct FakeThread {
  uint32_t id = 0, cooperative = 0;
  uint64_t os_id = 0;
  uint64_t frame = ~uint64_t{0};
  uint64_t next = 0;
  uint64_t locals = 0;
};

// Four threads: three with slot arrays, and the second without.
class ThreadRecorderTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (unsigned i = 0; i < 4; ++i) {
      threads[i].id = i + 1;
      threads[i].os_id = 101 + i;
      threads[i].next = i < 3 ? Address(&threads[i + 1].next) : 0;
      threads[i].locals = Address(&locals[i]);
      locals[i].slot_arrays = i == 1 ? 0 : Address(&arrays[i]);
    }
    arrays[0].elements[1] = Address(&slots[0]);
    arrays[3].elements[0] = Address(&slots[1]);
    arrays[3].elements[2] = Address(&slots[2]);
    store[1] = Address(&threads[0].next);
    source.ids = {101, 102, 103, 104};
    contract = {kContract, {0, Address(&store_pointer)}};
  }
  void Stack(uint64_t object, uint64_t id) { roots.push_back({object, id, kStack, 0}); }
  void Marker(unsigned thread) { Stack(Address(&arrays[thread]), 0); }
  void Record() {
    list = std::make_unique<ManagedThreads>(contract);
    source.list = list.get();
    ASSERT_TRUE(recorder.Prepare(source));
    recorder.Record(roots);
  }

  FakeArray arrays[4], slots[3];
  FakeLocals locals[4];
  FakeThread threads[4];
  uint64_t store[2] = {};
  uint64_t store_pointer = Address(store);
  ContractDescriptor contract;
  testing::FakeFunctions functions;
  testing::FakeThreads source;
  std::unique_ptr<ManagedThreads> list;
  std::vector<RecordedRoot> roots;
  ThreadRecorder recorder;
};

TEST_F(ThreadRecorderTest, ListsThreadsAndTheirSlotArrays) {
  Marker(0), Marker(2), Marker(3);
  threads[2].frame = 0x7000;
  Record();
  ASSERT_EQ(recorder.Threads().size(), 4u);
  EXPECT_EQ(recorder.Threads()[2].thread.os_id, 103u);
  EXPECT_EQ(recorder.Threads()[2].thread.managed_id, 3u);
  EXPECT_EQ(recorder.Threads()[2].thread.frame, 0x7000u);
  EXPECT_EQ(recorder.Threads()[3].thread.frame, 0u);
  ASSERT_EQ(recorder.SlotArrays().size(), 3u);
  EXPECT_EQ(recorder.SlotArrays()[0].object, Address(&slots[0]));
  EXPECT_EQ(recorder.SlotArrays()[0].slots, 3u);
  EXPECT_EQ(recorder.SlotArrays()[0].index, 3u);  // entry 1, of which the first has the index 2
  EXPECT_EQ(recorder.SlotArrays()[2].thread, 3u);
  EXPECT_EQ(recorder.SlotArrays()[2].index, 4u);
}

// The second thread has no marker, and no managed frame either.
TEST_F(ThreadRecorderTest, GivesRootsTheThreadWhoseMarkerFollows) {
  Stack(0x10, 0xF0), Marker(0), Stack(0x20, 0xF1), Marker(2), Stack(0x30, 0xF2), Stack(0x38, 0), Marker(3);
  Stack(0x40, 0xF3);
  roots.push_back({0x50, 0x99, kHandle, 0});
  Record();
  EXPECT_THAT(recorder.ThreadsOfRoots(roots, CodeMap(functions, {})), ElementsAre(0, 0, 2, 2, 3, 3, 3, kNone, kNone));
}

// It may have roots: what lies before the marker of the third may be of either. Its stack cannot be read.
TEST_F(ThreadRecorderTest, SaysNothingWhereAThreadWithoutAMarkerMayHaveRoots) {
  threads[1].frame = 0x7000;
  Stack(0x10, 0xF0), Marker(0), Stack(0x20, 0xF1), Marker(2), Stack(0x30, 0xF2), Marker(3);
  Record();
  EXPECT_THAT(recorder.ThreadsOfRoots(roots, CodeMap(functions, {})), ElementsAre(0, 0, kNone, 2, 3, 3));
}

TEST_F(ThreadRecorderTest, RootsBehindTheLastMarkerAreOfTheOnlyThreadLeft) {
  locals[3].slot_arrays = 0;
  threads[3].frame = 0x7000;
  Marker(0), Marker(2), Stack(0x30, 0xF2);
  Record();
  EXPECT_THAT(recorder.ThreadsOfRoots(roots, CodeMap(functions, {})), ElementsAre(0, 2, 3));
}

// Its array is not read: nobody knows what lies there.
TEST_F(ThreadRecorderTest, SaysNothingOfAThreadThatTheRuntimeDidNotReport) {
  Marker(0), Stack(0x30, 0xF2), Marker(3);
  locals[2].slot_arrays = 0xDEAD0000DEAD0000;
  threads[2].frame = 0x7000;
  Record();
  EXPECT_THAT(recorder.ThreadsOfRoots(roots, CodeMap(functions, {})), ElementsAre(0, kNone, 3));
  EXPECT_EQ(recorder.SlotArrays().size(), 3u);
}

TEST_F(ThreadRecorderTest, RecordsNothingWhereTheRuntimeListsOthers) {
  Marker(0);
  source.ids = {101, 777};
  Record();
  EXPECT_THAT(recorder.Threads(), IsEmpty());
  EXPECT_THAT(recorder.ThreadsOfRoots(roots, CodeMap(functions, {})), ElementsAre(kNone));
}

TEST_F(ThreadRecorderTest, RecordsNothingWithoutAContract) {
  for (const char* missing : {"LinkNext", "FirstThreadLink", "NonCollectible", "NumberOf", "[1]"}) {
    contract.text = kContract;
    contract.text.replace(contract.text.find(missing), 3, "Xxx");
    Record();
    EXPECT_FALSE(list->Available()) << missing;
    EXPECT_THAT(recorder.Threads(), IsEmpty());
  }
}

}  // namespace
}  // namespace cairn::collector
