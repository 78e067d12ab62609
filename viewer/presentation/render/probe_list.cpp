#include "viewer/presentation/render/probe_list.h"

#include <fmt/format.h>

#include <algorithm>

#include "viewer/presentation/visible_text.h"

namespace cairn::presentation {

void WriteProbeList(const ProbeTable& table, TextStyle style, ByteSink& sink) {
  size_t width = 0;
  for (const ProbeRow& row : table.Rows()) width = std::max(width, DisplayWidth(VisibleText(row.name)));
  for (const ProbeRow& row : table.Rows()) {
    const std::string name = VisibleText(row.name);
    const std::string blanks(width - DisplayWidth(name), ' ');
    // What is sound and has a remedy all the same does not serve everything.
    const std::string state = !row.ok ? style.Bad("BROKEN") : row.remedy ? style.Bold("LIMITS") : style.Good("ok    ");
    sink.Write(fmt::format("{}  {}{}  {}\n", state, name, blanks, VisibleText(row.detail)));
    if (row.remedy) sink.Write(fmt::format("        {}→ {}\n", std::string(width + 2, ' '), VisibleText(*row.remedy)));
  }
}

}  // namespace cairn::presentation
