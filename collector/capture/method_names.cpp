#include "collector/capture/method_names.h"

#include <string>
#include <unordered_set>

#include "collector/runtime/contract_descriptor.h"
#include "collector/runtime/method_stubs.h"

namespace cairn::collector {

namespace {

constexpr unsigned kMostJumps = 3;

// By the code that runs, or where there is none yet by the stub: that is trusted only where it names a type that was
// found in a table of the runtime's before, one that cannot go.
FunctionId FunctionBehind(FunctionSource& functions, const MethodStubs& stubs, const ShapeTable& known,
                          uint64_t address) {
  FunctionId id = functions.FunctionAt(address);
  for (unsigned i = 0; i < kMostJumps && id == 0 && address != 0; ++i) {
    const MethodStubs::Method method = stubs.Behind(address);
    if (method.function != 0 && known.Find(method.method_table) != nullptr) return method.function;
    address = MethodStubs::Target(address);
    if (address != 0) id = functions.FunctionAt(address);
  }
  return id;
}

}  // namespace

std::vector<protocol::Method> NameMethods(CaptureContext& capture) {
  NamingTools& tools = *capture.naming;
  std::unordered_set<uint64_t> seen;
  uint64_t dropped = 0;
  capture.walk->VisitCode([&](const CodeTable& code) {
    dropped += code.Dropped();
    code.ForEach([&](uint64_t address) { seen.insert(address); });
  });
  const MethodStubs stubs(ReadContractDescriptor().text);
  std::vector<protocol::Method> methods;
  for (const uint64_t address : seen) {
    const FunctionId id = FunctionBehind(tools.com_roots.Functions(), stubs, capture.contents.shapes, address);
    std::string name = id == 0 ? std::string() : tools.roots.MethodName(id);
    if (!name.empty()) methods.push_back({address, std::move(name)});
  }
  if (dropped != 0)
    tools.problems.Add("contents.methods", "There are more methods behind delegates than fit; some have no name.");
  return methods;
}

}  // namespace cairn::collector
