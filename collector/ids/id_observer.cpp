#include "collector/ids/id_observer.h"

#include <algorithm>
#include <cstdio>

#include "collector/abi/metadata.h"
#include "collector/abi/metadata_constants.h"
#include "collector/roots/thread_name.h"
#include "collector/types/com_text.h"
#include "collector/types/file_name.h"
#include "collector/types/type_binder.h"

namespace cairn::collector {

namespace {

using protocol::AddressValue;
using protocol::FlagValue;
using protocol::IdKind;
using protocol::IdRow;
using protocol::NumberValue;
using protocol::TextValue;

// {8C3A1E52-6B0D-4F57-9E4B-C41A12DD5A01} without the brackets, in lower case.
std::string GuidText(const abi::GUID& guid) {
  char text[40];
  std::snprintf(text, sizeof text, "%08x-%04x-%04x-%02x%02x-%02x%02x%02x%02x%02x%02x", guid.data1, guid.data2,
                guid.data3, guid.data4[0], guid.data4[1], guid.data4[2], guid.data4[3], guid.data4[4], guid.data4[5],
                guid.data4[6], guid.data4[7]);
  return text;
}

std::string Mvid(abi::ICorProfilerInfo10& info, uint64_t module) {
  abi::ComPtr<abi::IUnknown> unknown;
  if (info.GetModuleMetaData(module, abi::kOpenRead, abi::IMetaDataImport2::kIid, unknown.Out()) != abi::kOk) return {};
  const auto types = abi::ComPtr<abi::IMetaDataImport2>::From(unknown.Get());
  abi::WChar name[2];
  uint32_t length = 0;
  abi::GUID mvid{};
  if (!types || abi::Failed(types->GetScopeProps(name, 2, &length, &mvid))) return {};
  return GuidText(mvid);
}

}  // namespace

struct IdObserver::Tools : LiveTypes {
  explicit Tools(abi::ICorProfilerInfo10* info) : LiveTypes(info), roots(info) {}
  ComRoots roots;
};

IdObserver::IdObserver() = default;
IdObserver::~IdObserver() = default;

const Refusal* IdObserver::Start(const ObserverContext& context, std::span<const uint8_t> wishes) {
  stream::RecordReader reader(wishes);
  reader(wishes_);
  if (!reader.Complete() || wishes_.kinds == 0 || wishes_.kinds >> protocol::kIdKinds != 0) return &kInternal;
  info_ = context.runtime.info.Get();
  return nullptr;
}

bool IdObserver::Drain(ObservationSink& sink) {
  if (done_) return true;
  done_ = true;
  std::vector<ModuleId> modules;
  Ask([&] {
    NoteThreads();
    modules = tools_->runtime.Metadata().Modules();
  });
  return Send(sink) && std::ranges::all_of(modules, [&](ModuleId module) { return TellModule(module, sink); });
}

void IdObserver::Ask(const std::function<void()>& questions) {
  const UnloadGate::Hold hold(gate_);
  if (const uint64_t unloads = unloads_; tools_ == nullptr || unloads != known_unloads_) {
    tools_ = std::make_unique<Tools>(info_);
    known_unloads_ = unloads;
  }
  questions();
}

bool IdObserver::Send(ObservationSink& sink) {
  const bool sent = std::ranges::all_of(rows_, [&](const IdRow& row) { return sink.Send(row); });
  rows_.clear();
  return sent;
}

bool IdObserver::Wants(IdKind kind, uint64_t id) const {
  return (wishes_.kinds >> static_cast<uint32_t>(kind) & 1) != 0 && (wishes_.id == 0 || wishes_.id == id);
}

void IdObserver::Note(IdRow row) {
  if (Wants(row.kind, row.id)) rows_.push_back(std::move(row));
}

// Any thread of the runtime knows its one AppDomain.
void IdObserver::NoteThreads() {
  abi::ComPtr<abi::ICorProfilerThreadEnum> threads;
  if (abi::Failed(info_->EnumThreads(threads.Out())) || !threads) return;
  abi::ThreadID thread = 0;
  for (uint32_t fetched = 0; abi::Succeeded(threads->Next(1, &thread, &fetched)) && fetched == 1;) {
    uint32_t os_id = 0;
    abi::AppDomainID domain = 0;
    if (abi::Failed(info_->GetThreadInfo(thread, &os_id))) os_id = 0;
    const std::string name = os_id == 0 ? std::string() : ThreadName(os_id);
    Note({IdKind::kThread, thread, name, {}, {NumberValue("os_thread", os_id)}});
    if (abi::Failed(info_->GetThreadAppDomain(thread, &domain)) || !told_.insert(domain).second) continue;
    IdRow row{IdKind::kDomain, domain, {}, {}, {}};
    abi::ProcessID process = 0;
    ReadText(&row.name, [&](abi::WChar* text, uint32_t capacity, uint32_t* length) {
      return info_->GetAppDomainInfo(domain, capacity, length, text, &process);
    });
    Note(std::move(row));
  }
}

// It may have gone while the client was sent to.
bool IdObserver::TellModule(uint64_t module, ObservationSink& sink) {
  std::string file;
  bool stays = false;
  Ask([&] {
    const std::vector<ModuleId> there = tools_->runtime.Metadata().Modules();
    if (std::ranges::find(there, module) != there.end()) stays = NoteModule(module, file);
  });
  return Send(sink) && (!stays || TellMethods(module, file, sink));
}

// False: one that can go.
bool IdObserver::NoteModule(uint64_t module, std::string& file) {
  ModuleRow known;
  if (!tools_->runtime.Metadata().Module(module, &known)) return false;
  const bool collectible = (known.flags & abi::kModuleCollectible) != 0;
  file = known.path.empty() ? known.scope : FileNameOf(known.path);
  IdRow row{IdKind::kModule, module, file, known.path, {}};
  row.values = {AddressValue("assembly", known.assembly), TextValue("mvid", collectible ? "" : Mvid(*info_, module)),
                FlagValue("collectible", collectible), FlagValue("dynamic", (known.flags & abi::kModuleDynamic) != 0)};
  Note(std::move(row));
  if (!collectible) NoteAssembly(module, known.assembly);
  return !collectible;
}

void IdObserver::NoteAssembly(uint64_t module, uint64_t assembly) {
  if (!told_.insert(assembly).second) return;
  IdRow row{IdKind::kAssembly, assembly, {}, {}, {}};
  abi::AppDomainID domain = 0;
  abi::ModuleID manifest = 0;
  ReadText(&row.name, [&](abi::WChar* text, uint32_t capacity, uint32_t* length) {
    return info_->GetAssemblyInfo(assembly, capacity, length, text, &domain, &manifest);
  });
  row.values = {AddressValue("domain", domain), AddressValue("module", module)};
  Note(std::move(row));
}

bool IdObserver::TellMethods(uint64_t module, const std::string& file, ObservationSink& sink) {
  const uint32_t wanted = 1u << static_cast<uint32_t>(IdKind::kFunction) | 1u << static_cast<uint32_t>(IdKind::kClass);
  if ((wishes_.kinds & wanted) == 0) return true;
  std::vector<Token> types;
  Ask([&] { types = tools_->runtime.Metadata().TypeDefs(module); });
  return std::ranges::all_of(types, [&](Token type) {
    Ask([&] { NoteMethods(module, type, file); });
    return Send(sink);
  });
}

// Those that have code: by their tokens, so that none is met that may go.
void IdObserver::NoteMethods(uint64_t module, Token type, const std::string& file) {
  MetadataSource& metadata = tools_->runtime.Metadata();
  for (const Token method : metadata.Methods(module, type)) {
    abi::FunctionID function = 0;
    FunctionRow row;
    MethodRow named;
    if (info_->GetFunctionFromToken(module, method, &function) != abi::kOk || function == 0) continue;
    if (!tools_->roots.Functions().Function(function, &row) || !metadata.Method(module, method, &named)) continue;
    NoteFunction(function, row, named.name, file);
    if (row.class_id != 0) NoteClass(row.class_id, file);
  }
}

void IdObserver::NoteFunction(uint64_t function, const FunctionRow& row, const std::string& method,
                              const std::string& file) {
  if (!Wants(IdKind::kFunction, function)) return;
  const std::vector<CodeRange> code = tools_->roots.Functions().Code(function);
  if (code.empty()) return;
  IdRow told{IdKind::kFunction, function, {}, file, {}};
  told.name = (row.class_id != 0 ? tools_->types.ClassName(row.class_id) : std::string("(unknown)")) + "." + method;
  const uint8_t* body = nullptr;
  uint32_t il_bytes = 0;
  if (abi::Failed(info_->GetILFunctionBody(row.module, row.method, &body, &il_bytes))) il_bytes = 0;
  told.values = {AddressValue("class", row.class_id), AddressValue("module", row.module),
                 AddressValue("token", row.method), NumberValue("il_bytes", il_bytes)};
  for (size_t i = 0; i < code.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    told.values.push_back(AddressValue("code_" + number, code[i].begin));
    told.values.push_back(NumberValue("code_" + number + "_bytes", code[i].size));
  }
  Note(std::move(told));
}

void IdObserver::NoteClass(uint64_t id, const std::string& file) {
  if (!Wants(IdKind::kClass, id) || !told_.insert(id).second) return;
  ClassRow known;
  ClassLayout layout;
  ClassSource& classes = tools_->runtime.Classes();
  if (!classes.Class(id, &known)) return;
  IdRow row{IdKind::kClass, id, tools_->types.ClassName(id), file, {}};
  row.values = {AddressValue("module", known.module), AddressValue("token", known.token)};
  if (known.parent != 0) row.values.push_back(TextValue("base", tools_->types.ClassName(known.parent)));
  if (classes.Layout(id, &layout)) {
    row.values.push_back(NumberValue("bytes", layout.size));
    row.values.push_back(NumberValue("fields", layout.fields.size()));
    if (wishes_.id != 0) NoteFields(id, layout, row);
  }
  Note(std::move(row));
}

// Those that the class adds to its base's.
void IdObserver::NoteFields(uint64_t id, const ClassLayout& layout, IdRow& row) {
  TypeBinder& binder = tools_->types.Binder();
  const BoundType& owner = *binder.FromClass(id);
  for (const FieldOffset& at : layout.fields) {
    const BoundField& field = binder.Field(owner.module, at.field);
    const std::string type = field.readable ? binder.FromSignature(owner.module, field.type, owner)->name : "(unknown)";
    row.values.push_back(TextValue("field_" + std::to_string(at.offset), field.name + ": " + type));
  }
}

}  // namespace cairn::collector
