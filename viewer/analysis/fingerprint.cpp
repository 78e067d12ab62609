#include "viewer/analysis/fingerprint.h"

#include <xxhash.h>

#include <algorithm>
#include <cstdio>

namespace cairn::analysis {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsOrdinal(char c) { return IsDigit(c) || c == '_'; }

// Behind `at`, a '>': the length of "d__", "9__", "c__" …; 0 where the name is no compiler's.
size_t MarkLength(std::string_view name, size_t at) {
  size_t end = at + 1;
  while (end < name.size() && (IsLetter(name[end]) || IsDigit(name[end]))) ++end;
  return end > at + 1 && name.substr(end, 2) == "__" ? end + 2 - at - 1 : 0;
}

// The end of the part of a compiler's name, from `at` on, that is the same in every build.
size_t StableEnd(std::string_view name, size_t at) {
  size_t word = at;
  while (word < name.size() && (IsLetter(name[word]) || IsOrdinal(name[word]))) ++word;
  if (word < name.size() && name[word] == '|') return word;  // the name of a local function
  while (at < name.size() && IsLetter(name[at])) ++at;
  return at;
}

void Mix(const PathShapes::Shape& shape, const PathShapes::Shape* parent, uint64_t (&digest)[2]) {
  std::string text;
  if (parent) text.assign(reinterpret_cast<const char*>(parent->digest), sizeof parent->digest);
  // Zero bytes part the names, so that no two steps read the same.
  text += shape.field + '\0' + shape.type + '\0';
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  digest[0] = hash.high64;
  digest[1] = hash.low64;
}

std::string RootText(const HolderNode& node, const HeapGraph& graph) {
  const ResolvedRoot& root = graph.Roots().Followed()[node.root.value];
  const std::string perhaps = IsCertain(graph.GetSummary(), root) ? "" : " (perhaps)";
  const std::string kind = snapshot::RootKindName(root.kind) + perhaps;
  const std::string name = root.source == snapshot::kNoId ? "" : graph.GetSummary().roots[root.source].name;
  return name.empty() ? kind : kind + " " + WithoutOrdinals(name);
}

Result<std::string> FieldText(const HolderTree& tree, const HolderNode& node, FieldNames& names) {
  if (node.field == kRootField) return std::string();
  if (node.field == kLoaderAllocatorField) return std::string(kLoaderAllocatorName);
  if (node.field == kDependentField) return std::string(kDependentName);
  if (node.field == kUnnamedField) return std::string("(reference)");
  return names.NameOf(tree.Nodes()[node.parent].type, node.field).map([](const std::string& name) {
    return WithoutOrdinals(WithoutIndex(name));
  });
}

}  // namespace

std::string WithoutOrdinals(std::string_view name) {
  std::string stable;
  for (size_t at = 0; at < name.size();) {
    stable += name[at];
    const size_t mark = name[at] == '>' ? MarkLength(name, at) : 0;
    ++at;
    if (mark == 0) continue;
    const size_t end = StableEnd(name, at + mark);
    stable += name.substr(at, end - at);
    at = end;
    if (at < name.size() && name[at] == '|') ++at;
    while (at < name.size() && IsOrdinal(name[at])) ++at;
  }
  return stable;
}

std::string WithoutIndex(std::string_view field) {
  const size_t end = field.starts_with('[') ? field.find(']') : std::string_view::npos;
  return end == std::string_view::npos ? std::string(field) : "[" + std::string(field.substr(end));
}

Result<PathShapes> PathShapes::Build(const HolderTree& tree, const HeapGraph& graph, FieldNames& names) {
  PathShapes shapes;
  for (const HolderNode& node : tree.Nodes()) {
    if (node.parent == HolderNode::kNoNode) {
      shapes.of_node_.push_back(shapes.Add(kNone, RootText(node, graph), ""));
      continue;
    }
    auto field = FieldText(tree, node, names);
    if (!field) return tl::make_unexpected(std::move(field).error());
    std::string type = WithoutOrdinals(graph.GetSummary().types[node.type.value].name);
    shapes.of_node_.push_back(shapes.Step(shapes.of_node_[node.parent], std::move(*field), std::move(type)));
  }
  shapes.known_.clear();
  return shapes;
}

bool PathShapes::SameStep(uint32_t shape, const std::string& field, const std::string& type) const {
  return shape != kNone && shapes_[shape].field == field && shapes_[shape].type == type;
}

// A step that leads to the same type again is no new one; nor are two that repeat the two before them.
uint32_t PathShapes::Step(uint32_t parent, std::string field, std::string type) {
  if (!type.empty() && shapes_[parent].type == type) return parent;
  const uint32_t before = shapes_[parent].parent;
  const uint32_t first = before == kNone ? kNone : shapes_[before].parent;
  if (SameStep(before, field, type) && SameStep(first, shapes_[parent].field, shapes_[parent].type)) return before;
  return Add(parent, std::move(field), std::move(type));
}

uint32_t PathShapes::Add(uint32_t parent, std::string field, std::string type) {
  const auto [at, added] = known_.try_emplace({parent, field, type}, static_cast<uint32_t>(shapes_.size()));
  if (added) {
    Shape shape;
    shape.parent = parent;
    shape.field = std::move(field);
    shape.type = std::move(type);
    Mix(shape, parent == kNone ? nullptr : &shapes_[parent], shape.digest);
    shapes_.push_back(std::move(shape));
  }
  return at->second;
}

std::string PathShapes::Fingerprint(uint32_t shape) const {
  char text[40];
  std::snprintf(text, sizeof text, "v1:%016llx%016llx", static_cast<unsigned long long>(shapes_[shape].digest[0]),
                static_cast<unsigned long long>(shapes_[shape].digest[1]));
  return text;
}

std::string PathShapes::PathText(uint32_t shape) const {
  constexpr size_t kLongest = 40;
  std::vector<const Shape*> steps;
  for (; shape != kNone; shape = shapes_[shape].parent)
    if (!shapes_[shape].field.empty()) steps.push_back(&shapes_[shape]);
  std::reverse(steps.begin(), steps.end());
  std::string text;
  for (size_t i = 0; i < steps.size(); ++i) {
    const bool left_out = steps.size() > kLongest && i >= kLongest / 2 && i < steps.size() - kLongest / 2;
    if (left_out && i > kLongest / 2) continue;
    text += (i == 0 ? "" : " → ") + (left_out ? std::string("…") : steps[i]->field);
  }
  return text;
}

}  // namespace cairn::analysis
