#include "collector/il/method_finder.h"

#include <algorithm>
#include <string_view>

#include "collector/abi/masks.h"
#include "collector/protocol/method_pattern.h"
#include "collector/protocol/protocol.h"
#include "collector/types/com_text.h"

namespace cairn::collector::il {

namespace {

constexpr const char* kMadeAtRunTime = "It lies in a module that is made while the process runs.";
constexpr const char* kMachinery = "The runtime calls it in places where it bears no call of another.";

// Types of the core library whose methods stand in for the runtime's own code: casts, copies, exception handling.
constexpr std::string_view kMachineryTypes[] = {
    "System.Runtime.EH",
    "System.Runtime.StackFrameIterator",
    "System.Runtime.CompilerServices.CastHelpers",
    "System.Runtime.CompilerServices.GenericsHelpers",
    "System.Runtime.CompilerServices.StaticsHelpers",
    "System.Runtime.CompilerServices.InitHelpers",
    "System.Runtime.CompilerServices.BoxingHelpers",
    "System.Runtime.CompilerServices.VirtualDispatchHelpers",
    "System.Runtime.CompilerServices.ThreadBlockingInfo",
    "System.Runtime.InteropServices.Marshalling",
    "System.StubHelpers",
    "System.SpanHelpers",
    "System.Buffer",
};

bool IsMachinery(std::string_view type) {
  return std::ranges::any_of(kMachineryTypes, [&](std::string_view one) {
    if (!type.starts_with(one)) return false;
    return type.size() == one.size() || type[one.size()] == '.' || type[one.size()] == '+';
  });
}

// "Cache`2" → "Cache".
std::string WithoutArity(std::string name) {
  const size_t mark = name.rfind('`');
  const bool arity = mark != name.npos && name.find_first_not_of("0123456789", mark + 1) == name.npos;
  if (arity) name.resize(mark);
  return name;
}

}  // namespace

std::vector<FoundMethod> MethodFinder::Find(const std::vector<std::string>& patterns, size_t most) {
  patterns_ = &patterns;
  most_ = most;
  matched_ = 0;
  found_.clear();
  for (const ModuleId module : metadata_.Modules()) FindInModule(module);
  return std::move(found_);
}

std::vector<FoundMethod> MethodFinder::FindIn(abi::ModuleID module, const std::vector<std::string>& patterns,
                                              size_t most) {
  patterns_ = &patterns;
  most_ = most;
  found_.clear();
  FindInModule(module);
  return std::move(found_);
}

uint32_t MethodFinder::FlagsOf(ModuleId module) {
  uint32_t flags = abi::kModuleCollectible;  // of one that is not known any more
  std::string path;
  ReadText(&path, [&](abi::WChar* text, uint32_t capacity, uint32_t* length) {
    const uint8_t* base = nullptr;
    abi::AssemblyID assembly = 0;
    return info_->GetModuleInfo2(module, &base, capacity, length, text, &assembly, &flags);
  });
  return flags;
}

// What can be unloaded is asked nothing but that: the runtime ignores what is rewritten there, and it may go.
void MethodFinder::FindInModule(ModuleId module) {
  const uint32_t flags = FlagsOf(module);
  if ((flags & abi::kModuleCollectible) != 0) {
    saw_collectible_ = true;
    return;
  }
  const uint32_t index = modules_.Intern(module);
  if (index == protocol::kNoId) return;
  module_ = module;
  module_name_ = modules_.Modules()[index].name;
  is_core_ = metadata_.AssemblyName(module) == "System.Private.CoreLib";
  if (is_core_) core_library_ = module;
  why_not_module_ = (flags & abi::kModuleDynamic) != 0 ? kMadeAtRunTime : nullptr;
  for (const Token type : metadata_.TypeDefs(module)) FindInType(type);
}

void MethodFinder::FindInType(Token type) {
  const std::string type_name = NameOfType(type);
  if (!MayBeWanted(type_name)) return;
  ModuleSignatures signatures;
  bool open = false;
  for (const Token token : metadata_.Methods(module_, type)) {
    MethodRow method;
    if (!metadata_.Method(module_, token, &method)) continue;
    std::string name = type_name + "." + method.name;
    if (!IsWanted(name)) continue;
    open = open || signatures.Open(*info_, module_);
    if (!open || !signatures.HasBody(token)) continue;
    if (matched_++ >= most_) continue;
    const char* why_not = is_core_ && IsMachinery(type_name) ? kMachinery : why_not_module_;
    found_.push_back({module_, token, std::move(name), module_name_, why_not});
  }
}

std::string MethodFinder::NameOfType(Token type) {
  constexpr int kDeepest = 32;
  std::string name;
  for (int depth = 0; type != 0 && depth < kDeepest; ++depth) {
    TypeDefRow row;
    if (!metadata_.TypeDef(module_, type, &row)) break;
    name = WithoutArity(std::move(row.name)) + (name.empty() ? "" : "+" + name);
    type = row.enclosing;
  }
  return name;
}

bool MethodFinder::IsWanted(const std::string& name) const {
  return std::ranges::any_of(*patterns_,
                             [&](const std::string& one) { return protocol::MatchesMethodPattern(one, name); });
}

// Does what a pattern says before its first * or ? agree with the names of the type's methods, as far as both go?
bool MethodFinder::MayBeWanted(const std::string& type) const {
  const std::string start = type + ".";
  return std::ranges::any_of(*patterns_, [&](const std::string& one) {
    const size_t length = std::min(start.size(), std::min(one.find_first_of("*?"), one.size()));
    return start.compare(0, length, one, 0, length) == 0;
  });
}

}  // namespace cairn::collector::il
