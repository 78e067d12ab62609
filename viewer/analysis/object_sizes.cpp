#include "viewer/analysis/object_sizes.h"

#include <algorithm>

namespace cairn::analysis {

ObjectSizes::ObjectSizes(std::span<const snapshot::Type> types, std::span<const snapshot::Range> ranges) {
  fixed_.reserve(types.size());
  for (const snapshot::Type& type : types)
    fixed_.push_back(type.layout.HasLength() ? kVariable : type.layout.base_size);
  for (const snapshot::Range& range : ranges) alignments_.push_back(std::max(range.alignment, 1u));
  const auto differs = [&](uint32_t alignment) { return alignment != alignments_.front(); };
  if (!alignments_.empty() && std::none_of(alignments_.begin(), alignments_.end(), differs))
    one_alignment_ = alignments_[0];
}

size_t ObjectSizes::FirstListed(ObjectIndex object) const {
  const auto at = std::lower_bound(listed_.begin(), listed_.end(), object.value,
                                   [](const ListedSize& size, uint32_t value) { return size.object < value; });
  return static_cast<size_t>(at - listed_.begin());
}

uint64_t ObjectSizes::SizeOf(ObjectIndex object, uint32_t type, const ObjectMap& map) const {
  if (!IsVariable(type)) return Fixed(type, one_alignment_ ? one_alignment_ : alignments_[map.RangeOf(object)]);
  const size_t listed = FirstListed(object);
  if (listed < listed_.size() && listed_[listed].object == object.value) return listed_[listed].bytes;
  const uint64_t address = map.AddressOf(object);
  return map.NextStart(address) - address;
}

}  // namespace cairn::analysis
