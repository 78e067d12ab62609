#include "viewer/ui/desktop/input_queue.h"

#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <imgui.h>

#include <algorithm>
#include <cfloat>
#include <iterator>

namespace cairn::ui {

InputQueue& InputQueue::Of(GLFWwindow* window) { return *static_cast<InputQueue*>(glfwGetWindowUserPointer(window)); }

InputQueue::InputQueue(GLFWwindow* window) : window_(window) {
  glfwSetWindowUserPointer(window, this);
  glfwGetCursorPos(window, &x_, &y_);
  glfwSetKeyCallback(window, [](GLFWwindow* of, int key, int scancode, int action, int mods) {
    Of(of).waiting_.push_back({Kind::kKey, key, scancode, action, mods});
  });
  glfwSetCharCallback(window, [](GLFWwindow* of, unsigned letter) {
    Of(of).waiting_.push_back({Kind::kLetter, static_cast<int>(letter)});
  });
  glfwSetMouseButtonCallback(window, [](GLFWwindow* of, int button, int action, int) {
    Of(of).waiting_.push_back({Kind::kButton, button, 0, action});
  });
  glfwSetCursorPosCallback(window, [](GLFWwindow* of, double x, double y) {
    Of(of).waiting_.push_back({.kind = Kind::kMove, .x = x, .y = y});
  });
}

InputQueue::~InputQueue() {
  glfwSetKeyCallback(window_, nullptr);
  glfwSetCharCallback(window_, nullptr);
  glfwSetMouseButtonCallback(window_, nullptr);
  glfwSetCursorPosCallback(window_, nullptr);
}

// A button belongs to where the mouse was and to the modifiers that were down; a key is not to be let go in the frame
// that pressed it; letters after a command may be meant for what it opens.
bool InputQueue::MustWait(const Event& event, const Seen& seen) {
  if (seen.button) return true;
  const auto was_pressed = std::find(seen.keys.begin(), seen.keys.end(), event.code) != seen.keys.end();
  if (event.kind == Kind::kKey && event.action == GLFW_RELEASE) return was_pressed;
  if (event.kind == Kind::kKey) return seen.command;
  if (event.kind == Kind::kLetter) return seen.command || (seen.letter && !ImGui::GetIO().WantTextInput);
  return false;
}

void InputQueue::Feed(const Event& event, Seen& seen) {
  switch (event.kind) {
    case Kind::kKey:
      ImGui_ImplGlfw_KeyCallback(window_, event.code, event.scancode, event.action, event.mods);
      if (event.action == GLFW_RELEASE) return;
      seen.keys.push_back(event.code);
      seen.command = (event.code > GLFW_KEY_WORLD_2 && event.code < GLFW_KEY_LEFT_SHIFT) ||
                     (event.mods & (GLFW_MOD_CONTROL | GLFW_MOD_ALT)) != 0;
      return;
    case Kind::kLetter:
      seen.letter = true;
      return ImGui_ImplGlfw_CharCallback(window_, static_cast<unsigned>(event.code));
    case Kind::kButton:
      seen.button = true;
      if (event.code < static_cast<int>(std::size(down_))) down_[event.code] = event.action == GLFW_PRESS;
      return;
    case Kind::kMove:
      x_ = event.x;
      y_ = event.y;
      return;
  }
}

void InputQueue::FeedFrame() {
  Seen seen;
  while (!waiting_.empty() && !MustWait(waiting_.front(), seen)) {
    Feed(waiting_.front(), seen);
    waiting_.pop_front();
  }
  ImGuiIO& io = ImGui::GetIO();
  std::copy(std::begin(down_), std::end(down_), io.MouseDown);
  const bool is_away = io.MousePos.x == -FLT_MAX && waiting_.empty();  // the backend says so: not focused
  if (!is_away) io.MousePos = {static_cast<float>(x_), static_cast<float>(y_)};
}

}  // namespace cairn::ui
