#pragma once
// A heap in memory, given literally.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "viewer/presentation/heap_source.h"
#include "viewer/presentation/tables/table.h"

namespace cairn::presentation::testing {

class FakeHeap : public HeapSource {
 public:
  uint32_t AddModule(const std::string& name) {
    summary_.modules.push_back({name, "", false});
    return static_cast<uint32_t>(summary_.modules.size() - 1);
  }
  uint32_t AddType(const std::string& name, uint32_t module = snapshot::kNoId) {
    snapshot::Type type;
    type.name = name;
    type.module = module;
    summary_.types.push_back(type);
    return static_cast<uint32_t>(summary_.types.size() - 1);
  }
  // A type of so many objects and bytes, none of which can be visited.
  uint32_t AddCounted(const std::string& name, uint32_t module, uint64_t objects, uint64_t bytes) {
    const uint32_t type = AddType(name, module);
    summary_.types[type].objects = objects;
    summary_.types[type].bytes = bytes;
    return type;
  }
  void AddObject(uint32_t type, uint64_t bytes, snapshot::Generation generation = snapshot::Generation::kGen2) {
    objects_.push_back({objects_.size(), next_address_, type, bytes, generation});
    next_address_ += bytes;
    ++summary_.types[type].objects;
    summary_.types[type].bytes += bytes;
  }
  // Visits end with this error behind object number `after`.
  void FailAfter(uint64_t after, Error error) {
    fail_after_ = after;
    error_ = std::move(error);
  }

  snapshot::Summary& MutableSummary() { return summary_; }
  const snapshot::Summary& Summary() const override { return summary_; }
  const std::string& Path() const override { return path_; }
  uint64_t FileBytes() const override { return 0; }

  Status VisitObjects(const ObjectFilter& filter, const std::function<bool(const HeapObject&)>& visit) override {
    for (const HeapObject& object : objects_) {
      if (object.index >= fail_after_) return tl::make_unexpected(error_);
      if (filter.generation && object.generation != *filter.generation) continue;
      if (!filter.types.empty() && !filter.types.at(object.type)) continue;
      ++visited_;
      if (!visit(object)) break;
    }
    return {};
  }
  Result<HeapObject> FindObject(const ObjectName& name) override {
    for (const HeapObject& object : objects_)
      if (name.value == (name.kind == ObjectName::Kind::kIndex ? object.index : object.address)) return object;
    return Fail(ErrorKind::kFailed, "object.missing", "no such object");
  }

  uint64_t Visited() const { return visited_; }

 private:
  snapshot::Summary summary_;
  std::vector<HeapObject> objects_;
  std::string path_ = "fake.cairn";
  uint64_t next_address_ = 0x1000, fail_after_ = ~0ull, visited_ = 0;
  Error error_;
};

// Remembers rows as text: "a|1|null".
class RecordingSink : public RowSink {
 public:
  void Begin(std::span<const Column> columns) override {
    for (const Column& column : columns) keys.push_back(column.key);
  }
  bool Row(std::span<const Cell> cells) override {
    std::string row;
    for (const Cell& cell : cells) row += (row.empty() ? "" : "|") + std::visit(Text{}, cell);
    rows.push_back(row);
    return rows.size() < stop_after;
  }
  void End(uint64_t rows_left_out) override { left_out = rows_left_out; }

  std::vector<std::string> keys, rows;
  uint64_t left_out = 0;
  size_t stop_after = ~size_t{0};

 private:
  struct Text {
    std::string operator()(std::monostate) const { return "null"; }
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(const std::string& value) const { return value; }
    template <class Number>
    std::string operator()(Number value) const {
      return std::to_string(value);
    }
  };
};

}  // namespace cairn::presentation::testing
