#pragma once
// Where a SELECT is written: a field, what was asked before, and a key that asks.
// Thread rule: the window's thread, within a frame.

#include <optional>
#include <string>
#include <vector>

#include "viewer/ui/probe.h"
#include "viewer/ui/theme.h"

namespace cairn::ui {

// The statement to ask now, where somebody wants to. `text` is what is being typed.
std::optional<std::string> DrawQueryEditor(std::string& text, const std::vector<std::string>& history, bool take_focus,
                                           const Theme& theme, Probe* probe);

}  // namespace cairn::ui
