#include "viewer/ui/desktop/window_state.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace cairn::ui {
namespace {

using nlohmann::json;

json PageState(const Tab& tab) {
  const presentation::Page* page = tab.Shown();
  json state = {{"failure", tab.Failure() ? json(tab.Failure()->code) : json()}};
  if (!page) return state;
  state["heading"] = page->heading;
  state["is_preview"] = page->is_preview;
  state["tables"] = json::array();
  for (const presentation::Section& section : page->sections) state["tables"].push_back(section.table->RowCount());
  return state;
}

json Widgets(const Probe& probe) {
  json widgets = json::object();
  for (const auto& [name, area] : probe.areas) widgets[name] = {area.x, area.y, area.z, area.w};
  return widgets;
}

}  // namespace

void WriteState(const Shell& shell, const Probe& probe, const WindowFacts& facts, const std::string& path) {
  const Tab& tab = shell.Current();
  const json state = {{"frame", facts.frame},
                      {"settled", facts.is_settled},
                      {"window", {facts.x, facts.y}},
                      {"size", {facts.width, facts.height}},
                      {"place", presentation::ToText(tab.Where())},
                      {"command", presentation::CommandOf(tab.Where())},
                      {"tabs", shell.TabCount()},
                      {"page", PageState(tab)},
                      {"message", shell.Message()},
                      {"scale", shell.GetTheme().scale},
                      {"font", shell.GetTheme().text ? shell.GetTheme().text->FontSize : 0},
                      {"widgets", Widgets(probe)}};
  const std::string temporary = path + ".new";
  std::ofstream(temporary) << state.dump(-1, ' ', false, json::error_handler_t::replace) << "\n";
  std::error_code error;
  std::filesystem::rename(temporary, path, error);
}

}  // namespace cairn::ui
