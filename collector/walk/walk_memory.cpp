#include "collector/walk/walk_memory.h"

#include <cstring>

#include "collector/walk/pages.h"
#include "collector/walk/spool_writer.h"
#include "collector/walk/type_table.h"

namespace cairn::collector {
namespace {

constexpr uint64_t RoundToPage(uint64_t bytes) { return stream::AlignUp(bytes, pages::kPageBytes); }

constexpr uint64_t kFixedBytes = RoundToPage(TypeTable::kBytes) + RoundToPage(SpoolWriter::kStagingBytes);

}  // namespace

WalkMemory::~WalkMemory() { Free(); }

bool WalkMemory::Map(uint64_t spool_bytes) {
  Free();
  if (spool_bytes > uint64_t{1} << 46) return false;
  const uint64_t spool = RoundToPage(spool_bytes);
  return Use(pages::Map(kFixedBytes + spool), spool);
}

bool WalkMemory::MapShared() {
  Free();
  return Use(pages::MapShared(kFixedBytes), 0);
}

bool WalkMemory::Use(uint8_t* base, uint64_t spool_bytes) {
  if (base == nullptr) return false;
  base_ = base;
  mapped_ = kFixedBytes + spool_bytes;
  spool_ = base_ + kFixedBytes;
  spool_capacity_ = spool_bytes;
  spool_used_ = spool_touched_ = 0;
  return true;
}

bool WalkMemory::TouchTables() { return base_ != nullptr && TypeTable::Populate(base_); }

bool WalkMemory::Touch(uint64_t spool_bytes) {
  return TouchTables() && SpoolWriter::PopulateStaging(spool_) && TouchSpool(spool_bytes);
}

bool WalkMemory::TouchSpool(uint64_t bytes) {
  if (bytes <= spool_touched_) return true;
  const uint64_t until = bytes < spool_capacity_ ? RoundToPage(bytes) : spool_capacity_;
  if (!pages::Populate(spool_ + spool_touched_, until - spool_touched_)) return false;
  spool_touched_ = until;
  return true;
}

void WalkMemory::Free() {
  if (base_ != nullptr) pages::Unmap(base_, mapped_);
  base_ = spool_ = nullptr;
  mapped_ = spool_capacity_ = spool_used_ = spool_touched_ = 0;
}

bool WalkMemory::NextBlock(uint64_t* at, SpoolBlock* block) const {
  if (*at >= spool_used_) return false;
  const uint8_t* start = spool_ + *at;
  std::memcpy(&block->header, start, sizeof block->header);
  std::memcpy(block->column_size, start + sizeof block->header, sizeof block->column_size);
  const uint8_t* column = start + SpoolWriter::kPrefixBytes;
  for (size_t i = 0; i < stream::kColumnCount; ++i) {
    block->column[i] = column;
    column += block->column_size[i];
  }
  *at = stream::AlignUp(static_cast<uint64_t>(column - spool_), SpoolWriter::kBlockAlignment);
  return true;
}

void WalkMemory::Release(uint64_t at) {
  if (spool_ != nullptr) pages::Release(spool_, at < spool_used_ ? at : spool_used_);
}

void WalkMemory::ReleaseUnused() {
  if (spool_ == nullptr) return;
  constexpr uint64_t kStaging = RoundToPage(SpoolWriter::kStagingBytes);
  pages::Release(spool_ - kStaging, kStaging);
  pages::Release(spool_ + spool_used_, spool_touched_ - spool_used_);
}

}  // namespace cairn::collector
