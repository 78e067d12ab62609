#pragma once
// What the runtime's kind and flags of a root mean in our terms. Pure.

#include "collector/protocol/messages.h"
#include "collector/roots/root_recorder.h"

namespace cairn::collector {

// A stack root without a function is a thread static or an object of the thread itself: "other", since nothing
// tells which. Weak handles of every kind stay weak, interior ones too.
protocol::RootKind KindOf(const RecordedRoot& root);
bool IsStack(const RecordedRoot& root);
bool IsInterior(const RecordedRoot& root);
bool IsPinning(const RecordedRoot& root);
bool HasFunction(const RecordedRoot& root);  // its id is a FunctionID

}  // namespace cairn::collector
