#include "tests/viewer/ui/headless.h"

#include <gtest/gtest.h>

#include <thread>

namespace cairn::ui::testing {

Result<std::string> FakeLive::Capture(const CaptureWish& wish, presentation::JobContext& context) {
  captured.push_back(wish.pid);
  wishes.push_back(wish);
  context.Tell("walking the heap", 1, 4);
  while (waits_for_cancel && !context.Cancelled()) std::this_thread::yield();
  if (context.Cancelled()) return Fail(ErrorKind::kFailed, "capture.cancelled", "The capture was cancelled.");
  return result;
}

Headless::Headless(std::string settings_path) {
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.DisplaySize = {1280, 800};
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
  io.ClipboardUserData = &clipboard_;
  io.SetClipboardTextFn = [](void* to, const char* text) { *static_cast<std::string*>(to) = text; };
  const std::pair<ImGuiKey, int> keys[] = {{ImGuiKey_Tab, kTabKey},
                                           {ImGuiKey_Enter, kEnterKey},
                                           {ImGuiKey_Escape, kEscapeKey},
                                           {ImGuiKey_Backspace, kBackspaceKey},
                                           {ImGuiKey_Delete, kDeleteKey},
                                           {ImGuiKey_A, 'A'},
                                           {ImGuiKey_RightArrow, kRightKey},
                                           {ImGuiKey_LeftArrow, kLeftKey},
                                           {ImGuiKey_DownArrow, kDownKey},
                                           {ImGuiKey_UpArrow, kUpKey},
                                           {ImGuiKey_PageUp, kPageUpKey},
                                           {ImGuiKey_PageDown, kPageDownKey},
                                           {ImGuiKey_Home, kHomeKey},
                                           {ImGuiKey_End, kEndKey},
                                           {ImGuiKey_C, 'C'},
                                           {ImGuiKey_Space, ' '}};
  for (const auto& [name, key] : keys) io.KeyMap[name] = key;
  ShellOptions options;
  options.session.threads = 1;
  options.settings_path = std::move(settings_path);
  options.probe = &probe_;
  shell_ = std::make_unique<Shell>(std::move(options), live_);
}

Headless::~Headless() {
  shell_.reset();
  ImGui::DestroyContext();
}

void Headless::Frame() {
  ImGuiIO& io = ImGui::GetIO();
  io.DeltaTime = 1.0f / 60;
  if (shell_->TakeThemeChange()) {
    Apply(shell_->GetTheme());
    io.Fonts->SetTexID(&probe_);  // any that is not null
  }
  ImGui::NewFrame();
  shell_->Draw();
  ImGui::Render();
  vertices_ = static_cast<size_t>(ImGui::GetDrawData()->TotalVtxCount);
}

// The answer of a job may start the next one.
void Headless::Settle() {
  for (bool was_busy = true; was_busy;) {
    for (int i = 0; i < 10; ++i) Frame();
    was_busy = !shell_->Jobs().Unfinished().empty();
    shell_->Jobs().WaitUntilIdle();
  }
  for (int i = 0; i < 10; ++i) Frame();
}

void Headless::MoveTo(float x, float y) {
  ImGui::GetIO().MousePos = {x, y};
  Frame();
  Frame();
}

void Headless::ClickAt(float x, float y) {
  MoveTo(x, y);
  ImGui::GetIO().MouseDown[0] = true;
  Frame();
  ImGui::GetIO().MouseDown[0] = false;
  Frame();
  Frame();
}

void Headless::Hover(const std::string& widget) {
  ASSERT_TRUE(Has(widget)) << widget;
  const ImVec4 area = Area(widget);
  MoveTo((area.x + area.z) / 2, (area.y + area.w) / 2);
}

void Headless::Click(const std::string& widget, bool control, bool shift) {
  ASSERT_TRUE(Has(widget)) << widget;
  const ImVec4 area = Area(widget);
  ImGui::GetIO().KeyCtrl = control;
  ImGui::GetIO().KeyShift = shift;
  ClickAt((area.x + area.z) / 2, (area.y + area.w) / 2);
  ImGui::GetIO().KeyCtrl = ImGui::GetIO().KeyShift = false;
  Settle();
}

void Headless::Wheel(float notches) {
  ImGui::GetIO().MouseWheel = notches;
  Frame();
  ImGui::GetIO().MouseWheel = 0;
  Frame();
}

void Headless::Press(int key, bool control, bool alt, bool shift) {
  ImGuiIO& io = ImGui::GetIO();
  io.KeyCtrl = control;
  io.KeyAlt = alt;
  io.KeyShift = shift;
  io.KeysDown[key] = true;
  Frame();
  io.KeysDown[key] = false;
  Frame();
  io.KeyCtrl = io.KeyAlt = io.KeyShift = false;
  Settle();
}

void Headless::Type(const std::string& text) {
  for (const char c : text) {
    ImGui::GetIO().AddInputCharacter(static_cast<unsigned char>(c));
    Frame();
  }
  Settle();
}

void Headless::Resize(float width, float height) {
  ImGui::GetIO().DisplaySize = {width, height};
  Settle();
}

}  // namespace cairn::ui::testing
