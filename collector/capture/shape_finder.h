#pragma once
// Before the pause: which bytes of which types tell a shape. Types of collectible load contexts are left alone, since
// they may go while we ask; what is loaded later keeps no values.
// Call-site rule: outside the pause and outside callbacks. Thread rule: one thread.

#include <unordered_map>
#include <vector>

#include "collector/contents/shape_rules.h"
#include "collector/contents/shape_table.h"
#include "collector/types/runtime_source.h"

namespace cairn::collector {

struct CaptureContext;

class ShapeFinder {
 public:
  ShapeFinder(MetadataSource& metadata, ClassSource& classes) : metadata_(metadata), classes_(classes) {}

  // Adds what is kept of the objects of a class that is loaded.
  void Add(ClassId id, ShapeTable& table);

 private:
  struct Wanted {
    Token field = 0;
    ShapeRule rule;
    uint32_t argument = kNoArgument;  // the field is a struct that the type is told by: an async state machine
  };
  struct Kept {
    std::vector<uint32_t> slots;
    std::vector<uint32_t> code;
  };
  static constexpr uint32_t kNoArgument = 0xFFFFFFFF;

  const Kept& Of(ClassId id, unsigned depth);
  Kept Find(ClassId id, unsigned depth);
  void AddField(const ClassRow& row, const Wanted& wanted, uint32_t offset, Kept* kept);
  const std::vector<Wanted>& WantedOf(ModuleId module, Token type_def);
  bool IsOfFramework(ModuleId module);

  MetadataSource& metadata_;
  ClassSource& classes_;
  std::unordered_map<ClassId, Kept> kept_;
  std::unordered_map<ModuleId, std::unordered_map<Token, std::vector<Wanted>>> wanted_;
  std::unordered_map<ModuleId, bool> of_framework_;
};

// Fills the capture's plan from the types that are loaded now.
void FindShapes(CaptureContext& capture);

}  // namespace cairn::collector
