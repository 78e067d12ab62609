#include "viewer/ui/desktop/screen_scale.h"

#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/Xresource.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace cairn::ui {
namespace {

constexpr float kUsualDpi = 96, kLeast = 0.5f, kMost = 5;
constexpr long kMostWords = 1 << 18;  // of 4 bytes

}  // namespace

float ScaleOfResources(const std::string& resources) {
  XrmInitialize();
  const XrmDatabase database = XrmGetStringDatabase(resources.c_str());
  if (!database) return 1;
  char* type = nullptr;
  XrmValue value{};
  const bool is_told = XrmGetResource(database, "Xft.dpi", "Xft.Dpi", &type, &value) && value.addr;
  const float dpi = is_told ? std::strtof(value.addr, nullptr) : 0;
  XrmDestroyDatabase(database);
  return dpi > 0 ? std::clamp(dpi / kUsualDpi, kLeast, kMost) : 1;
}

// To the display, beside GLFW's own.
struct ScreenScale::Connection {
  Display* display;

  // As they are now: Xlib's own copy is that of the beginning.
  std::string Resources() const {
    Atom type = 0;
    int format = 0;
    unsigned long count = 0, left = 0;
    unsigned char* bytes = nullptr;
    const Window root = DefaultRootWindow(display);
    const int status = XGetWindowProperty(display, root, XA_RESOURCE_MANAGER, 0, kMostWords, False, XA_STRING, &type,
                                          &format, &count, &left, &bytes);
    std::string text;
    if (status == Success && bytes && format == 8) text.assign(reinterpret_cast<const char*>(bytes), count);
    if (bytes) XFree(bytes);
    return text;
  }

  // Takes what has come; whether the resources are among it.
  bool TakeEvents() const {
    bool is_news = false;
    while (XPending(display) > 0) {
      XEvent event;
      XNextEvent(display, &event);
      is_news = is_news || (event.type == PropertyNotify && event.xproperty.atom == XA_RESOURCE_MANAGER);
    }
    return is_news;
  }
};

ScreenScale::ScreenScale(std::function<void()> changed) : changed_(std::move(changed)) {
  Display* display = XOpenDisplay(nullptr);
  if (!display) return;
  connection_ = new Connection{display};
  XSelectInput(display, DefaultRootWindow(display), PropertyChangeMask);
  scale_ = ScaleOfResources(connection_->Resources());
  if (pipe(stop_) == 0) thread_ = std::thread([this] { Watch(); });
}

ScreenScale::~ScreenScale() {
  if (thread_.joinable()) {
    close(stop_[1]);
    thread_.join();
    close(stop_[0]);
  }
  if (!connection_) return;
  XCloseDisplay(connection_->display);
  delete connection_;
}

std::optional<float> ScreenScale::Now() const { return connection_ ? std::optional(scale_.load()) : std::nullopt; }

// Until the other end of the pipe is closed, or the display.
void ScreenScale::Watch() {
  pollfd waiting[] = {{ConnectionNumber(connection_->display), POLLIN, 0}, {stop_[0], POLLIN, 0}};
  for (;;) {
    if (connection_->TakeEvents()) {
      scale_ = ScaleOfResources(connection_->Resources());
      changed_();
    }
    if (poll(waiting, 2, -1) < 0 || waiting[1].revents != 0 || (waiting[0].revents & (POLLHUP | POLLERR)) != 0) return;
  }
}

}  // namespace cairn::ui
