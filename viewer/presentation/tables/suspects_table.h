#pragma once
// Ranked suspects.

#include <string>
#include <vector>

#include "viewer/presentation/tables/table.h"
#include "viewer/session/suspects.h"

namespace cairn::presentation {

class SuspectsTable : public Table {
 public:
  // `reachable_bytes`: what shares are of. Growth is shown against a base.
  SuspectsTable(const snapshot::Summary& summary, std::vector<session::Suspect> suspects, uint64_t reachable_bytes,
                bool has_base)
      : summary_(summary), suspects_(std::move(suspects)), reachable_bytes_(reachable_bytes), has_base_(has_base) {}

  // By suspect: where its objects were allocated, in words.
  void SayAllocated(std::vector<std::string> allocated) { allocated_ = std::move(allocated); }

  std::vector<Column> Columns() const override;
  uint64_t RowCount() const override { return suspects_.size(); }
  std::vector<Cell> Row(uint64_t row) const override;

 private:
  const snapshot::Summary& summary_;
  std::vector<session::Suspect> suspects_;
  uint64_t reachable_bytes_;
  bool has_base_;
  std::vector<std::string> allocated_;  // empty: allocations were not sampled
};

// By suspect: where objects of its type were allocated, in words; nothing where allocations were not sampled. Which
// objects of a type are in a group is not told apart.
Result<std::vector<std::string>> AllocatedAt(session::SnapshotSession& session,
                                             const std::vector<session::Suspect>& suspects, analysis::Work& work);

}  // namespace cairn::presentation
