#include "collector/roots/root_namer.h"

#include <exception>
#include <unordered_map>

#include "collector/roots/root_kind.h"
#include "collector/roots/unsafe_names.h"

namespace cairn::collector {
namespace {

std::string WithArguments(const std::string& method, const std::vector<ClassId>& arguments, TypeNamer& types) {
  if (arguments.empty()) return method;
  std::string name = method + "<";
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (i > 0) name += ", ";
    name += types.ClassName(arguments[i]);
  }
  return name + ">";
}

}  // namespace

struct RootNamer::State {
  FunctionSource& functions;
  MetadataSource& metadata;
  TypeNamer& types;
  ProblemList& problems;
  UnsafeNames unsafe;
  std::unordered_map<FunctionId, std::string> names;

  std::string Describe(FunctionId id);
  std::string DescribeOrdinary(FunctionId id);
  const std::string& Name(FunctionId id);
  protocol::Root Convert(const RecordedRoot& root);
};

// A function that nobody looked at in the pause is left alone: it may be gone, and asking would crash the target.
std::string RootNamer::State::Describe(FunctionId id) {
  std::string_view name;
  switch (unsafe.Find(id, &name)) {
    case UnsafeNames::State::kNamed:
      return std::string(name);
    case UnsafeNames::State::kOrdinary:
      return DescribeOrdinary(id);
    default:
      problems.Add("roots.unnamed_function", "A stack root's method was not looked up in the pause and has no name.");
      return {};
  }
}

std::string RootNamer::State::DescribeOrdinary(FunctionId id) {
  FunctionRow function;
  MethodRow method;
  if (!functions.Function(id, &function) || !metadata.Method(function.module, function.method, &method)) {
    problems.Add("roots.unknown_function", "The runtime does not say what the method of a stack root is.");
    return {};
  }
  const std::string type =
      function.class_id != 0 ? types.ClassName(function.class_id) : types.DefinitionName(function.module, method.owner);
  return type + "." + WithArguments(method.name, function.arguments, types);
}

const std::string& RootNamer::State::Name(FunctionId id) {
  const auto known = names.find(id);
  return known != names.end() ? known->second : names[id] = Describe(id);
}

protocol::Root RootNamer::State::Convert(const RecordedRoot& root) {
  protocol::Root result;
  result.kind = KindOf(root);
  result.object = root.object;
  result.interior = IsInterior(root);
  result.pinning = IsPinning(root);
  if (HasFunction(root)) {
    result.name = Name(root.id);
  } else {
    result.source = root.id;
  }
  return result;
}

RootNamer::RootNamer(FunctionSource& functions, MetadataSource& metadata, TypeNamer& types, ProblemList& problems)
    : state_(new State{functions, metadata, types, problems, {}, {}}) {}
RootNamer::~RootNamer() = default;

bool RootNamer::Prepare() {
  state_->unsafe.Reset();
  return state_->unsafe.Map();
}

void RootNamer::NameUnsafeFunctions(std::span<const RecordedRoot> roots) {
  for (const RecordedRoot& root : roots) {
    if (HasFunction(root)) state_->unsafe.Add(state_->functions, root.id);
  }
}

bool RootNamer::NameRoots(const RootRecorder& recorder, std::vector<protocol::Root>* roots,
                          std::vector<protocol::Dependent>* dependents) try {
  for (const RecordedRoot& root : recorder.Roots()) {
    if (root.object != 0) roots->push_back(state_->Convert(root));
  }
  for (const RecordedDependent& dependent : recorder.Dependents()) {
    if (dependent.primary != 0 && dependent.secondary != 0) {
      dependents->push_back({dependent.primary, dependent.secondary});
    }
  }
  return true;
} catch (const std::exception&) {
  return false;
}

}  // namespace cairn::collector
