#include "collector/roots/root_namer.h"

#include <exception>
#include <set>
#include <unordered_map>

#include "collector/roots/root_kind.h"
#include "collector/roots/unsafe_names.h"

namespace cairn::collector {
namespace {

constexpr const char* kThreadStatics = "(thread statics)";

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
  ThreadSource& thread_source;
  MetadataSource& metadata;
  TypeNamer& types;
  ProblemList& problems;
  UnsafeNames unsafe;
  ThreadRecorder threads;
  StackScan scan;
  // Reserved before the pause.
  std::vector<StackToScan> stacks;
  std::vector<AddressSpan> heap;
  std::unordered_map<FunctionId, std::string> names;

  std::string Describe(FunctionId id);
  std::string DescribeOrdinary(FunctionId id);
  const std::string& Name(FunctionId id);
  CodeMap LocateCode(std::span<const RecordedRoot> roots);
  protocol::Root Convert(const RecordedRoot& root, uint32_t thread);
  bool IsSlotArrays(const protocol::Root& root) const;
  void ListStacks();
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

// Of the ordinary functions among the roots'; the others may be gone by now. Of none where nobody will ask.
CodeMap RootNamer::State::LocateCode(std::span<const RecordedRoot> roots) {
  if (!threads.NeedsCode()) return CodeMap(functions, {});
  std::set<FunctionId> ordinary, others;
  for (const RecordedRoot& root : roots) {
    if (!HasFunction(root)) continue;
    std::string_view name;
    (unsafe.Find(root.id, &name) == UnsafeNames::State::kOrdinary ? ordinary : others).insert(root.id);
  }
  CodeMap code(functions, std::vector<FunctionId>(ordinary.begin(), ordinary.end()));
  for (const FunctionId id : others) code.AddWithoutCode(id);
  return code;
}

const std::string& RootNamer::State::Name(FunctionId id) {
  const auto known = names.find(id);
  return known != names.end() ? known->second : names[id] = Describe(id);
}

protocol::Root RootNamer::State::Convert(const RecordedRoot& root, uint32_t thread) {
  protocol::Root result;
  if (thread != kUncertainThread) result.thread = thread;
  result.kind = KindOf(root);
  result.object = root.object;
  result.interior = IsInterior(root);
  result.pinning = IsPinning(root);
  if (HasFunction(root)) {
    result.name = Name(root.id);
  } else {
    result.source = root.id;
  }
  if (result.kind == protocol::RootKind::kOther && IsSlotArrays(result)) result.name = kThreadStatics;
  return result;
}

// What a thread keeps its thread statics in: the runtime's own, and each of them is a root by itself.
bool RootNamer::State::IsSlotArrays(const protocol::Root& root) const {
  return root.thread != protocol::kNoId && threads.Threads()[root.thread].thread.slot_arrays == root.object;
}

RootNamer::RootNamer(FunctionSource& functions, ThreadSource& threads, MetadataSource& metadata, TypeNamer& types,
                     ProblemList& problems)
    : state_(new State{functions, threads, metadata, types, problems, {}, {}, {}, {}, {}, {}}) {}
RootNamer::~RootNamer() = default;

bool RootNamer::Prepare() {
  constexpr size_t kHeapRanges = 1u << 15;
  state_->unsafe.Reset();
  state_->heap.clear();
  state_->heap.reserve(kHeapRanges);
  // Where the threads of the pause cannot be listed, those of now are looked at.
  state_->stacks.clear();
  for (uint32_t os_id : state_->thread_source.OsThreadIds()) state_->stacks.push_back({os_id, protocol::kNoId, 0});
  state_->stacks.reserve(ThreadRecorder::kMaxThreads);
  return state_->unsafe.Map() && state_->threads.Prepare(state_->thread_source) && state_->scan.Prepare();
}

void RootNamer::TakeFromPause(std::span<const RecordedRoot> roots) {
  for (const RecordedRoot& root : roots) {
    if (HasFunction(root)) state_->unsafe.Add(state_->functions, root.id);
  }
  state_->threads.Record(roots);
}

const ThreadRecorder& RootNamer::Threads() const { return state_->threads; }

// Stays within what Prepare reserved.
void RootNamer::State::ListStacks() {
  const std::span<const RecordedThread> recorded = threads.Threads();
  if (recorded.empty()) return;
  stacks.clear();
  for (uint32_t i = 0; i < recorded.size(); ++i) {
    stacks.push_back({recorded[i].thread.os_id, i, recorded[i].thread.frame});
  }
}

void RootNamer::AddHeapRange(uint64_t start, uint64_t end) {
  std::vector<AddressSpan>& heap = state_->heap;
  if (heap.size() == heap.capacity()) heap.back().end = end;  // what lies between is looked up in vain
  if (heap.size() < heap.capacity()) heap.push_back({start, end});
}

void RootNamer::ScanStacks() {
  state_->ListStacks();
  state_->scan.Scan(state_->stacks, state_->heap);
}

bool RootNamer::AddStackCandidates(std::vector<protocol::Static>* found) try {
  for (const StackCandidate& candidate : state_->scan.Candidates()) {
    found->push_back({{}, candidate.address, protocol::RootKind::kLocal, candidate.thread});
  }
  if (state_->scan.Dropped() != 0) {
    state_->problems.Add("roots.stack_scan",
                         "The stacks hold more addresses of the heap than fit; some objects that "
                         "only a Span or a ref on a stack holds look unreachable.");
  }
  return true;
} catch (const std::exception&) {
  return false;
}

bool RootNamer::NameRoots(const RootRecorder& recorder, std::vector<protocol::Root>* roots,
                          std::vector<protocol::Dependent>* dependents) try {
  const CodeMap code = state_->LocateCode(recorder.Roots());
  const std::vector<uint32_t> threads = state_->threads.ThreadsOfRoots(recorder.Roots(), code);
  for (size_t i = 0; i < recorder.Roots().size(); ++i) {
    const RecordedRoot& root = recorder.Roots()[i];
    if (root.object != 0) roots->push_back(state_->Convert(root, threads[i]));
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

// Accepted risk: a dynamic or collectible method may go between the two questions, a few microseconds apart, and only
// after its delegate, seen in the pause, was collected and finalized meanwhile.
std::string RootNamer::MethodName(FunctionId id) try {
  char text[512];
  const size_t size = state_->functions.UnsafeName(id, text, sizeof text);
  return size != 0 ? std::string(text, size) : state_->DescribeOrdinary(id);
} catch (const std::exception&) {
  return {};
}

bool RootNamer::NameThreads(std::vector<protocol::Thread>* threads) try {
  for (const RecordedThread& recorded : state_->threads.Threads()) {
    threads->push_back(DescribeThread(recorded.thread.os_id, recorded.thread.managed_id));
  }
  if (threads->empty()) *threads = ReadThreads(state_->thread_source);
  return true;
} catch (const std::exception&) {
  return false;
}

}  // namespace cairn::collector
