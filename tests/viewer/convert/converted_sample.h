#pragma once
// A small snapshot with everything that formats differ in, behind a session.

#include <memory>
#include <string>

#include "snapshot-format/testing/snapshot_builder.h"
#include "tests/snapshot-format/temporary_folder.h"
#include "viewer/session/snapshot_session.h"

namespace cairn::convert::testing {

//   static Shop.Cache.Instance → @0 cache (32) .entries → @1 entries, Entry[3] (24 + 3 × 16 = 72)
//                                              .spare   → null
//       entries[0].Key → @2 "ab" (22 + 4 → 32), entries[0].Value → @3 order, entries[2].Value → @4 order
//   thread-static Shop.Current → @3 order (32) .lines → @5 lines, Object[4] (24 + 4 × 8 = 56) → [2] @2, [3] @4
//   local Shop.Main on thread 7 → @4 order .lines → null
//   handle-strong → @0; handle-pinned → @1; handle-weak → @6 garbage (32)
//   dependent: @3 → @5. gen2 from 0x10000 with a gap of 48 behind @1; @6 in gen0; @7 plugin in loh, whose type is
//   collectible and keeps @8 allocator (24); static Shop.Plugin → @7; @9 frozen.
struct ConvertedSample {
  ConvertedSample();

  snapshot::testing::TemporaryFolder folder;
  std::unique_ptr<session::SnapshotSession> session;
  analysis::Work work;
};

std::unique_ptr<session::SnapshotSession> OpenSession(const std::string& path);

}  // namespace cairn::convert::testing
