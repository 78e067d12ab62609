#pragma once
// A small snapshot file behind a session: what tables show of reachability, retained sizes and paths.

#include <memory>
#include <string>

#include "viewer/session/snapshot_session.h"

namespace cairn::presentation::testing {

//   static Shop.Cache.Instance → cache → entries[2] → order1 → customer
//                                      → entries[5] → order2 → customer
//   local Shop.Program.Main on thread 42 (Main) → order2
//   lost → order1, and a frozen literal
//
// @0 cache 24, @1 entries 24 + 8 × 8 = 88, @2 order1 32, @3 order2 32, @4 customer 24, @5 lost 32 (gen0),
// @6 literal 24 (frozen): 256 bytes, of which 32 are garbage.
// Dominators: cache → entries → order1; order2 and customer hang on no single object.
struct SessionSample {
  SessionSample();
  ~SessionSample();

  std::string path;
  std::unique_ptr<session::SnapshotSession> session;
  analysis::Work work;
};

}  // namespace cairn::presentation::testing
