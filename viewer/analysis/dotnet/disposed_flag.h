#pragma once
// The field by which an object says of itself that it was disposed.

#include <cstdint>
#include <optional>
#include <vector>

#include "snapshot-format/file/model.h"

namespace cairn::analysis::dotnet {

struct DisposedFlag {
  bool there = false;
  // Which of the values kept of each object it is: disposed where it is not 0. None: it is not kept.
  std::optional<uint32_t> value;
};

// `fields`: those of `type`. The names: "_disposed", "m_isDisposed", "<IsDisposed>k__BackingField", "disposedValue" …
DisposedFlag FindDisposedFlag(const snapshot::Type& type, const std::vector<snapshot::Field>& fields);

}  // namespace cairn::analysis::dotnet
