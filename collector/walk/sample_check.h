#pragma once
// Compares what raw reading says of the objects of one range with what the runtime says.
// Call-site rule: inside the pause; no allocation, no lock.

#include <cstdint>

#include "collector/walk/object_inspector.h"
#include "collector/walk/object_reader.h"

namespace cairn::collector {

template <unsigned kPointerSize>
class SampleCheck {
 public:
  SampleCheck(const LayoutPolicy& layout, TypeTable& types, const HeapRange& range, ObjectInspector& inspector,
              CheckReport& report)
      : types_(types), range_(range), inspector_(inspector), report_(report), reader_(layout, types, range) {}

  // The first `count` objects; all where 0.
  void Run(uint64_t count);

 private:
  // Extrapolates from what was checked to the whole range.
  void Expect(uint64_t objects, uint64_t slots, uint64_t checked_bytes);
  bool SameSize(const ObjectView& view);
  bool SameClass(const ObjectView& view);
  bool SameReferences(const ObjectView& view);

  TypeTable& types_;
  const HeapRange& range_;
  ObjectInspector& inspector_;
  CheckReport& report_;
  ObjectReader<kPointerSize> reader_;
};

extern template class SampleCheck<4>;
extern template class SampleCheck<8>;

}  // namespace cairn::collector
