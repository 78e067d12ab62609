#pragma once
// How large things are to be drawn on an X display, while that changes: GLFW asks once, when it starts.
// Thread rule: Now from any thread. A thread of its own waits for the display; it does nothing else.

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <thread>

namespace cairn::ui {

// 2 for "Xft.dpi: 192"; 1 where the resources say nothing of it.
float ScaleOfResources(const std::string& resources);

class ScreenScale {
 public:
  // `changed` is called on the other thread.
  explicit ScreenScale(std::function<void()> changed);
  ~ScreenScale();
  ScreenScale(const ScreenScale&) = delete;
  ScreenScale& operator=(const ScreenScale&) = delete;

  // Nothing where there is no X display.
  std::optional<float> Now() const;

 private:
  struct Connection;

  void Watch();

  const std::function<void()> changed_;
  Connection* connection_ = nullptr;
  int stop_[2] = {-1, -1};
  std::atomic<float> scale_ = 1;
  std::thread thread_;
};

}  // namespace cairn::ui
