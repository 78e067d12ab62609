#pragma once
// Walks one range through an ObjectInspector: the fallback for a runtime whose layout we do not trust. Types
// have explicit slots: an object's length is its size, and the number of its (non-null) slots follows.
// Call-site rule: inside the pause; no allocation, no lock.

#include <cstdint>

#include "collector/walk/object_inspector.h"
#include "collector/walk/spool_writer.h"
#include "collector/walk/type_table.h"

namespace cairn::collector {

class ApiWalk {
 public:
  ApiWalk(const LayoutPolicy& layout, TypeTable& types, SpoolWriter& spool, HeapRange& range,
          ObjectInspector& inspector)
      : layout_(layout), types_(types), spool_(spool), range_(range), inspector_(inspector) {}

  // See RangeWalk::Run.
  WalkFault Run(WalkProblem& problem);

 private:
  struct Object {
    uint64_t address = 0;
    uint64_t method_table = 0;
    uint64_t size = 0;
    uint64_t step = 0;
    HotType* type = nullptr;
  };
  struct References;  // one object's, as they are visited

  WalkFault Read(uint64_t at, Object& object, uint64_t& value);
  HotType* TypeOf(const Object& object, WalkFault& fault);
  bool Encode(const Object& object);
  bool EncodeReferences(const Object& object, uint64_t slots);

  const LayoutPolicy& layout_;
  TypeTable& types_;
  SpoolWriter& spool_;
  HeapRange& range_;
  ObjectInspector& inspector_;
};

}  // namespace cairn::collector
