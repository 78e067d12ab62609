#pragma once
// Turns recorded roots into protocol records with kinds and method names:
// "Shop.Program.Main", "Shop.Cache<System.String>.Get<System.Int32>".
//
//   RootNamer namer(functions, threads, metadata, types, problems);
//   namer.Prepare();                                   // before the pause
//   namer.TakeFromPause(recorder.Roots());              // in the pause, after the last RootReferences2
//   namer.NameRoots(recorder, &roots, &dependents);     // after resume
//   namer.NameThreads(&threads);

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "collector/protocol/messages.h"
#include "collector/roots/function_source.h"
#include "collector/roots/root_recorder.h"
#include "collector/roots/stack_scan.h"
#include "collector/roots/thread_recorder.h"
#include "collector/types/problem_list.h"
#include "collector/types/runtime_source.h"
#include "collector/types/type_namer.h"

namespace cairn::collector {

class RootNamer {
 public:
  RootNamer(FunctionSource& functions, ThreadSource& threads, MetadataSource& metadata, TypeNamer& types,
            ProblemList& problems);
  ~RootNamer();
  RootNamer(const RootNamer&) = delete;
  RootNamer& operator=(const RootNamer&) = delete;

  // Reserves what the pause needs. False: the system refused.
  bool Prepare();
  // Call-site rule: inside the pause, after Prepare. Names the functions that may be gone after it and records the
  // threads; allocates nothing.
  void TakeFromPause(std::span<const RecordedRoot> roots);
  const ThreadRecorder& Threads() const;
  // Call-site rule: inside the pause of a young collection, after TakeFromPause. Looks on the stacks for pointers into
  // the middle of objects, which the runtime does not report then. The ranges are added first, in address order.
  void AddHeapRange(uint64_t start, uint64_t end);
  void ScanStacks();
  // Call-site rule: after resume, as TypeNamer. Roots whose object is 0 are left out. False: out of memory.
  bool NameRoots(const RootRecorder& recorder, std::vector<protocol::Root>* roots,
                 std::vector<protocol::Dependent>* dependents);
  // Name of a method that code is known of right now, dynamic and collectible ones too; empty: not known.
  // Call-site rule: directly after the runtime gave the FunctionID for an address, after resume.
  std::string MethodName(uint64_t function);
  // Root::thread and Static::thread are indices into these. False: out of memory.
  bool NameThreads(std::vector<protocol::Thread>* threads);
  // What ScanStacks found, for the client to resolve. False: out of memory.
  bool AddStackCandidates(std::vector<protocol::Static>* found);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cairn::collector
