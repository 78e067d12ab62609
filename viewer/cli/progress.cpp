#include "viewer/cli/progress.h"

#include <fmt/format.h>

#include <algorithm>

#include "viewer/presentation/visible_text.h"

namespace cairn::cli {
namespace {

std::string Bar(uint64_t done, uint64_t total) {
  constexpr double kWidth = 24;
  if (total == 0) return {};
  const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
  const auto filled = static_cast<size_t>(share * kWidth);
  return fmt::format("  [{}{}] {:3.0f} %", std::string(filled, '#'),
                     std::string(static_cast<size_t>(kWidth) - filled, '.'), share * 100);
}

}  // namespace

Progress::Progress(Console& console)
    : console_(console), silent_(console.format == OutputFormat::kJson && !console.verbose) {}

void Progress::Show(const std::string& step, uint64_t done, uint64_t total) {
  if (silent_) return;
  const bool new_step = step != step_;
  step_ = step;
  if (console_.ErrorIsTerminal()) {
    constexpr std::chrono::milliseconds kBetweenFrames(50);
    const auto now = std::chrono::steady_clock::now();
    if (!new_step && now - last_drawn_ < kBetweenFrames) return;
    last_drawn_ = now;
    Redraw(step, done, total);
  } else if (new_step) {
    console_.Note(presentation::VisibleText(step));
  }
}

void Progress::Redraw(const std::string& step, uint64_t done, uint64_t total) {
  std::string line = presentation::VisibleText(step) + Bar(done, total);
  // A wrapped line could not be taken back.
  if (const size_t width = console_.ErrorStyle().width; width > 1) line = presentation::Shortened(line, width - 1);
  console_.NoteRaw("\r" + line + "\x1b[K");
  drawn_ = true;
}

void Progress::Clear() {
  if (drawn_) console_.NoteRaw("\r\x1b[K");
  drawn_ = false;
}

}  // namespace cairn::cli
