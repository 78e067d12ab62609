#pragma once
// What becomes of the addresses of a snapshot's objects through the collections that follow, told by the journal of a
// collector that tracks (collector/protocol/journal.h). Nothing is guessed:
//
//   blocking collection    what lies in a generation that is collected is dead unless one of the ranges that survived
//   or
//                          moved covers it; what others are moved to is dead where it was
//   youngest generation    what it holds when a collection begins, and the one before did not leave there, is new: an
//                          address there that belonged to an older object was freed in between
//   background collection  tells no survivors. It frees large and pinned objects, whose place others may take unseen:
//                          they are no longer certain
//   anything missing       (a collection, its bounds, its end, a record) and nothing is known until the next snapshot
//
// It follows either all objects of a snapshot to the next one, or single objects from where they were sampled as they
// were made, to every snapshot after that. Of these a `from` is OriginOf the sample's key, which is no address.
//
// Thread rule: one thread. Memory: bounded by kMostPieces and kMostRanges; beyond them nothing is known.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "collector/protocol/journal.h"
#include "snapshot-format/file/model.h"

namespace cairn::client {

class IdentityMap {
 public:
  static constexpr size_t kMostPieces = size_t{4} << 20;
  static constexpr size_t kMostRanges = size_t{8} << 20;

  struct Followed {
    uint64_t marker = 0;           // of the snapshot
    std::optional<uint64_t> base;  // marker of the one before; none: there was none
    std::string lost;              // why nothing is known; empty: it is
    uint64_t collections = 0, background = 0;
    std::vector<snapshot::IdentityRange> ranges;  // by `from`
  };

  enum class Follows : uint8_t { kSnapshots, kSamples };

  explicit IdentityMap(std::function<void(Followed)> on_snapshot, Follows follows = Follows::kSnapshots)
      : on_snapshot_(std::move(on_snapshot)), follows_samples_(follows == Follows::kSamples) {}

  // No two samples are so near to each other that their pieces could be one.
  static constexpr unsigned kOriginShift = 36;
  static uint64_t OriginOf(uint64_t key) { return key << kOriginShift; }

  // The records of a frame. False: they are none.
  bool Read(std::span<const uint8_t> records);

 private:
  struct Span {
    uint64_t start = 0, end = 0;
  };
  using Spans = std::vector<Span>;
  // Objects of the base that lay at `origin` and lie at `start`.
  struct Piece {
    uint64_t start = 0, length = 0, origin = 0;
    uint32_t left_young =
        0;  // number of the blocking collection that left it in the youngest generation; 0: in another
    bool certain = true;
    uint64_t End() const { return start + length; }
  };
  using Pieces = std::vector<Piece>;
  struct Collection {
    uint16_t mask = 0;
    std::vector<protocol::HeapBound> bounds;
    bool numbered = false;          // it is known which collection it is
    bool opens_background = false;  // the young one with which a background collection begins
    std::optional<uint16_t> condemned;
    std::vector<protocol::MovedRange> ranges;  // survivors too
    size_t told = 0;                           // ranges, kept or not
  };

  void OnRecord(const protocol::JournalHeader& header, std::span<const uint8_t> items);
  void OnCollection(const protocol::JournalHeader& header);
  void OnBounds(const protocol::JournalHeader& header, std::span<const uint8_t> items);
  void OnRanges(const protocol::JournalHeader& header, std::span<const uint8_t> items);
  void OnFinished(std::span<const uint8_t> items);
  void OnMarker(uint64_t marker);
  void OnSampled(std::span<const uint8_t> items);
  void AddSampled();
  void Keep();
  void Lose(const std::string& why);
  void PassBackground();
  void OpenBackground();
  void Apply(Collection& collection, const Spans& young_after);
  bool IsPlausible(const Collection& collection);
  void Restart();

  static Spans SpansOf(const std::vector<protocol::HeapBound>& bounds, uint32_t first, uint32_t last);
  static bool SortBy(uint64_t protocol::MovedRange::*side, std::vector<protocol::MovedRange>& ranges);
  bool Touches(const Spans& spans) const;
  bool IsHit(const std::vector<protocol::MovedRange>& by_target) const;
  // Takes what lies in `spans` out of the pieces.
  Pieces CutOut(const Spans& spans);
  Pieces Survivors(const Pieces& candidates, const Collection& collection, const Spans& young_after) const;
  void DropStale(Pieces& young) const;
  void DropHit(const std::vector<protocol::MovedRange>& by_target);
  void Add(Pieces pieces);
  static void Append(Pieces& to, const Piece& piece);

  std::function<void(Followed)> on_snapshot_;
  const bool follows_samples_;
  Pieces sampled_;  // since the latest collection began, in the order in which they were made
  Followed state_;  // of the time since the base
  bool has_base_ = false;
  Pieces pieces_;  // by start
  std::optional<Collection> open_;
  std::optional<uint64_t> latest_;
  uint32_t blocking_ = 1;                  // number of the latest blocking collection, counted here
  std::vector<protocol::HeapBound> heap_;  // as the latest blocking collection left it
};

}  // namespace cairn::client
