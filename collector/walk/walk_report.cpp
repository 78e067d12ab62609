#include "collector/walk/walk_report.h"

namespace cairn::collector {

const char* FaultCode(WalkFault fault) {
  switch (fault) {
    case WalkFault::kNone:
      return "walk.none";
    case WalkFault::kZeroMethodTable:
      return "walk.zero_method_table";
    case WalkFault::kUnreadableMethodTable:
      return "walk.unreadable_method_table";
    case WalkFault::kImplausibleMethodTable:
      return "walk.implausible_method_table";
    case WalkFault::kImplausibleGcDesc:
      return "walk.implausible_gc_desc";
    case WalkFault::kOverrun:
      return "walk.overrun";
    case WalkFault::kSpoolFull:
      return "walk.spool_full";
    case WalkFault::kTooManyTypes:
      return "walk.too_many_types";
  }
  return "walk.unknown";
}

const char* FaultSentence(WalkFault fault) {
  switch (fault) {
    case WalkFault::kNone:
      return "nothing is wrong";
    case WalkFault::kZeroMethodTable:
      return "an object without a method table: the rest of its range was not walked";
    case WalkFault::kUnreadableMethodTable:
      return "an object whose method table is no readable memory: the rest of its range was not walked";
    case WalkFault::kImplausibleMethodTable:
      return "an object whose method table has an impossible size: the rest of its range was not walked";
    case WalkFault::kImplausibleGcDesc:
      return "an object whose method table lists impossible reference slots: the rest of its range was not walked";
    case WalkFault::kOverrun:
      return "an object reaches beyond its range: the rest of the range was not walked";
    case WalkFault::kSpoolFull:
      return "the memory set aside for the objects is full: the walk stopped";
    case WalkFault::kTooManyTypes:
      return "there are more types than the walk has room for: the rest of the range was not walked";
  }
  return "an unknown fault";
}

}  // namespace cairn::collector
