#include "collector/capture/naming_step.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "collector/capture/batch_sender.h"
#include "collector/capture/method_names.h"
#include "collector/contents/content_salt.h"
#include "collector/contents/shape_rules.h"
#include "collector/protocol/messages.h"

namespace cairn::collector {

namespace {

using protocol::FrameKind;

constexpr const char* kHeapStatsSource = "GCHeapStats";

std::string Hex(uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

protocol::WalkEnd DescribeWalk(const CaptureContext& capture, const TypeRanking& ranking) {
  const WalkReport& report = capture.report;
  const PauseParts pause = capture.tracker.Parts();
  protocol::WalkEnd end;
  end.objects = report.objects;
  end.bytes = report.bytes;
  end.free_objects = report.free_objects;
  end.free_bytes = report.free_bytes;
  end.edges = report.edges;
  end.chunks = report.chunks;
  end.types = static_cast<uint32_t>(ranking.Order().size());
  end.condemned = capture.tracker.Condemned();
  end.blocking = true;
  end.through_api = capture.through_api;
  end.threads = capture.walk->Threads();
  end.forked = capture.walk->IsForked();
  end.pause_total_ms = pause.total_ms;
  end.pause_suspend_ms = pause.suspend_ms;
  end.pause_gc_ms = pause.gc_ms;
  end.pause_roots_ms = pause.roots_ms;
  if (end.forked) end.pause_fork_ms = capture.fork_walk->ForkMs();
  end.pause_walk_ms = pause.walk_ms - end.pause_fork_ms;
  end.checked_objects = capture.check.objects;
  end.reconciled_bytes = capture.gc_heap_bytes;
  if (end.reconciled_bytes != 0) end.reconciled_source = kHeapStatsSource;
  end.gc_committed_bytes = capture.gc_committed_bytes;
  if (capture.contents.hashes) end.salt_id = ContentSaltId();
  return end;
}

protocol::Range DescribeRange(const HeapRange& range) {
  return {range.start, range.length,       range.reserved,   range.generation,   range.alignment, range.objects,
          range.bytes, range.free_objects, range.free_bytes, range.largest_free, range.edges,     range.walked};
}

protocol::Type DescribeType(const WalkedType& walked, uint32_t id) {
  protocol::Type type;
  type.id = id;
  type.method_table = walked.method_table;
  type.explicit_slots = walked.explicit_slots;
  // Through the API the size travels as the length of each object: see stream::TypeLayout.
  type.base_size = walked.explicit_slots ? 0 : walked.base_size;
  type.component_size = walked.explicit_slots ? 1 : walked.component_size;
  type.fixed_slots.assign(walked.slots, walked.slots + walked.fixed_slot_count);
  if (walked.fixed_slot_count == 0) {
    type.element_slots.assign(walked.slots, walked.slots + walked.element_slot_count);
  }
  type.value_slots.assign(walked.value_slots, walked.value_slots + walked.value_slot_count);
  type.has_hash = walked.has_hash;
  type.has_text = walked.has_text;
  type.elements_offset = walked.elements_offset;
  type.loader_allocator = walked.loader_allocator;
  type.objects = walked.objects;
  type.bytes = walked.bytes;
  return type;
}

bool SendRanges(CaptureContext& capture) {
  BatchSender<protocol::Range> sender(capture.channel, FrameKind::kRanges);
  for (const HeapRange& range : capture.bounds.Ranges()) sender.Add(DescribeRange(range));
  return sender.Flush();
}

bool SendTypes(CaptureContext& capture, const TypeRanking& ranking) {
  BatchSender<protocol::Type> sender(capture.channel, FrameKind::kTypes);
  const std::span<const WalkedType> types = capture.walk->Types();
  for (uint32_t rank = 0; rank < ranking.Order().size(); ++rank) {
    sender.Add(DescribeType(types[ranking.Order()[rank]], rank));
  }
  return sender.Flush();
}

template <class Record>
bool SendList(CaptureContext& capture, FrameKind kind, const std::vector<Record>& records) {
  BatchSender<Record> sender(capture.channel, kind);
  sender.AddAll(records);
  return sender.Flush();
}

// ---- problems ----

void AddWalkProblems(const WalkReport& report, std::vector<protocol::Problem>& problems) {
  const uint64_t kept =
      report.problem_count < WalkReport::kMaxProblems ? report.problem_count : WalkReport::kMaxProblems;
  for (uint64_t i = 0; i < kept; ++i) {
    const WalkProblem& problem = report.problems[i];
    problems.push_back({FaultCode(problem.fault),
                        std::string(FaultSentence(problem.fault)) + " (range " + std::to_string(problem.range) +
                            ", object " + Hex(problem.address) + ", found " + Hex(problem.value) + ")",
                        true});
  }
  if (report.problem_count > kept) {
    problems.push_back({"walk.more_problems",
                        std::to_string(report.problem_count - kept) + " more problems of the walk were left out.",
                        true});
  }
}

void AddCheckProblem(const CheckReport& check, std::vector<protocol::Problem>& problems) {
  if (check.differences == 0) return;
  problems.push_back({"walk.self_check",
                      std::string("Reading objects directly disagreed with the runtime about the ") + check.first_what +
                          " of the object at " + Hex(check.first_object) + " (" + std::to_string(check.differences) +
                          " differences in " + std::to_string(check.objects) +
                          " objects); the whole heap was read through the profiling API instead.",
                      false});
}

void AddRootProblems(const RootRecorder& roots, std::vector<protocol::Problem>& problems) {
  if (roots.DroppedRoots() != 0) {
    problems.push_back({"roots.dropped",
                        std::to_string(roots.DroppedRoots()) +
                            " roots did not fit and are missing, so objects that only "
                            "they hold look unreachable.",
                        true});
  }
  if (roots.DroppedDependents() != 0) {
    problems.push_back({"dependents.dropped",
                        std::to_string(roots.DroppedDependents()) + " dependent handles did not fit and are missing.",
                        true});
  }
}

bool SendProblems(CaptureContext& capture) {
  std::vector<protocol::Problem> problems = capture.naming->problems.Problems();
  AddWalkProblems(capture.report, problems);
  AddCheckProblem(capture.check, problems);
  AddRootProblems(capture.roots, problems);
  for (const protocol::Problem& problem : problems) {
    if (!capture.channel.Send(FrameKind::kProblem, problem)) return false;
  }
  return true;
}

// ---- names ----

uint64_t ClassOf(const WalkedType& type) { return type.class_id != 0 ? type.class_id : type.method_table; }

struct Names {
  std::vector<protocol::TypeName> types;
  std::vector<protocol::Root> roots;
  std::vector<protocol::Dependent> dependents;
  std::vector<protocol::Thread> threads;
  std::vector<protocol::Static> statics;
  std::vector<protocol::Method> methods;
};

bool KeepsOnlyFields(const WalkedType& type, const std::vector<protocol::Field>& fields) {
  for (uint32_t i = 0; i < type.value_slot_count; ++i) {
    const uint32_t offset = stream::UnpackedValueSlot(type.value_slots[i]).offset;
    const auto is_there = [offset](const protocol::Field& f) { return f.offset == offset; };
    if (std::ranges::none_of(fields, is_there)) return false;
  }
  return true;
}

// Disposed flags and states, which are what they are in any module.
bool TellsShape(const std::vector<protocol::Field>& fields) {
  return std::ranges::any_of(fields, [](const protocol::Field& field) {
    const size_t dot = field.name.rfind('.');
    const std::string_view last = std::string_view(field.name).substr(dot == std::string::npos ? 0 : dot + 1);
    return RuleFor(last, field.element_type, false).wanted;
  });
}

protocol::TypeName Unnameable(const WalkedType& type, uint32_t id) {
  protocol::TypeName name;
  name.id = id;
  name.name = "(unknown " + Hex(type.method_table) + ")";
  name.kind = stream::TypeKind::kUnknown;
  name.collectible = type.collectible;
  return name;
}

void NoteOutOfMemory(ProblemList& problems, bool complete, const char* what) {
  if (!complete) problems.Add("names.memory", std::string("There was no memory to name all ") + what + ".", true);
}

// The walk is whole nevertheless: sizes and references of such types were read in the pause, or by a child that nothing
// changes behind.
void NoteNotKept(ProblemList& problems, const std::vector<protocol::TypeName>& unnameable) {
  if (unnameable.empty()) return;
  problems.Add("types.not_kept", std::to_string(unnameable.size()) +
                                     " types have no names, since their load contexts could not be kept (they were "
                                     "being unloaded, or the runtime is older than .NET 7): " +
                                     unnameable.front().name + (unnameable.size() > 1 ? " and others." : "."));
}

// A type whose load context could not be kept alive is not asked about: the runtime would crash.
void NameTypes(CaptureContext& capture, const TypeRanking& ranking, Names& names, std::vector<ClassId>& classes) {
  NamingTools& tools = *capture.naming;
  const std::span<const WalkedType> walked = capture.walk->Types();
  std::vector<WalkedTypeRef> nameable;
  std::vector<protocol::TypeName> unnameable;
  for (uint32_t rank = 0; rank < ranking.Order().size(); ++rank) {
    const WalkedType& type = walked[ranking.Order()[rank]];
    if (!capture.contexts.IsSafe(type)) {
      unnameable.push_back(Unnameable(type, rank));
      continue;
    }
    nameable.push_back({rank, ClassOf(type), type.collectible, false});
    classes.push_back(ClassOf(type));
  }
  NoteNotKept(tools.problems, unnameable);
  NoteOutOfMemory(tools.problems, tools.types.NameAll(nameable, &names.types), "types");
  names.types.insert(names.types.end(), unnameable.begin(), unnameable.end());
}

// Now that the fields have names: every value must be a field's, and types that were loaded after the look around are
// counted where they would have kept something.
void CheckShapes(CaptureContext& capture, const TypeRanking& ranking, const Names& names) {
  uint64_t late = 0, wrong = 0;
  const std::span<const WalkedType> walked = capture.walk->Types();
  for (const protocol::TypeName& name : names.types) {
    const WalkedType& type = walked[ranking.Order()[name.id]];
    const bool is_plain = name.kind == stream::TypeKind::kClass || name.kind == stream::TypeKind::kBoxedStruct;
    if (!is_plain || type.collectible || type.explicit_slots || capture.contents.values) continue;
    wrong += !KeepsOnlyFields(type, name.fields);
    const bool is_late =
        capture.contents.shapes.Types() != 0 && capture.contents.shapes.Find(type.method_table) == nullptr;
    late += is_late && TellsShape(name.fields);
  }
  ProblemList& problems = capture.naming->problems;
  if (late != 0)
    problems.Add("contents.late_types", "No values are kept of " + std::to_string(late) +
                                            " types that were loaded just before the collection.");
  if (wrong != 0)
    problems.Add("contents.self_check", "The values of " + std::to_string(wrong) + " types are not those of fields.");
}

// What another collection may have moved is not told; nothing moves in the frozen heap.
void KeepWhatLiesStill(const CaptureContext& capture, std::vector<protocol::Static>& statics) {
  if (!capture.tracker.CollectedSinceWalk()) return;
  const auto ranges = capture.bounds.Ranges();
  std::erase_if(statics, [&](const protocol::Static& field) {
    const auto holds = [&](const HeapRange& range) {
      return range.generation == stream::Generation::kFrozen && field.slot_address - range.start < range.length;
    };
    return !field.boxed_type.empty() && std::ranges::none_of(ranges, holds);
  });
}

Names NameEverything(CaptureContext& capture, const TypeRanking& ranking) {
  NamingTools& tools = *capture.naming;
  Names names;
  std::vector<ClassId> classes;
  NameTypes(capture, ranking, names, classes);
  NoteOutOfMemory(tools.problems, tools.roots.NameRoots(capture.roots, &names.roots, &names.dependents), "roots");
  NoteOutOfMemory(tools.problems, tools.roots.NameThreads(&names.threads), "threads");
  NoteOutOfMemory(tools.problems, tools.statics.Find(classes, &names.statics), "static fields");
  KeepWhatLiesStill(capture, names.statics);
  NoteOutOfMemory(tools.problems, tools.statics.AddRecorded(tools.thread_statics, &names.threads, &names.statics),
                  "thread statics");
  NoteOutOfMemory(tools.problems, tools.roots.AddStackCandidates(&names.statics), "addresses on stacks");
  names.methods = NameMethods(capture);
  CheckShapes(capture, ranking, names);
  return names;
}

}  // namespace

bool NameAndSend(CaptureContext& capture, const TypeRanking& ranking) {
  if (!capture.channel.Send(FrameKind::kWalkEnd, DescribeWalk(capture, ranking))) return false;
  if (!SendRanges(capture) || !SendTypes(capture, ranking)) return false;
  const Names names = NameEverything(capture, ranking);
  // Naming roots and statics may meet further modules, so they go out when all names are known.
  return SendList(capture, FrameKind::kModules, capture.naming->modules.Modules()) &&
         SendList(capture, FrameKind::kTypeNames, names.types) && SendList(capture, FrameKind::kRoots, names.roots) &&
         SendList(capture, FrameKind::kDependents, names.dependents) &&
         SendList(capture, FrameKind::kThreads, names.threads) &&
         SendList(capture, FrameKind::kStatics, names.statics) &&
         SendList(capture, FrameKind::kMethods, names.methods) && SendProblems(capture);
}

}  // namespace cairn::collector
