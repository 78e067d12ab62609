#pragma once
// What the window shows, as JSON for tests that drive it from outside: where it is, what is chosen, where widgets lie.
// Thread rule: the window's thread, after a frame.

#include <string>

#include "viewer/ui/shell.h"

namespace cairn::ui {

struct WindowFacts {
  uint64_t frame = 0;
  bool is_settled = false;  // nothing more is drawn until something happens
  int x = 0, y = 0;         // of the window on the screen
  int width = 0, height = 0;
};

// Under a temporary name first.
void WriteState(const Shell& shell, const Probe& probe, const WindowFacts& facts, const std::string& path);

}  // namespace cairn::ui
