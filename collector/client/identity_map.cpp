#include "collector/client/identity_map.h"

#include <algorithm>
#include <cstring>
#include <tuple>

namespace cairn::client {
namespace {

using protocol::HeapBound;
using protocol::ItemBytes;
using protocol::JournalHeader;
using protocol::JournalKind;
using protocol::JournalLoss;
using protocol::MovedRange;
using protocol::SurvivedRange;

constexpr uint32_t kYoungest = 0, kOldest = 2, kLarge = 3, kPinned = 4;

template <class Item>
std::vector<Item> ItemsOf(std::span<const uint8_t> bytes) {
  std::vector<Item> items(bytes.size() / sizeof(Item));
  std::memcpy(items.data(), bytes.data(), items.size() * sizeof(Item));
  return items;
}

const char* WhyLost(uint16_t loss) {
  switch (static_cast<JournalLoss>(loss)) {
    case JournalLoss::kOverflow:
      return "collections moved more than the journal holds";
    case JournalLoss::kMalformed:
      return "the runtime told of a collection in a form that is not known";
    case JournalLoss::kNoBounds:
      return "the runtime did not tell where its generations lie";
  }
  return "something is missing in the journal";
}

// The large and the pinned heap are collected with the oldest generation.
uint32_t OldestOf(uint16_t mask) {
  uint32_t oldest = 0;
  for (uint32_t generation = 0; generation <= kOldest; ++generation)
    if ((mask >> generation & 1) != 0) oldest = generation;
  return oldest;
}

}  // namespace

bool IdentityMap::Read(std::span<const uint8_t> records) {
  while (!records.empty()) {
    JournalHeader header;
    if (records.size() < sizeof header) return false;
    std::memcpy(&header, records.data(), sizeof header);
    const uint64_t bytes = uint64_t{header.count} * ItemBytes(header.kind);
    if (records.size() - sizeof header < bytes) return false;
    OnRecord(header, records.subspan(sizeof header, bytes));
    records = records.subspan(sizeof header + bytes);
  }
  return true;
}

void IdentityMap::OnRecord(const JournalHeader& header, std::span<const uint8_t> items) {
  switch (header.kind) {
    case JournalKind::kCollection:
      return OnCollection(header);
    case JournalKind::kBounds:
      return OnBounds(header, items);
    case JournalKind::kCondemned:
      if (open_) open_->condemned = header.detail;
      return;
    case JournalKind::kSurvived:
    case JournalKind::kMoved:
      return OnRanges(header, items);
    case JournalKind::kFinished:
      return OnFinished(items);
    case JournalKind::kMarker:
      return OnMarker(header.value);
    case JournalKind::kLost:
      return Lose(WhyLost(header.detail));
    case JournalKind::kSampled:
      return OnSampled(items);
  }
  Lose("the journal holds a record of an unknown kind");
}

// Before the first sample there is nothing to lose.
void IdentityMap::Lose(const std::string& why) {
  if (follows_samples_ && !has_base_) return;
  if (state_.lost.empty()) state_.lost = why;
  pieces_ = {};
  sampled_ = {};
}

// ---- a collection ----------------------------------------------------------------------------------

// The runtime tells first where the heap lies, then which collection it is. One that has not finished when another
// begins is a background collection; it has told no ranges in its own pause.
void IdentityMap::OnBounds(const JournalHeader& header, std::span<const uint8_t> items) {
  if (open_ && open_->numbered && open_->told == 0 && !open_->opens_background)
    PassBackground();
  else if (open_)
    Lose("the end of a collection was not told of");
  AddSampled();
  open_.emplace();
  open_->mask = header.detail;
  open_->bounds = ItemsOf<HeapBound>(items);
}

void IdentityMap::OnCollection(const JournalHeader& header) {
  if (latest_ && header.value != *latest_ + 1) Lose("a collection was not told of");
  latest_ = header.value;
  ++state_.collections;
  if (open_ && open_->numbered && open_->told == 0 && !open_->opens_background) return OpenBackground();
  if (!open_ || open_->numbered) return Lose("a collection came without the heap's bounds");
  open_->numbered = true;
}

// A background collection may begin with a young one, in the same pause, of which no callback tells. The heap lies as
// it did; which generations are collected is told at the end.
void IdentityMap::OpenBackground() {
  PassBackground();
  open_->opens_background = true;
}

// It frees large and pinned objects while the application runs, and others are made in their place.
void IdentityMap::PassBackground() {
  ++state_.background;
  Pieces doubtful = CutOut(SpansOf(open_->bounds, kLarge, kPinned));
  for (Piece& piece : doubtful) piece.certain = false;
  Add(std::move(doubtful));
}

void IdentityMap::OnRanges(const JournalHeader& header, std::span<const uint8_t> items) {
  if (!open_ || !open_->numbered) return Lose("survivors came without a collection");
  open_->told += header.count;
  if (!has_base_ || !state_.lost.empty()) return;
  if (open_->told > kMostRanges) return Lose("a collection moved more than can be followed");
  if (header.kind == JournalKind::kMoved) {
    const auto moved = ItemsOf<MovedRange>(items);
    open_->ranges.insert(open_->ranges.end(), moved.begin(), moved.end());
    return;
  }
  for (const SurvivedRange& range : ItemsOf<SurvivedRange>(items))
    open_->ranges.push_back({range.start, range.start, range.length});
}

void IdentityMap::OnFinished(std::span<const uint8_t> items) {
  if (!open_ || !open_->numbered) return Lose("a collection ended that was not told of");
  Collection collection = std::move(*open_);
  open_.reset();
  if (collection.opens_background && collection.condemned)
    collection.mask = static_cast<uint16_t>((2u << std::min<unsigned>(*collection.condemned, kOldest)) - 1);
  heap_ = ItemsOf<HeapBound>(items);
  ++blocking_;
  if (has_base_ && state_.lost.empty()) Apply(collection, SpansOf(heap_, kYoungest, kYoungest));
}

bool IdentityMap::IsPlausible(const Collection& collection) {
  if (!collection.condemned) return false;
  const uint32_t oldest = OldestOf(collection.mask);
  // A full collection after which nothing is left has not been told as a whole.
  return oldest == *collection.condemned && (oldest < kOldest || collection.told > 0);
}

void IdentityMap::Apply(Collection& collection, const Spans& young_after) {
  if (!IsPlausible(collection)) return Lose("a collection was not told as a whole");
  const uint32_t oldest = OldestOf(collection.mask);
  const Spans collected = SpansOf(collection.bounds, kYoungest, oldest < kOldest ? oldest : kPinned);
  const bool touched = Touches(collected);
  if (touched && !SortBy(&MovedRange::from, collection.ranges)) return Lose("the ranges of a collection overlap");
  Pieces survivors;
  if (touched) {
    Pieces young = CutOut(SpansOf(collection.bounds, kYoungest, kYoungest));
    DropStale(young);
    survivors = Survivors(young, collection, young_after);
    const Pieces older = Survivors(CutOut(collected), collection, young_after);
    survivors.insert(survivors.end(), older.begin(), older.end());
  }
  if (!SortBy(&MovedRange::to, collection.ranges)) return Lose("the ranges of a collection overlap");
  if (IsHit(collection.ranges)) DropHit(collection.ranges);
  Add(std::move(survivors));
  if (pieces_.size() > kMostPieces) Lose("the heap is too fragmented to be followed");
}

// ---- snapshots -------------------------------------------------------------------------------------

void IdentityMap::OnMarker(uint64_t marker) {
  AddSampled();
  state_.marker = marker;
  std::sort(pieces_.begin(), pieces_.end(), [](const Piece& a, const Piece& b) { return a.origin < b.origin; });
  for (const Piece& piece : pieces_) {
    auto* last = state_.ranges.empty() ? nullptr : &state_.ranges.back();
    if (last != nullptr && last->from + last->length == piece.origin && last->to + last->length == piece.start &&
        last->certain == piece.certain)
      last->length += piece.length;
    else
      state_.ranges.push_back({piece.origin, piece.start, piece.length, piece.certain});
  }
  on_snapshot_(std::move(state_));
  state_ = {};
  if (follows_samples_) return Keep();
  state_.base = marker;
  has_base_ = true;
  Restart();
}

// ---- samples ---------------------------------------------------------------------------------------

void IdentityMap::OnSampled(std::span<const uint8_t> items) {
  if (!follows_samples_) return Lose("the journal holds a record of an unknown kind");
  // A collection under way as the observation began was told of in part.
  if (!has_base_ && open_ && !open_->numbered) open_.reset();
  if (!has_base_) latest_.reset();
  has_base_ = true;
  if (!state_.lost.empty()) return;
  for (const protocol::SampledObject& object : ItemsOf<protocol::SampledObject>(items))
    sampled_.push_back({object.address, object.size, OriginOf(object.key), blocking_, true});
}

// What lay there before them is dead.
void IdentityMap::AddSampled() {
  if (sampled_.empty()) return;
  const auto by_start = [](const Piece& a, const Piece& b) { return a.start < b.start; };
  std::stable_sort(sampled_.begin(), sampled_.end(), by_start);
  Pieces newest;
  Spans places;
  for (const Piece& piece : sampled_) {
    while (!newest.empty() && newest.back().End() > piece.start) newest.pop_back();
    newest.push_back(piece);
    if (!places.empty() && places.back().end >= piece.start)
      places.back().end = std::max(places.back().end, piece.End());
    else
      places.push_back({piece.start, piece.End()});
  }
  sampled_.clear();
  CutOut(places);
  Add(std::move(newest));
  if (pieces_.size() > kMostPieces) Lose("there are more samples than can be followed");
}

// They are where they are; the order is by address again.
void IdentityMap::Keep() {
  std::sort(pieces_.begin(), pieces_.end(), [](const Piece& a, const Piece& b) { return a.start < b.start; });
}

// Everything is where it is.
void IdentityMap::Restart() {
  pieces_.clear();
  for (const HeapBound& bound : heap_) {
    if (bound.used == 0 || bound.generation > kPinned) continue;
    pieces_.push_back({bound.start, bound.used, bound.start, bound.generation == kYoungest ? blocking_ : 0, true});
  }
  std::sort(pieces_.begin(), pieces_.end(), [](const Piece& a, const Piece& b) { return a.start < b.start; });
}

// ---- spans and pieces ------------------------------------------------------------------------------

// What generations `first` to `last` hold or may grow into, in address order.
IdentityMap::Spans IdentityMap::SpansOf(const std::vector<HeapBound>& bounds, uint32_t first, uint32_t last) {
  Spans spans;
  for (const HeapBound& bound : bounds) {
    const uint64_t bytes = std::max(bound.used, bound.reserved);
    if (bound.generation >= first && bound.generation <= last && bytes > 0)
      spans.push_back({bound.start, bound.start + bytes});
  }
  std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) { return a.start < b.start; });
  Spans merged;
  for (const Span& span : spans) {
    if (!merged.empty() && span.start <= merged.back().end)
      merged.back().end = std::max(merged.back().end, span.end);
    else
      merged.push_back(span);
  }
  return merged;
}

// By where they begin on that side, `from` or `to`. False: two of them overlap. The same range told twice is one.
bool IdentityMap::SortBy(uint64_t MovedRange::*side, std::vector<MovedRange>& ranges) {
  const auto key = [side](const MovedRange& range) {
    return std::tuple(range.*side, range.from, range.to, range.length);
  };
  std::sort(ranges.begin(), ranges.end(), [&](const MovedRange& a, const MovedRange& b) { return key(a) < key(b); });
  const auto same = [&](const MovedRange& a, const MovedRange& b) { return key(a) == key(b); };
  ranges.erase(std::unique(ranges.begin(), ranges.end(), same), ranges.end());
  for (size_t i = 1; i < ranges.size(); ++i)
    if (ranges[i - 1].length > ranges[i].*side - ranges[i - 1].*side) return false;
  return true;
}

bool IdentityMap::Touches(const Spans& spans) const {
  return std::any_of(spans.begin(), spans.end(), [this](const Span& span) {
    const auto at = std::upper_bound(pieces_.begin(), pieces_.end(), span.start,
                                     [](uint64_t start, const Piece& piece) { return start < piece.End(); });
    return at != pieces_.end() && at->start < span.end;
  });
}

bool IdentityMap::IsHit(const std::vector<MovedRange>& by_target) const {
  auto at = pieces_.begin();
  for (const MovedRange& range : by_target) {
    while (at != pieces_.end() && at->End() <= range.to) ++at;
    if (at == pieces_.end()) return false;
    if (at->start < range.to + range.length) return true;
  }
  return false;
}

// Pieces that continue each other are one.
void IdentityMap::Append(Pieces& to, const Piece& piece) {
  if (piece.length == 0) return;
  if (!to.empty()) {
    Piece& last = to.back();
    const bool continues = last.End() == piece.start && last.origin + last.length == piece.origin;
    if (continues && last.left_young == piece.left_young && last.certain == piece.certain) {
      last.length += piece.length;
      return;
    }
  }
  to.push_back(piece);
}

IdentityMap::Pieces IdentityMap::CutOut(const Spans& spans) {
  Pieces kept, cut;
  auto span = spans.begin();
  const auto part = [](const Piece& piece, uint64_t start, uint64_t end) {
    Piece of = piece;
    of.start = start;
    of.length = end - start;
    of.origin = piece.origin + (start - piece.start);
    return of;
  };
  for (const Piece& piece : pieces_) {
    while (span != spans.end() && span->end <= piece.start) ++span;
    uint64_t at = piece.start;
    for (auto over = span; over != spans.end() && over->start < piece.End(); ++over) {
      const uint64_t start = std::max(at, over->start), end = std::min(piece.End(), over->end);
      Append(kept, part(piece, at, start));
      Append(cut, part(piece, start, end));
      at = end;
    }
    Append(kept, part(piece, at, piece.End()));
  }
  pieces_ = std::move(kept);
  return cut;
}

// What the youngest generation holds, and the collection before did not leave there, is newer than the base.
void IdentityMap::DropStale(Pieces& young) const {
  std::erase_if(young, [&](const Piece& piece) { return piece.left_young != blocking_ - 1; });
}

// `candidates` and the ranges by where they lay.
IdentityMap::Pieces IdentityMap::Survivors(const Pieces& candidates, const Collection& collection,
                                           const Spans& young_after) const {
  Pieces survivors;
  auto range = collection.ranges.begin();
  const auto is_young = [&](uint64_t address) {
    const auto at = std::upper_bound(young_after.begin(), young_after.end(), address,
                                     [](uint64_t start, const Span& span) { return start < span.end; });
    return at != young_after.end() && at->start <= address;
  };
  for (const Piece& piece : candidates) {
    while (range != collection.ranges.end() && range->from + range->length <= piece.start) ++range;
    for (auto over = range; over != collection.ranges.end() && over->from < piece.End(); ++over) {
      const uint64_t start = std::max(piece.start, over->from);
      const uint64_t end = std::min(piece.End(), over->from + over->length);
      const uint64_t target = over->to + (start - over->from);
      survivors.push_back(
          {target, end - start, piece.origin + (start - piece.start), is_young(target) ? blocking_ : 0, piece.certain});
    }
  }
  return survivors;
}

// What others were moved to had been freed.
void IdentityMap::DropHit(const std::vector<MovedRange>& by_target) {
  Spans targets;
  for (const MovedRange& range : by_target) {
    if (!targets.empty() && targets.back().end == range.to)
      targets.back().end += range.length;
    else
      targets.push_back({range.to, range.to + range.length});
  }
  CutOut(targets);
}

void IdentityMap::Add(Pieces pieces) {
  if (pieces.empty()) return;
  const auto by_start = [](const Piece& a, const Piece& b) { return a.start < b.start; };
  std::sort(pieces.begin(), pieces.end(), by_start);
  Pieces merged;
  merged.reserve(pieces_.size() + pieces.size());
  auto one = pieces_.begin();
  auto other = pieces.begin();
  while (one != pieces_.end() || other != pieces.end()) {
    const bool first = other == pieces.end() || (one != pieces_.end() && one->start < other->start);
    Append(merged, first ? *one++ : *other++);
  }
  pieces_ = std::move(merged);
}

}  // namespace cairn::client
