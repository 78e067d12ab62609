#pragma once
// How a root is told: in words for reading, as fields for data.

#include <string>

#include "viewer/presentation/render/json_document.h"
#include "viewer/session/snapshot_session.h"

namespace cairn::presentation {

// {"os_id":…,"managed_id":…,"name":…}, or null.
Json ThreadFields(const snapshot::Summary& summary, const session::RootInfo& root);
// The method of a local; empty for others.
std::string FrameOf(const session::RootInfo& root);
// {"kind":…,"name":…,"thread":…,"frame":…}
Json RootFields(const snapshot::Summary& summary, const session::RootInfo& root);

// "static Shop.Cache.Instance", "local of Shop.Program.Main on thread 4242 (Main)", "handle-pinned".
std::string RootWords(const snapshot::Summary& summary, const session::RootInfo& root);
// "4242 (Main)"; empty for a root without a thread.
std::string ThreadWords(const snapshot::Summary& summary, const session::RootInfo& root);

}  // namespace cairn::presentation
