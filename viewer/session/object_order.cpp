#include "viewer/session/object_order.h"

#include "viewer/analysis/parallel.h"
#include "viewer/analysis/radix_sort.h"

namespace cairn::session {
namespace {

// Garbage retains nothing.
bool IsByRetained(const ObjectRequest& request) {
  return request.order == ObjectOrder::kRetained && !request.unreachable;
}

// A loop of its own: what it reads is far away, and the processor looks for many at a time.
std::vector<uint64_t> RetainedOf(const Dominance& dominance, const std::vector<uint32_t>& objects) {
  std::vector<uint64_t> sizes(objects.size());
  for (size_t i = 0; i < objects.size(); ++i) sizes[i] = dominance.Retained(ObjectIndex(objects[i]));
  return sizes;
}

}  // namespace

Result<OrderedObjects> OrderObjects(const analysis::HeapGraph& graph, const Dominance& dominance,
                                    const ObjectRequest& request, analysis::Work& work) {
  OrderedObjects ordered;
  CAIRN_TRY(analysis::Guarded([&]() -> Status {
    std::vector<uint64_t> keys;
    const bool by_bytes = request.order != ObjectOrder::kAddress && !IsByRetained(request);
    if (request.types.empty() && !request.generation && !request.unreachable) {
      ordered.objects.reserve(graph.ObjectCount());
      if (by_bytes) keys.reserve(graph.ObjectCount());
    }
    const auto total = ForEachMatch(graph, dominance, request, work, [&](ObjectIndex object, uint64_t bytes) {
      ordered.objects.push_back(object.value);
      if (by_bytes) keys.push_back(bytes);
      return true;
    });
    if (!total) return tl::make_unexpected(total.error());
    ordered.total = *total;
    if (request.order == ObjectOrder::kAddress) return {};
    if (!by_bytes) keys = RetainedOf(dominance, ordered.objects);
    const bool done = analysis::SortByKeys(std::move(keys), false, ordered.objects, work);
    return done ? Status() : Status(analysis::WasCancelled());
  }));
  return ordered;
}

}  // namespace cairn::session
