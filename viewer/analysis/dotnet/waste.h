#pragma once
// Memory that buys nothing: equal strings and arrays, collections with more room than elements, arrays of nulls, boxed
// values, objects that were disposed. Of reachable objects only.
// Thread rule: one call on one thread. What contents the snapshot lacks is told by what is missing, never guessed.

#include <cstdint>
#include <string>
#include <vector>

#include "viewer/analysis/chunk_source.h"
#include "viewer/analysis/heap_graph.h"
#include "viewer/analysis/reachability.h"
#include "viewer/analysis/work.h"

namespace cairn::analysis::dotnet {

// Objects of one type with equal content.
struct Duplicate {
  TypeIndex type;
  bool is_string = false;
  uint64_t copies = 0, bytes_each = 0;
  uint64_t Wasted() const { return (copies - 1) * bytes_each; }
  std::vector<ObjectIndex> examples;  // the first copies, by address
  bool has_text = false, text_cut = false;
  std::string text;
};

// Collections of one type, or sparse arrays of one. Capacity and used count elements.
struct CollectionWaste {
  TypeIndex type;
  bool is_sparse_array = false;
  uint64_t objects = 0, empty = 0, capacity = 0, used = 0;
  uint64_t wasted = 0;  // bytes of the elements that are not used
};

struct TypeTotals {
  TypeIndex type;
  ObjectTotals totals;
};

struct Waste {
  std::vector<Duplicate> duplicates;         // by what they waste, the most first; likewise the others
  std::vector<CollectionWaste> collections;  // that waste something
  std::vector<TypeTotals> boxed;
  std::vector<TypeTotals> disposed;  // whose own flag says that they were, though something still holds them
  bool has_hashes = false;           // else nothing is known of equal content
  bool has_counts = false;           // else of collections only those are known whose elements are counted in the graph
};

// Complexity: linear in objects; every chunk is decoded twice. Memory: 16 bytes per string or array with a hash, and
// per collection.
Result<Waste> FindWaste(const HeapGraph& graph, const ChunkSource& source, const Reachability& reached, Work& work);

}  // namespace cairn::analysis::dotnet
