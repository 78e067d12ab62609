#include "collector/capture/shape_finder.h"

#include <algorithm>

#include "collector/abi/masks.h"
#include "collector/abi/metadata_constants.h"
#include "collector/capture/capture_context.h"
#include "collector/runtime/contract_descriptor.h"
#include "collector/runtime/static_slots.h"
#include "collector/types/element_type.h"
#include "collector/types/signature_reader.h"

namespace cairn::collector {

namespace {

constexpr unsigned kMaxDepth = 64;  // of bases; longer chains are cycles

}  // namespace

void ShapeFinder::Add(ClassId id, ShapeTable& table) {
  const Kept& kept = Of(id, 0);
  ShapeTable::Shape shape{kept.slots, {}};
  for (size_t i = 0; i < std::min<size_t>(kept.code.size(), 2); ++i) shape.code[i] = kept.code[i];
  table.Add(id, shape);
}

const ShapeFinder::Kept& ShapeFinder::Of(ClassId id, unsigned depth) {
  const auto known = kept_.find(id);
  if (known != kept_.end()) return known->second;
  Kept kept = Find(id, depth);
  return kept_[id] = std::move(kept);
}

// Bases first, whose fields lie before those of the class itself.
ShapeFinder::Kept ShapeFinder::Find(ClassId id, unsigned depth) {
  Kept kept;
  ClassRow row;
  if (depth > kMaxDepth || !classes_.Class(id, &row)) return kept;
  if (row.parent != 0) kept = Of(row.parent, depth + 1);
  const std::vector<Wanted>& wanted = WantedOf(row.module, row.token);
  ClassLayout layout;
  if (wanted.empty() || !classes_.Layout(id, &layout)) return kept;
  const uint32_t box = classes_.BoxOffset(id);
  for (const FieldOffset& field : layout.fields) {
    const auto found = std::ranges::find(wanted, field.field, &Wanted::field);
    if (found != wanted.end()) AddField(row, *found, field.offset + box, &kept);
  }
  return kept;
}

void ShapeFinder::AddField(const ClassRow& row, const Wanted& wanted, uint32_t offset, Kept* kept) {
  if (wanted.argument == kNoArgument) {
    kept->slots.push_back(stream::Packed({offset, wanted.rule.bytes}));
    if (wanted.rule.is_code) kept->code.push_back(offset);
    return;
  }
  ClassRow machine;
  ClassLayout layout;
  if (wanted.argument >= row.arguments.size()) return;
  const ClassId id = row.arguments[wanted.argument];
  if (!classes_.Class(id, &machine) || classes_.BoxOffset(id) == 0 || !classes_.Layout(id, &layout)) return;
  for (const FieldOffset& field : layout.fields) {
    for (const Wanted& inner : WantedOf(machine.module, machine.token)) {
      if (inner.field != field.field || inner.argument != kNoArgument) continue;
      kept->slots.push_back(stream::Packed({offset + field.offset, inner.rule.bytes}));
    }
  }
}

const std::vector<ShapeFinder::Wanted>& ShapeFinder::WantedOf(ModuleId module, Token type_def) {
  auto& of_module = wanted_[module];
  const auto known = of_module.find(type_def);
  if (known != of_module.end()) return known->second;
  std::vector<Wanted>& wanted = of_module[type_def];
  const bool of_framework = IsOfFramework(module);
  for (const Token token : metadata_.Fields(module, type_def)) {
    FieldRow row;
    SignatureType type;
    if (!metadata_.Field(module, token, &row) || (row.flags & abi::kFieldStatic) != 0) continue;
    if (!ReadFieldSignature(row.signature, &type)) continue;
    const ShapeRule rule = RuleFor(row.name, type.element, of_framework);
    if (rule.wanted) wanted.push_back({token, rule});
    const bool is_machine = of_framework && type.element == element::kVar && row.name == kStateMachineField;
    if (is_machine) wanted.push_back({token, {}, type.number});
  }
  return wanted;
}

bool ShapeFinder::IsOfFramework(ModuleId module) {
  const auto known = of_framework_.find(module);
  if (known != of_framework_.end()) return known->second;
  ModuleRow row;
  return of_framework_[module] = metadata_.Module(module, &row) && IsFramework(row.scope);
}

void FindShapes(CaptureContext& capture) {
  const StaticSlots loaded(ReadContractDescriptor().text);
  ShapeTable& table = capture.contents.shapes;
  if (!loaded.Available()) return;
  MetadataSource& metadata = capture.naming->runtime.Metadata();
  ShapeFinder finder(metadata, capture.naming->runtime.Classes());
  for (const ModuleId module : metadata.Modules()) {
    ModuleRow row;
    if (!metadata.Module(module, &row) || (row.flags & abi::kModuleCollectible) != 0) continue;
    for (const uint64_t method_table : loaded.MethodTables(module)) finder.Add(method_table, table);
  }
  table.Close();
}

}  // namespace cairn::collector
