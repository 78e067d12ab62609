#pragma once
// Finds the LoaderAllocators of collectible load contexts without a look at the heap, so that a fork need not count
// the types first. The runtime holds each managed LoaderAllocator by a weak handle, which is among the roots:
//
//   weak handle ─▶ LoaderAllocator ─▶ its scout: native pointer ─▶ native LoaderAllocator: … the same handle …
//   MethodTable ─▶ auxiliary data ─▶ loader module ─▶ native LoaderAllocator
//
// Nothing of this is promised by the runtime, so each step is proven in the pause: the native side must hold the very
// handle, every collectible module must lead to a LoaderAllocator that was found or to another one, which is going, and
// every lasting type that the self-check met must lead to a module that the runtime listed. Types of a context that is
// going may still have dead objects: their module is not listed any more, and ObjectOf does not know them.
// Thread rule: one thread at a time. Call-site rule: Learn before the pause, Find in it, ObjectOf in it or in a
// child that was forked in it: what is read belongs to contexts that may be gone later.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "collector/capture/mapped_array.h"
#include "collector/roots/root_recorder.h"
#include "collector/walk/layout.h"
#include "collector/walk/walked_type.h"

namespace cairn::collector {

class ContextFinder {
 public:
  static constexpr size_t kMaxContexts = 8192;
  struct Module {
    uint64_t id = 0;
    bool collectible = false;
  };
  struct Found {
    uint64_t object = 0;  // the managed LoaderAllocator, as it lies in the pause
    uint64_t native = 0;
  };

  // Makes room. False: no memory.
  bool Prepare() { return found_.Map(kMaxContexts, true); }
  // All modules that are loaded.
  void Learn(std::vector<Module> modules);
  // `types`: met by the self-check. False: something is not as it is believed to be, and nothing may be relied on.
  bool Find(const LayoutPolicy& layout, std::span<const RecordedRoot> roots, std::span<const WalkedType> types);
  std::span<const Found> Contexts() const { return found_.First(count_); }
  // The LoaderAllocator of a collectible type; 0: not known.
  uint64_t ObjectOf(uint64_t method_table) const;

 private:
  static constexpr size_t kJudged = 256;
  struct Judged {
    uint64_t method_table = 0;
    bool may_be_allocator = false;
  };
  bool IsLikeAllocator(const LayoutPolicy& layout, uint64_t method_table);
  bool FindAllocators(const LayoutPolicy& layout, std::span<const RecordedRoot> roots);
  void Consider(const LayoutPolicy& layout, const RecordedRoot& root);
  bool LeadToModules(std::span<const WalkedType> types) const;
  bool FindAllocatorOffset();
  bool LeadsToAllocator(uint64_t module, uint64_t offset) const;
  bool LeadsToGoingOne(uint64_t module, uint64_t offset) const;
  const Found* OfNative(uint64_t native) const;

  std::vector<Module> modules_;  // by id
  MappedArray<Found> found_;     // by native address
  size_t count_ = 0;
  uint64_t allocator_offset_ = 0;  // within a module
  std::array<Judged, kJudged> judged_{};
};

}  // namespace cairn::collector
