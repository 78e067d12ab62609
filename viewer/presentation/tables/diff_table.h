#pragma once
// What changed between snapshots, per type or namespace: the largest growth first. Of two it is the difference; of more
// the typical growth from one to the next, so that what grows all the time comes before what jumped once.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "viewer/presentation/allocations/allocated_at.h"
#include "viewer/presentation/tables/table.h"
#include "viewer/presentation/tables/type_rows.h"
#include "viewer/session/followed_objects.h"

namespace cairn::presentation {

struct DiffRow {
  std::string type;
  std::optional<std::string> module;
  std::vector<uint64_t> objects, bytes;             // one per snapshot
  std::vector<std::optional<uint64_t>> retained{};  // the same; null where it was not computed
  // From the first to the last; null where objects were not followed.
  std::optional<session::IdentityCounts> identity{};

  int64_t ObjectGrowth() const { return static_cast<int64_t>(objects.back() - objects.front()); }
  int64_t ByteGrowth() const { return static_cast<int64_t>(bytes.back() - bytes.front()); }
  std::optional<int64_t> RetainedGrowth() const;
  // What was not computed counts as 0.
  std::vector<uint64_t> KnownRetained() const;
  bool Changed() const;
  // Some died and others came: a change that the numbers may hide.
  bool Exchanged() const;

  bool operator==(const DiffRow&) const = default;
};

enum class DiffOrder { kBytes, kRetained, kObjects };

class DiffTable : public Table {
 public:
  // At least two snapshots, rows by type; types are the same where name and module are. Without `all` only changed
  // rows. `identity`: what became of the objects of the first, where that is known.
  DiffTable(std::span<const std::vector<TypeRow>> snapshots, bool all, DiffOrder order = DiffOrder::kBytes,
            std::string title = "Type", const session::IdentityByType* identity = nullptr);

  // Where the objects of the last one were allocated.
  void SayAllocated(AllocatedByType allocated) { allocated_ = std::move(allocated); }

  std::vector<Column> Columns() const override;
  uint64_t RowCount() const override { return rows_.size(); }
  std::vector<Cell> Row(uint64_t row) const override;

  const std::vector<DiffRow>& Rows() const { return rows_; }

 private:
  size_t snapshots_;
  DiffOrder order_;
  std::string title_;  // of the first column, in text
  std::vector<DiffRow> rows_;
  AllocatedByType allocated_;  // empty: allocations were not sampled
};

}  // namespace cairn::presentation
