#pragma once
// Progress on the standard error: one line that is rewritten on a terminal, else a line per step; silent
// under --json unless --verbose.

#include <chrono>
#include <cstdint>
#include <string>

#include "viewer/cli/console.h"

namespace cairn::cli {

class Progress {
 public:
  explicit Progress(Console& console);
  ~Progress() { Clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // `done` of `total`; both 0 where it cannot be counted.
  void Show(const std::string& step, uint64_t done, uint64_t total);
  // Takes the rewritten line away, before something else is printed.
  void Clear();

 private:
  void Redraw(const std::string& step, uint64_t done, uint64_t total);

  Console& console_;
  bool silent_;
  bool drawn_ = false;
  std::string step_;
  std::chrono::steady_clock::time_point last_drawn_{};
};

}  // namespace cairn::cli
