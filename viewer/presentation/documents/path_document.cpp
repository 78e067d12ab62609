#include "viewer/presentation/documents/path_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "viewer/presentation/allocations/allocated_at.h"
#include "viewer/presentation/allocations/allocation_report.h"
#include "viewer/presentation/heap_source.h"
#include "viewer/presentation/quantity.h"
#include "viewer/presentation/render/text_table.h"
#include "viewer/presentation/root_words.h"
#include "viewer/presentation/visible_text.h"

namespace cairn::presentation {
namespace {

using session::PathStep;
using session::RootPath;

std::string TypeOf(const snapshot::Summary& summary, const PathStep& step) {
  return TypeName(summary.types.at(step.type.value));
}

Json StepFields(const snapshot::Summary& summary, const PathStep& step) {
  Json fields = {{"object", step.object.value},
                 {"address", HexAddress(step.address)},
                 {"type", TypeOf(summary, step)},
                 {"field", step.field},
                 {"bytes", step.bytes},
                 {"retained", step.retained},
                 {"sense", step.sense.empty() ? Json(nullptr) : Json(step.sense)}};
  if (summary.sampling) fields["allocated"] = AllocatedJson(summary, step.address);
  return fields;
}

std::string RootField(const RootPath& path) {
  const std::string name = path.root.Name();
  return name.empty() ? fmt::format("({})", snapshot::RootKindName(path.root.kind)) : name;
}

std::string OmittedWords(const RootPath& path) { return Counted(path.omitted, "more step", "more steps"); }

// The steps of one path; what was left out of its middle has a row.
class StepTable : public Table {
 public:
  StepTable(const snapshot::Summary& summary, const RootPath& path)
      : summary_(summary), path_(path), has_sense_(HasSense(path)) {}

  std::vector<Column> Columns() const override {
    std::vector<Column> columns = {
        {"object", "  Object"}, {"retained", "Retained", Format::kBytes}, {"type", "Type"}, {"field", "Held by"}};
    if (has_sense_) columns.push_back({"sense", "What it is"});
    return columns;
  }
  uint64_t RowCount() const override { return path_.steps.size() + (path_.omitted > 0); }
  std::vector<Cell> Row(uint64_t row) const override {
    if (path_.omitted > 0 && row == path_.omitted_after) return Cells("  …", Cell(), OmittedWords(path_), "", "");
    const PathStep& step = path_.steps[row - (path_.omitted > 0 && row > path_.omitted_after)];
    const bool is_root = row == 0;
    return Cells(fmt::format("  @{}", step.object.value), step.retained, TypeOf(summary_, step),
                 is_root ? RootField(path_) : step.field, step.sense);
  }

 private:
  static bool HasSense(const RootPath& path) {
    return std::any_of(path.steps.begin(), path.steps.end(), [](const PathStep& step) { return !step.sense.empty(); });
  }

  std::vector<Cell> Cells(std::string object, Cell retained, std::string type, std::string field,
                          std::string sense) const {
    std::vector<Cell> cells = {std::move(object), std::move(retained), std::move(type), std::move(field)};
    if (has_sense_) cells.emplace_back(std::move(sense));
    return cells;
  }

  const snapshot::Summary& summary_;
  const RootPath& path_;
  const bool has_sense_;
};

// Of those steps that were sampled as they were made.
void WriteAllocated(const snapshot::Summary& summary, const RootPath& path, ByteSink& sink) {
  for (const PathStep& step : path.steps)
    if (const auto stack = AllocationStackOf(summary, step.address))
      sink.Write(fmt::format("  @{} allocated at {}\n", step.object.value,
                             VisibleText(StackLine(*summary.sampling, *stack, SIZE_MAX))));
}

void WritePath(const snapshot::Summary& summary, const RootPath& path, size_t number, TextStyle style, ByteSink& sink) {
  sink.Write(
      style.Bold(fmt::format("{}. {}, {}", number, Counted(path.count, "object", "objects"), FullBytes(path.bytes))) +
      fmt::format(" held by {}\n", VisibleText(RootWords(summary, path.root))));
  sink.Write(fmt::format("  {}\n", VisibleText(FieldPath(path))));
  TextTable table(sink, style);
  Emit(StepTable(summary, path), std::nullopt, table);
  WriteAllocated(summary, path, sink);
}

}  // namespace

Json PathFields(const snapshot::Summary& summary, const RootPath& path) {
  Json steps = Json::array();
  for (const PathStep& step : path.steps) steps.push_back(StepFields(summary, step));
  Json fields = {{"count", path.count},
                 {"bytes", path.bytes},
                 {"root", RootFields(summary, path.root)},
                 {"steps", std::move(steps)}};
  if (path.omitted > 0) fields["omitted"] = {{"steps", path.omitted}, {"after", path.omitted_after}};
  return fields;
}

std::string FieldPath(const RootPath& path) {
  std::string text = RootField(path);
  for (size_t i = 1; i < path.steps.size(); ++i) {
    if (path.omitted > 0 && i == path.omitted_after) text += fmt::format(" → … {} …", OmittedWords(path));
    text += " → " + path.steps[i].field;
  }
  return text;
}

void WritePathsText(const snapshot::Summary& summary, const session::RootPaths& paths, TextStyle style,
                    ByteSink& sink) {
  for (size_t i = 0; i < paths.paths.size(); ++i) {
    if (i > 0) sink.Write("\n");
    WritePath(summary, paths.paths[i], i + 1, style, sink);
  }
  if (const uint64_t left_out = paths.total - paths.paths.size(); left_out > 0)
    sink.Write(style.Faint(fmt::format("… {}", Counted(left_out, "more path", "more paths"))) + "\n");
}

PathTable::PathTable(const snapshot::Summary& summary, const session::RootPaths& paths)
    : summary_(summary), paths_(paths) {
  for (size_t path = 0; path < paths.paths.size(); ++path)
    for (size_t step = 0; step < paths.paths[path].steps.size(); ++step) places_.push_back({path, step});
}

std::vector<Column> PathTable::Columns() const {
  std::vector<Column> columns = {{"path", "Path", Format::kCount},
                                 {"count", "Objects", Format::kCount},
                                 {"root_kind", "Root"},
                                 {"root_name", "Name"},
                                 {"root_thread", "Thread", Format::kText, Shown::kEverywhere, true},
                                 {"root_certain", "Certain", Format::kFlag},
                                 {"step", "Step", Format::kCount},
                                 {"object", "Object", Format::kObject},
                                 {"address", "Address", Format::kText, Shown::kDataOnly},
                                 {"type", "Type"},
                                 {"field", "Field"},
                                 {"bytes", "Bytes", Format::kBytes},
                                 {"retained", "Retained", Format::kBytes},
                                 {"sense", "What it is", Format::kText, Shown::kEverywhere, true}};
  if (!summary_.sampling) return columns;
  columns.push_back({"allocated", "Allocated at", Format::kText, Shown::kEverywhere, true});
  if (!allocated_.empty())
    columns.push_back({"type_allocated", "Its type allocated at", Format::kText, Shown::kEverywhere, true});
  return columns;
}

std::vector<Cell> PathTable::AllocatedCells(const PathStep& step, bool asked_for) const {
  if (!summary_.sampling) return {};
  const auto stack = AllocationStackOf(summary_, step.address);
  std::vector<Cell> cells = {stack ? Cell(StackLine(*summary_.sampling, *stack, SIZE_MAX)) : Cell()};
  if (allocated_.empty()) return cells;
  const auto type = std::ranges::find(allocated_, step.type.value, &TypeAllocations::type);
  const bool known = asked_for && type != allocated_.end() && type->sites.sampled > 0;
  cells.push_back(known ? Cell(AllocationSitesWords(summary_, type->sites)) : Cell());
  return cells;
}

std::vector<Cell> PathTable::Row(uint64_t row) const {
  const Place& place = places_.at(row);
  const RootPath& path = paths_.paths[place.path];
  const PathStep& step = path.steps[place.step];
  const bool after_gap = path.omitted > 0 && place.step >= path.omitted_after;
  std::vector<Cell> cells = {uint64_t{place.path + 1},
                             path.count,
                             std::string(snapshot::RootKindName(path.root.kind)),
                             path.root.Name(),
                             ThreadWords(summary_, path.root),
                             path.root.IsCertain(),
                             uint64_t{place.step + 1 + (after_gap ? path.omitted : 0)},
                             uint64_t{step.object.value},
                             HexAddress(step.address),
                             TypeOf(summary_, step),
                             step.field,
                             step.bytes,
                             step.retained,
                             step.sense.empty() ? Cell() : Cell(step.sense)};
  const bool is_last = place.step + 1 == path.steps.size();
  for (Cell& cell : AllocatedCells(step, is_last)) cells.push_back(std::move(cell));
  return cells;
}

}  // namespace cairn::presentation
