#pragma once
// What hands did, in its order, one frame after the other: this ImGui sees only what is down, and where the mouse is,
// while a frame is built. Between two slow frames a click would be taken for one at where the mouse has gone since.
// Thread rule: the window's thread. Ownership: the window outlives it.

#include <deque>

struct GLFWwindow;

namespace cairn::ui {

class InputQueue {
 public:
  // Takes the place of ImGui's callbacks for keys, letters, buttons and moves.
  explicit InputQueue(GLFWwindow* window);
  ~InputQueue();
  InputQueue(const InputQueue&) = delete;
  InputQueue& operator=(const InputQueue&) = delete;

  bool IsEmpty() const { return waiting_.empty(); }
  // After ImGui_ImplGlfw_NewFrame: as much as one frame can tell apart.
  void FeedFrame();

 private:
  enum class Kind { kKey, kLetter, kButton, kMove };
  struct Event {
    Kind kind;
    int code = 0, scancode = 0, action = 0, mods = 0;
    double x = 0, y = 0;
  };
  // What of this frame later events must not be mixed with.
  struct Seen {
    bool button = false, command = false, letter = false;
    std::deque<int> keys{};
  };

  static InputQueue& Of(GLFWwindow* window);
  static bool MustWait(const Event& event, const Seen& seen);
  void Feed(const Event& event, Seen& seen);

  GLFWwindow* window_;
  std::deque<Event> waiting_;
  double x_ = 0, y_ = 0;
  bool down_[5] = {};
};

}  // namespace cairn::ui
