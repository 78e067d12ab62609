#include "collector/roots/root_kind.h"

#include "collector/abi/masks.h"

namespace cairn::collector {
namespace {

bool Is(const RecordedRoot& root, abi::GcRootKind kind) { return root.kind == static_cast<uint32_t>(kind); }

protocol::RootKind HandleKind(uint32_t flags) {
  if ((flags & abi::kGcRootWeakref) != 0) return protocol::RootKind::kHandleWeak;
  if ((flags & abi::kGcRootRefcounted) != 0) return protocol::RootKind::kHandleRefcounted;
  return (flags & abi::kGcRootPinning) != 0 ? protocol::RootKind::kHandlePinned : protocol::RootKind::kHandleStrong;
}

}  // namespace

protocol::RootKind KindOf(const RecordedRoot& root) {
  if (Is(root, abi::GcRootKind::kHandle)) return HandleKind(root.flags);
  if ((root.flags & abi::kGcRootWeakref) != 0) return protocol::RootKind::kHandleWeak;
  if (Is(root, abi::GcRootKind::kFinalizer)) return protocol::RootKind::kFinalizer;
  return HasFunction(root) ? protocol::RootKind::kLocal : protocol::RootKind::kOther;
}

bool IsStack(const RecordedRoot& root) { return Is(root, abi::GcRootKind::kStack); }
bool HasFunction(const RecordedRoot& root) { return IsStack(root) && root.id != 0; }
bool IsInterior(const RecordedRoot& root) { return (root.flags & abi::kGcRootInterior) != 0; }
bool IsPinning(const RecordedRoot& root) { return (root.flags & abi::kGcRootPinning) != 0; }

}  // namespace cairn::collector
