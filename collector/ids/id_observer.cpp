#include "collector/ids/id_observer.h"

#include "collector/abi/metadata.h"
#include "collector/abi/metadata_constants.h"
#include "collector/roots/thread_name.h"
#include "collector/types/com_text.h"

namespace cairn::collector {

namespace {

using protocol::EventValue;
using protocol::EventValueKind;
using protocol::IdKind;
using protocol::IdRow;

std::string FileNameOf(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

EventValue Number(const char* key, uint64_t number) { return {key, EventValueKind::kNumber, number, 0, {}}; }
EventValue Address(std::string key, uint64_t address) {
  return {std::move(key), EventValueKind::kAddress, address, 0, {}};
}
EventValue Text(const char* key, std::string text) { return {key, EventValueKind::kText, 0, 0, std::move(text)}; }
EventValue Flag(const char* key, bool flag) { return {key, EventValueKind::kFlag, flag, 0, {}}; }

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

struct IdObserver::Tools {
  explicit Tools(abi::ICorProfilerInfo10* info)
      : roots(info),
        runtime(info),
        modules(runtime.Metadata()),
        types(runtime.Metadata(), runtime.Classes(), modules, problems) {}
  ComRoots roots;
  ComRuntime runtime;
  ModuleTable modules;
  ProblemList problems;
  TypeNamer types;
};

IdObserver::IdObserver() = default;
IdObserver::~IdObserver() = default;

const Refusal* IdObserver::Start(const ObserverContext& context, std::span<const uint8_t> wishes) {
  stream::RecordReader reader(wishes);
  reader(wishes_);
  if (!reader.Complete() || wishes_.kinds == 0 || wishes_.kinds >> protocol::kIdKinds != 0) return &kInternal;
  info_ = context.runtime.info.Get();
  tools_ = std::make_unique<Tools>(info_);
  return nullptr;
}

bool IdObserver::Drain(ObservationSink& sink) {
  if (done_) return true;
  done_ = true;
  const UnloadGate::Hold hold(gate_);
  return TellThreads(sink) && TellModules(sink);
}

bool IdObserver::Wants(IdKind kind, uint64_t id) const {
  return (wishes_.kinds >> static_cast<uint32_t>(kind) & 1) != 0 && (wishes_.id == 0 || wishes_.id == id);
}

bool IdObserver::Tell(ObservationSink& sink, IdRow row) { return !Wants(row.kind, row.id) || sink.Send(row); }

// Any thread of the runtime knows its one AppDomain.
bool IdObserver::TellThreads(ObservationSink& sink) {
  abi::ComPtr<abi::ICorProfilerThreadEnum> threads;
  if (abi::Failed(info_->EnumThreads(threads.Out())) || !threads) return true;
  abi::ThreadID thread = 0;
  for (uint32_t fetched = 0; abi::Succeeded(threads->Next(1, &thread, &fetched)) && fetched == 1;) {
    uint32_t os_id = 0;
    abi::AppDomainID domain = 0;
    if (abi::Failed(info_->GetThreadInfo(thread, &os_id))) os_id = 0;
    const std::string name = os_id == 0 ? std::string() : ThreadName(os_id);
    if (!Tell(sink, {IdKind::kThread, thread, name, {}, {Number("os_thread", os_id)}})) return false;
    if (abi::Failed(info_->GetThreadAppDomain(thread, &domain)) || !told_.insert(domain).second) continue;
    IdRow row{IdKind::kDomain, domain, {}, {}, {}};
    abi::ProcessID process = 0;
    ReadText(&row.name, [&](abi::WChar* text, uint32_t capacity, uint32_t* length) {
      return info_->GetAppDomainInfo(domain, capacity, length, text, &process);
    });
    if (!Tell(sink, std::move(row))) return false;
  }
  return true;
}

bool IdObserver::TellModules(ObservationSink& sink) {
  for (const ModuleId module : tools_->runtime.Metadata().Modules()) {
    ModuleRow known;
    if (!tools_->runtime.Metadata().Module(module, &known)) continue;
    const bool collectible = (known.flags & abi::kModuleCollectible) != 0;
    const std::string file = known.path.empty() ? known.scope : FileNameOf(known.path);
    IdRow row{IdKind::kModule, module, file, known.path, {}};
    row.values = {Address("assembly", known.assembly), Text("mvid", collectible ? "" : Mvid(*info_, module)),
                  Flag("collectible", collectible), Flag("dynamic", (known.flags & abi::kModuleDynamic) != 0)};
    if (!Tell(sink, std::move(row))) return false;
    if (collectible) continue;
    if (!TellAssembly(module, known.assembly, sink) || !TellMethods(module, file, sink)) return false;
  }
  return true;
}

bool IdObserver::TellAssembly(uint64_t module, uint64_t assembly, ObservationSink& sink) {
  if (!told_.insert(assembly).second) return true;
  IdRow row{IdKind::kAssembly, assembly, {}, {}, {}};
  abi::AppDomainID domain = 0;
  abi::ModuleID manifest = 0;
  ReadText(&row.name, [&](abi::WChar* text, uint32_t capacity, uint32_t* length) {
    return info_->GetAssemblyInfo(assembly, capacity, length, text, &domain, &manifest);
  });
  row.values = {Address("domain", domain), Address("module", module)};
  return Tell(sink, std::move(row));
}

// Those that have code: by their tokens, so that none is met that may go.
bool IdObserver::TellMethods(uint64_t module, const std::string& file, ObservationSink& sink) {
  const uint32_t wanted = 1u << static_cast<uint32_t>(IdKind::kFunction) | 1u << static_cast<uint32_t>(IdKind::kClass);
  if ((wishes_.kinds & wanted) == 0) return true;
  MetadataSource& metadata = tools_->runtime.Metadata();
  for (const Token type : metadata.TypeDefs(module)) {
    for (const Token method : metadata.Methods(module, type)) {
      abi::FunctionID function = 0;
      FunctionRow row;
      MethodRow named;
      if (info_->GetFunctionFromToken(module, method, &function) != abi::kOk || function == 0) continue;
      if (!tools_->roots.Functions().Function(function, &row) || !metadata.Method(module, method, &named)) continue;
      if (!TellFunction(function, row, named.name, file, sink)) return false;
      if (row.class_id != 0 && !TellClass(row.class_id, file, sink)) return false;
    }
  }
  return true;
}

bool IdObserver::TellFunction(uint64_t function, const FunctionRow& row, const std::string& method,
                              const std::string& file, ObservationSink& sink) {
  if (!Wants(IdKind::kFunction, function)) return true;
  const std::vector<CodeRange> code = tools_->roots.Functions().Code(function);
  if (code.empty()) return true;
  IdRow told{IdKind::kFunction, function, {}, file, {}};
  told.name = (row.class_id != 0 ? tools_->types.ClassName(row.class_id) : std::string("(unknown)")) + "." + method;
  const uint8_t* body = nullptr;
  uint32_t il_bytes = 0;
  if (abi::Failed(info_->GetILFunctionBody(row.module, row.method, &body, &il_bytes))) il_bytes = 0;
  told.values = {Address("class", row.class_id), Address("module", row.module), Address("token", row.method),
                 Number("il_bytes", il_bytes)};
  for (size_t i = 0; i < code.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    told.values.push_back(Address("code_" + number, code[i].begin));
    told.values.push_back({"code_" + number + "_bytes", EventValueKind::kNumber, code[i].size, 0, {}});
  }
  return sink.Send(told);
}

bool IdObserver::TellClass(uint64_t id, const std::string& file, ObservationSink& sink) {
  if (!Wants(IdKind::kClass, id) || !told_.insert(id).second) return true;
  ClassRow known;
  ClassLayout layout;
  ClassSource& classes = tools_->runtime.Classes();
  if (!classes.Class(id, &known)) return true;
  IdRow row{IdKind::kClass, id, tools_->types.ClassName(id), file, {}};
  row.values = {Address("module", known.module), Address("token", known.token)};
  if (known.parent != 0) row.values.push_back(Text("base", tools_->types.ClassName(known.parent)));
  if (classes.Layout(id, &layout)) {
    row.values.push_back(Number("bytes", layout.size));
    row.values.push_back(Number("fields", layout.fields.size()));
  }
  return sink.Send(row);
}

}  // namespace cairn::collector
