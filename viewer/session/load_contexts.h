#pragma once
// Load contexts that can be unloaded, what is still there of each, and who holds it.
//
// A collectible context is kept alive by its LoaderAllocator, which every object of its types refers to. The managed
// AssemblyLoadContext is an object of its own that nothing ties to the allocator, so both are listed.
// Thread rule: pure functions apart from the session's own.

#include <cstdint>
#include <string>
#include <vector>

#include "viewer/session/snapshot_session.h"

namespace cairn::session {

struct LoadContext {
  enum class Kind { kLoaderAllocator, kAssemblyLoadContext };

  Kind kind{};
  ObjectIndex object;                   // the LoaderAllocator, or the AssemblyLoadContext
  TypeIndex type;                       // its type
  std::string name;                     // of an AssemblyLoadContext, where texts of strings were captured
  std::vector<std::string> assemblies;  // modules of the types that still have objects, garbage included; in order
  ObjectTotals totals;                  // reachable objects of those types
  uint64_t retained = 0;                // by `object`
  bool reachable = false;
  // To `object`; paths of one shape are one. Those by an object in use come first, shortest first; then those by the
  // context's own static fields, and last the runtime's own handle, which is there until unloading is asked for.
  std::vector<RootPath> holders;
  ObjectIndex partner;  // of an allocator the AssemblyLoadContext and the other way; none where it is not certain
};

// What holds a context, as in LoadContext::holders; at most `limit`.
Result<std::vector<RootPath>> HoldersOfContext(SnapshotSession& session, ObjectIndex object, uint64_t limit,
                                               analysis::Work& work);
// It is the handle by which the runtime holds a context until Unload is called.
bool IsUnloadHandle(const RootPath& path);

// By bytes, the most first. At most `holders` of each. Complexity: linear in types and objects, and per context in
// edges.
Result<std::vector<LoadContext>> FindLoadContexts(SnapshotSession& session, uint64_t holders, analysis::Work& work);

}  // namespace cairn::session
