#include "viewer/ui/start_panel.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "viewer/presentation/capture_order.h"
#include "viewer/presentation/quantity.h"
#include "viewer/presentation/visible_text.h"
#include "viewer/ui/page_parts.h"

namespace cairn::ui {

using presentation::Place;
using presentation::ProcessRow;
using presentation::View;
using presentation::VisibleText;

namespace {

std::string ProgressWords(const presentation::JobProgress& at) {
  const std::string step = at.step.empty() ? "starting" : at.step;
  return at.total > 0 ? step + ", " + presentation::Percentage(std::min(at.done, at.total), at.total) : step;
}

float Share(const presentation::JobProgress& at) {
  return at.total == 0 ? 0 : static_cast<float>(std::min(at.done, at.total)) / static_cast<float>(at.total);
}

}  // namespace

void StartPanel::Draw(const std::vector<std::string>& recent, const Theme& theme, Wishes& wishes, Probe* probe,
                      bool has_keyboard) {
  if (!listed_) List();
  if (has_keyboard) HandleKeys(recent, wishes);
  ImGui::BeginChild("files", {ImGui::GetContentRegionAvail().x * 0.45f, 0});
  DrawFiles(recent, wishes, probe);
  ImGui::EndChild();
  ImGui::SameLine();
  ImGui::BeginChild("processes");
  DrawProcesses(theme, probe);
  ImGui::EndChild();
}

void StartPanel::Update(Wishes& wishes) {
  if (const auto* listed = listing_.Answer()) {
    if (*listed)
      processes_ = **listed;
    else
      failure_ = listed->error();
    listing_ = {};
  }
  if (const auto* captured = capturing_.Answer()) {
    if (*captured)
      wishes.go_in_new_tab = Place::Of(View::kOverview, **captured);
    else
      failure_ = captured->error();
    capturing_ = {};
  }
}

void StartPanel::List() {
  listed_ = true;
  const auto look = [this](presentation::JobContext&) -> Result<std::vector<LiveProcess>> {
    auto rows = live_.Processes();
    if (!rows) return tl::make_unexpected(std::move(rows).error());
    std::vector<LiveProcess> processes;
    for (ProcessRow& row : *rows) {
      const PauseEstimate pause = live_.Estimate(row);
      processes.push_back({std::move(row), pause});
    }
    return processes;
  };
  listing_ = jobs_.Start<std::vector<LiveProcess>>("looking for .NET processes", look);
}

std::vector<ProcessRow> StartPanel::Offered() {
  if (!listed_) List();
  std::vector<ProcessRow> rows;
  for (const LiveProcess& process : processes_)
    if (process.row.attachable && !IsCapturing()) rows.push_back(process.row);
  return rows;
}

void StartPanel::Capture(const ProcessRow& row) {
  failure_.reset();
  capture_title_ = "capturing " + VisibleText(row.name) + " (" + std::to_string(row.pid) + ")";
  const CaptureWish wish{row.pid, full_, static_cast<uint32_t>(most_ms_)};
  capturing_ = jobs_.Start<std::string>(
      capture_title_, [this, wish](presentation::JobContext& context) { return live_.Capture(wish, context); });
}

void StartPanel::DrawFiles(const std::vector<std::string>& recent, Wishes& wishes, Probe* probe) {
  ImGui::TextUnformatted("Open a snapshot");
  const ImGuiStyle& style = ImGui::GetStyle();
  ImGui::SetNextItemWidth(-(ImGui::CalcTextSize("Open").x + 2 * style.FramePadding.x + style.ItemSpacing.x));
  const bool enter = ImGui::InputTextWithHint("##path", "FILE.cairn", &path_, ImGuiInputTextFlags_EnterReturnsTrue);
  Mark(probe, "start.path");
  ImGui::SameLine();
  const bool open = ImGui::Button("Open");
  Mark(probe, "start.open");
  if ((enter || open) && !path_.empty()) wishes.go = Place::Of(View::kOverview, path_);
  ImGui::Dummy({0, 8});
  ImGui::TextUnformatted("Files of late");
  if (recent.empty()) ImGui::TextDisabled("None yet. Capture a process, or open a file.");
  for (const std::string& file : recent) DrawRecent(file, chosen_ == file, wishes, probe);
  DrawCompare(wishes, probe);
}

void StartPanel::HandleKeys(const std::vector<std::string>& recent, Wishes& wishes) {
  if (recent.empty()) return;
  const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key)); };
  const auto at = std::find(recent.begin(), recent.end(), chosen_);
  const bool is_any = at != recent.end();
  if (pressed(ImGuiKey_DownArrow)) chosen_ = !is_any ? recent.front() : at + 1 == recent.end() ? *at : at[1];
  if (pressed(ImGuiKey_UpArrow)) chosen_ = !is_any || at == recent.begin() ? recent.front() : at[-1];
  if (is_any && pressed(ImGuiKey_Space)) Tick(chosen_);
  if (!pressed(ImGuiKey_Enter)) return;
  const ImGuiIO& io = ImGui::GetIO();
  if (io.KeyCtrl || io.KeyShift) return GoToTicked(io.KeyCtrl ? View::kDiff : View::kTimeline, wishes);
  if (is_any) wishes.go = Place::Of(View::kOverview, chosen_);
}

void StartPanel::Tick(const std::string& file) {
  if (std::erase(ticked_, file) == 0) ticked_.push_back(file);
}

void StartPanel::GoToTicked(View view, Wishes& wishes) const {
  if (ticked_.size() >= 2) wishes.go = Place{.view = view, .files = presentation::InCaptureOrder(ticked_)};
}

void StartPanel::DrawRecent(const std::string& file, bool is_chosen, Wishes& wishes, Probe* probe) {
  ImGui::PushID(file.c_str());
  bool ticked = std::find(ticked_.begin(), ticked_.end(), file) != ticked_.end();
  if (ImGui::Checkbox("##compare", &ticked)) Tick(file);
  Mark(probe, "start.tick." + file);
  if (ImGui::IsItemHovered())
    ImGui::SetTooltip("Tick two or more to compare them: the earliest with the later ones.\nAlso by Up, Down, Space.");
  ImGui::SameLine();
  if (ImGui::Selectable(VisibleText(file).c_str(), is_chosen)) wishes.go = Place::Of(View::kOverview, file);
  Mark(probe, "start.recent." + file);
  ImGui::PopID();
}

void StartPanel::DrawCompare(Wishes& wishes, Probe* probe) {
  if (ticked_.size() < 2) return;
  if (ImGui::Button("Compare those ticked")) GoToTicked(View::kDiff, wishes);
  Mark(probe, "start.compare");
  ImGui::SameLine();
  if (ImGui::Button("Timeline of those ticked")) GoToTicked(View::kTimeline, wishes);
  Mark(probe, "start.timeline");
}

void StartPanel::DrawProcesses(const Theme& theme, Probe* probe) {
  ImGui::TextUnformatted("Live .NET processes");
  ImGui::SameLine();
  if (ImGui::SmallButton("Look again")) List();
  Mark(probe, "start.look");
  DrawCaptureOptions(theme, probe);
  if (failure_ && DrawFailure(*failure_, theme, probe)) {
    failure_.reset();
    List();
  }
  DrawCapture(theme, probe);
  if (listing_.IsWanted() && processes_.empty()) return ImGui::TextDisabled("Looking …");
  if (processes_.empty()) return ImGui::TextDisabled("No .NET process is running that this user may see.");
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_ScrollY;
  if (!ImGui::BeginTable("live", 6, kFlags)) return;
  for (const char* title : {"", "PID", "Memory", "Pause", "Runtime"}) ImGui::TableSetupColumn(title);
  ImGui::TableSetupColumn("Name", ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableHeadersRow();
  for (const LiveProcess& process : processes_) DrawProcess(process, theme, probe);
  ImGui::EndTable();
}

void StartPanel::DrawCaptureOptions(const Theme& theme, Probe* probe) {
  ImGui::Checkbox("Collect garbage first (a longer pause)", &full_);
  Mark(probe, "start.full");
  ImGui::SetNextItemWidth(110 * theme.scale);
  ImGui::InputInt("ms of pause at the most (0: no limit)", &most_ms_, 10, 100);
  most_ms_ = std::clamp(most_ms_, 0, 600'000);
  Mark(probe, "start.most");
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("A capture that would take longer is refused before it begins.");
}

// What is not known beforehand, the runtime's own collection, is not in it.
void StartPanel::DrawPause(const LiveProcess& process, const Theme& theme) {
  const double ms = process.pause.Ms();
  const bool is_over = most_ms_ > 0 && ms > most_ms_;
  if (is_over) ImGui::PushStyleColor(ImGuiCol_Text, theme.Warning());
  ImGui::Text("%s + GC", presentation::Milliseconds(ms).c_str());
  if (is_over) ImGui::PopStyleColor();
  if (!ImGui::IsItemHovered()) return;
  ImGui::SetTooltip(
      "Beside %s and the time until all threads stand, which are not known beforehand,\n"
      "the application stands still for no more than about this.\n"
      "Walking the heap: up to %s. Forking the process: %s. The cheaper one is taken.\n%s",
      full_ ? "a full collection" : "a young collection", presentation::Milliseconds(process.pause.walk_ms).c_str(),
      presentation::Milliseconds(process.pause.fork_ms).c_str(),
      process.pause.is_measured ? "As captures on this machine took." : "As is usual; no capture was made here yet.");
}

void StartPanel::DrawProcess(const LiveProcess& process, const Theme& theme, Probe* probe) {
  const ProcessRow& row = process.row;
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::PushID(static_cast<int>(row.pid));
  ImGui::BeginDisabled(!row.attachable || capturing_.IsWanted());
  if (ImGui::SmallButton("Capture")) Capture(row);
  ImGui::EndDisabled();
  Mark(probe, "start.capture." + std::to_string(row.pid));
  ImGui::PopID();
  ImGui::TableNextColumn();
  ImGui::Text("%lld", static_cast<long long>(row.pid));
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(presentation::HumanBytes(row.rss_bytes).c_str());
  ImGui::TableNextColumn();
  if (row.attachable) DrawPause(process, theme);
  Mark(probe, "start.pause." + std::to_string(row.pid));
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(VisibleText(row.runtime).c_str());
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(VisibleText(row.name).c_str());
  if (row.attachable || !row.reason) return;
  ImGui::PushStyleColor(ImGuiCol_Text, theme.Warning());
  ImGui::TextWrapped("%s", VisibleText(*row.reason).c_str());
  ImGui::PopStyleColor();
}

void StartPanel::DrawCapture(const Theme& theme, Probe* probe) {
  if (!capturing_.IsWanted()) return;
  const presentation::JobProgress at = capturing_.Progress();
  ImGui::TextUnformatted(capture_title_.c_str());
  ImGui::ProgressBar(Share(at), {-90 * theme.scale, 0}, ProgressWords(at).c_str());
  ImGui::SameLine();
  if (ImGui::Button("Cancel")) capturing_.Cancel();
  Mark(probe, "start.cancel");
}

}  // namespace cairn::ui
