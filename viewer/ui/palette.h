#pragma once
// A text field that leads anywhere: views, files, objects by number, types by a part of their name, actions.
// Thread rule: the window's thread.

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "viewer/presentation/place.h"
#include "viewer/presentation/tables/process_table.h"
#include "viewer/ui/probe.h"
#include "viewer/ui/shortcuts.h"
#include "viewer/ui/theme.h"

namespace cairn::ui {

// The same rows in another order.
struct Rearrangement {
  presentation::Place place;
};

struct PaletteEntry {
  std::string words;
  std::variant<presentation::Place, Action, Rearrangement, presentation::ProcessRow> leads_to;
};

// What a text may mean from here, the likeliest first; of `offers` what it matches. Pure.
std::vector<PaletteEntry> PaletteEntries(const std::string& text, const presentation::Place& here,
                                         const std::vector<std::string>& recent,
                                         const std::vector<PaletteEntry>& offers = {});

std::vector<PaletteEntry> MatchingOffers(const std::string& text, const std::vector<PaletteEntry>& offers);

class Palette {
 public:
  // `prefix`: only offers that begin with it, which need not be typed.
  void Open(std::string prefix = {}) { opening_ = true, prefix_ = std::move(prefix); }
  bool IsOpen() const { return open_; }
  // What was chosen in this frame.
  std::optional<PaletteEntry> Draw(const presentation::Place& here, const std::vector<std::string>& recent,
                                   const std::vector<PaletteEntry>& offers, const Theme& theme, Probe* probe);

 private:
  std::optional<PaletteEntry> DrawEntries(const std::vector<PaletteEntry>& entries, bool enter, Probe* probe);

  bool opening_ = false, open_ = false;
  std::string text_, prefix_;
  size_t selected_ = 0;
};

}  // namespace cairn::ui
