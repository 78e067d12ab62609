#pragma once
// What stays the same of a path when the same state is captured again: kinds and names of roots, types, fields.
// Array indices are dropped, repeated steps (list and tree nodes, pairs that alternate) are one, and so are the
// ordinals that compilers number their own types by. No addresses, no counts.
// Thread rule: built once; then reads from any thread.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "viewer/analysis/field_names.h"
#include "viewer/analysis/path_tree.h"

namespace cairn::analysis {

// "<>c__DisplayClass12_0" → "<>c__DisplayClass", "<Run>d__5" → "<Run>d__", "<Run>g__Add2|5_0" → "<Run>g__Add2".
std::string WithoutOrdinals(std::string_view name);
// "[5].value" → "[].value".
std::string WithoutIndex(std::string_view field);

// The paths of a HolderTree, put together where their fingerprints are equal.
class PathShapes {
 public:
  static constexpr uint32_t kNone = 0xFFFFFFFF;

  struct Shape {
    uint32_t parent = kNone;  // smaller than its own number; none for a root
    std::string field;        // of a root: its kind, and its name if it has one
    std::string type;         // empty for a root
    uint64_t digest[2] = {};  // of all steps from the root
  };

  // Complexity: linear in the nodes of the tree, whatever the length of the paths.
  static Result<PathShapes> Build(const HolderTree& tree, const HeapGraph& graph, FieldNames& names);

  const std::vector<Shape>& Shapes() const { return shapes_; }
  // By node of the HolderTree.
  uint32_t ShapeOf(uint32_t node) const { return of_node_[node]; }
  // "v1:" and 32 hexadecimal digits.
  std::string Fingerprint(uint32_t shape) const;
  // "static Shop.Cache.Instance → _entries → [].value", the middle of a long one left out.
  std::string PathText(uint32_t shape) const;

 private:
  uint32_t Step(uint32_t parent, std::string field, std::string type);
  uint32_t Add(uint32_t parent, std::string field, std::string type);
  bool SameStep(uint32_t shape, const std::string& field, const std::string& type) const;

  std::vector<Shape> shapes_;
  std::vector<uint32_t> of_node_;
  std::map<std::tuple<uint32_t, std::string, std::string>, uint32_t> known_;
};

}  // namespace cairn::analysis
