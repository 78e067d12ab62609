#pragma once
// Walks one range by its headers only: which types there are, how many objects, how the range ends. No slot is
// read and nothing is encoded, so it is fast; a walk that encodes finds the same.
// Call-site rule: inside the pause or the child; no allocation, no lock.

#include "collector/walk/object_code.h"
#include "collector/walk/object_reader.h"
#include "collector/walk/range_end.h"

namespace cairn::collector {

template <unsigned kPointerSize>
class HeaderWalk {
 public:
  // What delegates point to is put into `code`: afterwards nobody may ask what it is.
  HeaderWalk(const LayoutPolicy& layout, TypeTable& types, HeapRange& range, CodeTable& code)
      : range_(range), types_(types), code_(code), reader_(layout, types, range) {}

  // See RangeWalk::Run.
  WalkFault Run(WalkProblem& problem) {
    uint64_t at = range_.start, value = 0;
    WalkFault fault = WalkFault::kNone;
    while (reader_.HasRoom(at)) {
      ObjectView view;
      fault = reader_.Read(at, view, value);
      if (fault != WalkFault::kNone) [[unlikely]]
        break;
      Count(view);
      at += view.step;
    }
    if (fault == WalkFault::kNone) fault = reader_.Leave(at, value);
    problem.fault = CloseRange(range_, fault, at);
    problem.address = at;
    problem.value = value;
    return problem.fault;
  }

 private:
  void Count(const ObjectView& view) {
    CountObject(*view.type, view.step);
    if (view.type->is_free) return CountFree(range_, view.step);
    ++range_.objects;
    if (view.type->has_code) [[unlikely]]
      AddCode<kPointerSize>(types_.Walked(*view.type), view.address, code_);
  }

  HeapRange& range_;
  TypeTable& types_;
  CodeTable& code_;
  ObjectReader<kPointerSize> reader_;
};

}  // namespace cairn::collector
