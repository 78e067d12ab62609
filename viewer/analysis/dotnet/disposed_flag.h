#pragma once
// The field by which an object says of itself that it was disposed.

#include <cstdint>
#include <optional>
#include <vector>

#include "snapshot-format/file/model.h"

namespace cairn::analysis::dotnet {

struct DisposedFlag {
  bool there = false;
  // Which of the values kept of each object it is. None: it is not kept.
  std::optional<uint32_t> value;
  // It says the opposite: that the object is still open.
  bool is_open = false;

  bool SaysDisposed(int64_t kept) const { return (kept != 0) != is_open; }
};

// `fields`: those of `type`. The names: "_disposed", "m_isDisposed", "<IsDisposed>k__BackingField", "disposedValue" …,
// and "_isOpen" of .NET's own streams.
DisposedFlag FindDisposedFlag(const snapshot::Type& type, const std::vector<snapshot::Field>& fields);

}  // namespace cairn::analysis::dotnet
