#include "viewer/analysis/dotnet/equal_contents.h"

#include <algorithm>
#include <tuple>

namespace cairn::analysis::dotnet {
namespace {

// Copies that are looked at for their holders.
constexpr size_t kExamples = 16;

}  // namespace

std::vector<Duplicate> EqualContents::Take(const HeapGraph& graph) {
  std::vector<Duplicate> groups;
  if (hashes_.empty()) return groups;
  // Equal hashes of two types are two contents.
  const auto key = [&](const Hashed& item) {
    return std::tuple(item.hash, graph.TypeOf(item.object), graph.SizeOf(item.object));
  };
  Hashed* const begin = &hashes_[0];
  Hashed* const end = begin + hashes_.size();
  std::sort(begin, end,
            [](const Hashed& a, const Hashed& b) { return std::tie(a.hash, a.object) < std::tie(b.hash, b.object); });
  for (Hashed* first = begin; first != end;) {
    Hashed* const after = std::find_if(first, end, [&](const Hashed& item) { return item.hash != first->hash; });
    if (after - first > 1)
      std::sort(first, after, [&](const Hashed& a, const Hashed& b) {
        return std::tuple(key(a), a.object) < std::tuple(key(b), b.object);
      });
    while (first != after) {
      Hashed* const same = std::find_if(first, after, [&](const Hashed& item) { return key(item) != key(*first); });
      if (same - first > 1) {
        Duplicate& group = groups.emplace_back();
        group.type = graph.TypeOf(first->object);
        group.is_string = graph.TypeInfo(first->object).kind == snapshot::TypeKind::kString;
        group.copies = static_cast<uint64_t>(same - first);
        group.bytes_each = graph.SizeOf(first->object);
        for (Hashed* copy = first; copy != same && group.examples.size() < kExamples; ++copy)
          group.examples.push_back(copy->object);
      }
      first = same;
    }
  }
  hashes_.Release();
  std::sort(groups.begin(), groups.end(), [](const Duplicate& a, const Duplicate& b) {
    return std::tuple(b.Wasted(), a.examples[0]) < std::tuple(a.Wasted(), b.examples[0]);
  });
  return groups;
}

}  // namespace cairn::analysis::dotnet
