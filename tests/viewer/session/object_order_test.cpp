#include "viewer/session/object_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <stdexcept>

#include "tests/viewer/analysis/memory_heap.h"
#include "viewer/session/snapshot_session.h"

namespace cairn::session {
namespace {

using analysis::testing::MemoryHeap;
using snapshot::Generation;

constexpr uint32_t kObjects = 3000;

// Of three types in three ranges of two generations; sizes and retained sizes of which many are equal; about a third
// is garbage.
std::unique_ptr<SnapshotSession> RandomSession(uint32_t seed) {
  std::mt19937 random(seed);
  auto heap = std::make_unique<MemoryHeap>();
  const uint32_t small = heap->Class("Small", 24, {8});
  const uint32_t large = heap->Class("Large", 48, {8, 16});
  const uint32_t array = heap->Array("Small[]", 8, {0});
  const auto target = [&] { return static_cast<int64_t>(random() % kObjects); };
  for (uint32_t i = 0; i < kObjects; ++i) {
    if (i == 1000) heap->NewRange(Generation::kGen0);
    if (i == 2000) heap->NewRange(Generation::kGen2);
    const uint32_t kind = random() % 8;
    if (kind > 1) {
      heap->Object(small, {kind > 4 ? target() : analysis::testing::kNull});
    } else if (kind == 1) {
      heap->Object(large, {target(), target()});
    } else {
      const uint64_t length = random() % 20;
      heap->Object(array, std::vector<int64_t>(length, target()), length);
    }
  }
  for (int i = 0; i < 300; ++i) heap->Root(snapshot::RootKind::kStatic, random() % kObjects);
  heap->Finish(100);
  return SnapshotSession::Over(std::move(heap), "made up", 2);
}

template <class T>
T Must(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message);
  return std::move(*result);
}

// What a sort by comparison makes of all objects asked about one by one.
std::vector<ObjectInfo> Expected(SnapshotSession& session, const ObjectRequest& request) {
  analysis::Work work;
  std::vector<ObjectInfo> objects;
  for (uint32_t i = 0; i < kObjects; ++i) {
    const ObjectInfo info = Must(session.Object(ObjectIndex(i), work));
    if (info.reachable == request.unreachable) continue;
    if (!request.types.empty() && !request.types[info.type.value]) continue;
    if (request.generation && info.generation != *request.generation) continue;
    objects.push_back(info);
  }
  const bool by_retained = request.order == ObjectOrder::kRetained && !request.unreachable;
  if (request.order != ObjectOrder::kAddress)
    std::stable_sort(objects.begin(), objects.end(), [&](const ObjectInfo& a, const ObjectInfo& b) {
      return by_retained ? a.retained > b.retained : a.bytes > b.bytes;
    });
  return objects;
}

std::vector<uint32_t> Indices(const std::vector<ObjectInfo>& objects, size_t most = kObjects) {
  std::vector<uint32_t> indices;
  for (size_t i = 0; i < std::min(most, objects.size()); ++i) indices.push_back(objects[i].object.value);
  return indices;
}

void ExpectInOrder(SnapshotSession& session, ObjectRequest request) {
  analysis::Work work;
  const std::vector<ObjectInfo> expected = Expected(session, request);
  ASSERT_FALSE(expected.empty());
  uint64_t bytes = 0;
  for (const ObjectInfo& info : expected) bytes += info.bytes;
  const auto ordered = Must(OrderObjects(*Must(session.Graph(work)), *Must(session.Dominators(work)), request, work));
  EXPECT_EQ(ordered.objects, Indices(expected));
  EXPECT_EQ(ordered.total, (ObjectTotals{expected.size(), bytes}));
  for (const uint64_t limit : {uint64_t{0}, uint64_t{7}, uint64_t{kObjects - 1}, uint64_t{kObjects}, UINT64_MAX}) {
    request.limit = limit;
    const ObjectList list = Must(session.Objects(request, work));
    EXPECT_EQ(Indices(list.objects), Indices(expected, limit)) << limit;
    EXPECT_EQ(list.total, ordered.total) << limit;
  }
}

TEST(ObjectOrder, IsThatOfAStableSortToTheLastRow) {
  for (uint32_t seed = 1; seed <= 3; ++seed) {
    const auto session = RandomSession(seed);
    for (const ObjectOrder order : {ObjectOrder::kRetained, ObjectOrder::kBytes, ObjectOrder::kAddress}) {
      ObjectRequest request;
      request.order = order;
      for (const bool unreachable : {false, true}) {
        request.unreachable = unreachable;
        ExpectInOrder(*session, request);
      }
    }
  }
}

TEST(ObjectOrder, HasOnlyWhatIsAskedAbout) {
  const auto session = RandomSession(4);
  ObjectRequest request;
  request.generation = Generation::kGen2;
  ExpectInOrder(*session, request);
  request.types.assign(session->GetSummary().types.size(), false);
  request.types.back() = true;
  ExpectInOrder(*session, request);
  request.order = ObjectOrder::kBytes;
  request.generation = {};
  ExpectInOrder(*session, request);
}

TEST(ObjectOrder, IsCancelled) {
  const auto session = RandomSession(5);
  analysis::Work work, cancelled;
  cancelled.Cancel();
  const auto* graph = Must(session->Graph(work));
  const auto ordered = OrderObjects(*graph, *Must(session->Dominators(work)), {}, cancelled);
  ASSERT_FALSE(ordered);
  EXPECT_EQ(ordered.error().code, "cancelled");
}

}  // namespace
}  // namespace cairn::session
