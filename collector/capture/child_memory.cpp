#include "collector/capture/child_memory.h"

#include <new>

#include "collector/capture/child_stream.h"
#include "collector/walk/pages.h"
#include "collector/walk/type_table.h"

namespace cairn::collector {

namespace {

constexpr size_t kPartAlignment = 4096;

size_t Rounded(size_t bytes) { return (bytes + kPartAlignment - 1) & ~(kPartAlignment - 1); }

}  // namespace

ChildMemory::~ChildMemory() {
  if (base_ != nullptr) pages::Unmap(base_, mapped_);
}

bool ChildMemory::Map() {
  const size_t sizes[] = {sizeof(ChildBlock),
                          sizeof(HeapWalker),
                          kMostRanges * sizeof(HeapRange),
                          TypeTable::kMaxTypes * sizeof(uint32_t),
                          kMostRanges * sizeof(uint64_t),
                          ChildStream::WorkspaceBytes(),
                          ChildStream::FrameBytes()};
  for (const size_t size : sizes) mapped_ += Rounded(size);
  base_ = pages::MapShared(mapped_);
  if (base_ == nullptr || !walk_.MapShared() || !walk_.TouchTables()) return false;
  uint8_t* parts[std::size(sizes)];
  uint8_t* at = base_;
  for (size_t i = 0; i < std::size(sizes); at += Rounded(sizes[i++])) parts[i] = at;
  new (base_) ChildBlock;
  walker_ = parts[1];
  ranges_ = reinterpret_cast<HeapRange*>(parts[2]);
  order_ = reinterpret_cast<uint32_t*>(parts[3]);
  edges_ = reinterpret_cast<uint64_t*>(parts[4]);
  workspace_ = parts[5];
  frame_ = parts[6];
  return true;
}

}  // namespace cairn::collector
