#pragma once
// How tables show one figure of several snapshots.

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "viewer/presentation/allocations/allocated_at.h"
#include "viewer/presentation/tables/table.h"

namespace cairn::presentation {

// One column per snapshot: arrays in JSON, key_1, key_2 … in CSV. In text "before" and "after" of two; of more only
// the first and the last, since the trend tells the rest.
void AddSeries(std::vector<Column>& columns, const std::string& key, const std::string& title, Format format,
               size_t count, int place = 0);

// Greatest rank first, among equals by `less`. The rank of a row, which may be dear, is computed once.
template <class Row, class RankOf, class Less>
void SortByRank(std::vector<Row>& rows, RankOf rank_of, Less less) {
  std::vector<std::pair<decltype(rank_of(rows.front())), Row>> ranked;
  for (Row& row : rows) ranked.emplace_back(rank_of(row), std::move(row));
  std::sort(ranked.begin(), ranked.end(), [&](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : less(a.second, b.second);
  });
  for (size_t i = 0; i < rows.size(); ++i) rows[i] = std::move(ranked[i].second);
}

// The figure over all snapshots as bars, in text.
Column TrendColumn(int place = 0);

// Where the objects of a type were allocated.
Column AllocatedColumn(int place);
Cell AllocatedCell(const AllocatedByType& allocated, const std::string& type, const std::optional<std::string>& module);

}  // namespace cairn::presentation
