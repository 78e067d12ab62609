#include "viewer/cli/snapshot_ids.h"

#include <fmt/format.h>

#include <array>

namespace cairn::cli {
namespace {

using protocol::FlagValue;
using protocol::IdKind;
using protocol::IdRow;
using protocol::NumberValue;
using protocol::TextValue;

constexpr std::array kTypeKindNames = {"class", "boxed struct", "array", "string", "unknown"};  // by TypeKind

class IdLister {
 public:
  IdLister(snapshot::SnapshotReader& reader, const protocol::IdWishes& wishes)
      : reader_(reader), summary_(reader.Summary()), wishes_(wishes) {}

  Result<std::vector<IdRow>> List() {
    for (const snapshot::Module& module : summary_.modules) AddModule(module);
    for (uint32_t type = 0; type < summary_.types.size(); ++type) CAIRN_TRY(AddClass(type));
    for (const snapshot::Method& method : summary_.methods)
      Add({IdKind::kFunction, method.address, method.name, {}, {TextValue("held_as", "delegate")}});
    if (summary_.sampling) {
      for (const snapshot::AllocationMethod& method : summary_.sampling->methods)
        Add({IdKind::kFunction, 0, method.name, {}, {TextValue("held_as", "allocation stack")}});
    }
    for (const snapshot::Thread& thread : summary_.threads)
      Add({IdKind::kThread,
           0,
           thread.name,
           {},
           {NumberValue("os_thread", thread.os_id), NumberValue("managed_thread", thread.managed_id)}});
    return std::move(rows_);
  }

 private:
  bool Wants(IdKind kind, uint64_t id) const {
    return (wishes_.kinds >> static_cast<uint32_t>(kind) & 1) != 0 && (wishes_.id == 0 || wishes_.id == id);
  }
  void Add(IdRow row) {
    if (Wants(row.kind, row.id)) rows_.push_back(std::move(row));
  }

  void AddModule(const snapshot::Module& module) {
    Add({IdKind::kModule, 0, module.name, module.path, {FlagValue("collectible", module.collectible)}});
  }

  Status AddClass(uint32_t index) {
    const snapshot::Type& type = summary_.types[index];
    if (!Wants(IdKind::kClass, type.method_table)) return {};
    IdRow row{IdKind::kClass, type.method_table, type.name, {}, {}};
    if (type.module < summary_.modules.size()) row.path = summary_.modules[type.module].name;
    row.values = {TextValue("is", kTypeKindNames[static_cast<size_t>(type.kind)]), TextValue("base", type.base),
                  TextValue("element", type.element), NumberValue("bytes", type.layout.base_size)};
    if (type.layout.component_size != 0) row.values.push_back(NumberValue("element_bytes", type.layout.component_size));
    row.values.push_back(NumberValue("objects", type.objects));
    row.values.push_back(FlagValue("collectible", type.collectible));
    if (wishes_.id != 0) CAIRN_TRY(AddFields(index, row));
    rows_.push_back(std::move(row));
    return {};
  }

  Status AddFields(uint32_t type, IdRow& row) {
    auto fields = reader_.ReadFields(type);
    if (!fields) return tl::make_unexpected(std::move(fields).error());
    for (const snapshot::Field& field : *fields)
      row.values.push_back(
          TextValue(fmt::format("field_{}", field.offset), fmt::format("{}: {}", field.name, field.type)));
    return {};
  }

  snapshot::SnapshotReader& reader_;
  const snapshot::Summary& summary_;
  const protocol::IdWishes& wishes_;
  std::vector<IdRow> rows_;
};

}  // namespace

Result<std::vector<IdRow>> SnapshotIds(snapshot::SnapshotReader& reader, const protocol::IdWishes& wishes) {
  return IdLister(reader, wishes).List();
}

}  // namespace cairn::cli
