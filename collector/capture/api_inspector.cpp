#include "collector/capture/api_inspector.h"

namespace cairn::collector {

namespace {

// For a collectible type the runtime reports the LoaderAllocator first, through a variable of its own: such
// a "slot" lies outside the object, whatever its size.
struct Walk {
  uint64_t object;
  uint64_t end;
  ObjectInspector::Visit visit;
  void* context;
};

abi::Bool CAIRN_STDCALL OnReference(abi::ObjectID, abi::ObjectID* reference, void* data) {
  const Walk& walk = *static_cast<Walk*>(data);
  const uint64_t slot = reinterpret_cast<uintptr_t>(reference);
  const bool inside = slot >= walk.object && slot < walk.end;
  walk.visit(walk.context, {inside ? slot - walk.object : ObjectInspector::kNoOffset, *reference});
  return 1;  // only the low byte is looked at
}

}  // namespace

uint64_t ApiInspector::Size(uint64_t object) {
  size_t size = 0;
  return abi::Succeeded(info_->GetObjectSize2(object, &size)) ? size : 0;
}

uint64_t ApiInspector::ClassId(uint64_t object) {
  abi::ClassID id = 0;
  return abi::Succeeded(info_->GetClassFromObject(object, &id)) ? id : 0;
}

bool ApiInspector::References(uint64_t object, Visit visit, void* context) {
  Walk walk{object, object + Size(object), visit, context};
  return abi::Succeeded(info_->EnumerateObjectReferences(object, OnReference, &walk));
}

}  // namespace cairn::collector
