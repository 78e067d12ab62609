#pragma once
// Objects grouped by type, namespace, module or generation: from a summary alone, or with what a session computes.

#include <optional>
#include <string>
#include <vector>

#include "viewer/presentation/heap_source.h"
#include "viewer/presentation/type_pattern.h"
#include "viewer/session/snapshot_session.h"

namespace cairn::presentation {

enum class GroupBy { kType, kNamespace, kModule, kGeneration };

struct TypeRow {
  std::string name;                   // of the type or group
  std::optional<std::string> module;  // null for groups over modules
  uint64_t objects = 0, bytes = 0;
  // Null while reachability is not computed; then objects and bytes mean all.
  std::optional<uint64_t> retained, unreachable_objects, unreachable_bytes;

  bool operator==(const TypeRow&) const = default;
};

// Types of one name and module are one row; groups without an object are none. In no order that counts.
// From the summary alone, but for generations of a pattern, which visit the objects.
Result<std::vector<TypeRow>> SummaryRows(HeapSource& source, GroupBy group, const std::optional<TypePattern>& pattern);
std::vector<TypeRow> SummaryTypeRows(const snapshot::Summary& summary);
// By anything but generations.
std::vector<TypeRow> SummaryGroups(const snapshot::Summary& summary, GroupBy group);
// Reachable, unreachable and retained.
Result<std::vector<TypeRow>> SessionRows(session::SnapshotSession& session, GroupBy group,
                                         const std::optional<TypePattern>& pattern, analysis::Work& work);

}  // namespace cairn::presentation
