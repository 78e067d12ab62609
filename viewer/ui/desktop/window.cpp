#include "viewer/ui/desktop/window.h"

#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <chrono>
#include <ctime>
#include <fstream>
#include <memory>
#include <vector>

#include "viewer/presentation/visible_text.h"
#include "viewer/ui/desktop/input_queue.h"
#include "viewer/ui/desktop/live_client.h"
#include "viewer/ui/desktop/screen_scale.h"
#include "viewer/ui/desktop/window_state.h"
#include "viewer/ui/shell.h"

namespace cairn::ui {
namespace {

constexpr double kBetweenLooks = 1;       // at the folder of a series, in seconds
constexpr int kFramesBeforePicture = 10;  // in which nothing was going on
constexpr int kWidth = 1280, kHeight = 800;
// Popups, tooltips and scrolling need some frames after an event until they stand.
constexpr int kFramesAfterEvent = 3;
constexpr double kBetweenProgress = 0.1;  // seconds

std::string last_glfw_error;  // the callback has no other way

void OnGlfwError(int, const char* description) { last_glfw_error = description; }

struct EndGlfw {
  ~EndGlfw() { glfwTerminate(); }
};

struct EndImGui {
  ~EndImGui() {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
  }
};

using WindowHandle = std::unique_ptr<GLFWwindow, void (*)(GLFWwindow*)>;

Result<WindowHandle> OpenWindow(const Settings& settings) {
  glfwWindowHint(GLFW_MAXIMIZED, settings.maximized);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 2);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
  const int width = settings.width > 0 ? settings.width : kWidth,
            height = settings.height > 0 ? settings.height : kHeight;
  WindowHandle window(glfwCreateWindow(width, height, "cairn", nullptr, nullptr), glfwDestroyWindow);
  if (!window)
    return Fail(ErrorKind::kFailed, "view.no_opengl", "the display gives no OpenGL 3.2 window: " + last_glfw_error,
                "Install libgl1-mesa-dri for drawing in software, or use 'cairn info', 'types' and 'diff'.");
  glfwMakeContextCurrent(window.get());
  glfwSwapInterval(1);
  return window;
}

class Window {
 public:
  Window(const WindowOptions& options, GLFWwindow* window)
      : window_(window),
        picture_(options.picture),
        report_(options.frames_report.empty() ? std::ofstream() : std::ofstream(options.frames_report)),
        state_report_(options.state_report),
        shell_({.session = options.session,
                .settings_path = options.settings_path,
                .wake = glfwPostEmptyEvent,
                .probe = options.state_report.empty() ? nullptr : &probe_},
               live_),
        input_(window) {
    for (const presentation::Place& place : options.places) shell_.Open(place);
    if (options.places.empty()) shell_.RestoreTabs();
  }

  void Run() {
    while (!glfwWindowShouldClose(window_) && !shell_.WantsToQuit()) {
      Wait();
      Frame();
      if (is_picture_taken_) break;
    }
    Remember();
  }

 private:
  // Without events nothing is drawn, so that nothing is used; while jobs run, their progress is.
  void Wait() {
    if (frames_left_-- > 0) return glfwPollEvents();
    if (shell_.IsBusy() || !picture_.empty())
      glfwWaitEventsTimeout(kBetweenProgress);
    else if (shell_.WatchesSeries())
      WaitForNews();
    else
      glfwWaitEvents();
    frames_left_ = kFramesAfterEvent - 1;
  }

  // A look at a folder is no reason to draw.
  void WaitForNews() {
    for (bool is_over = false; !is_over;) {
      const double start = glfwGetTime();
      glfwWaitEventsTimeout(kBetweenLooks);
      const bool is_event = glfwGetTime() - start < kBetweenLooks;
      is_over = is_event || shell_.HasNews() || glfwWindowShouldClose(window_);
    }
  }

  // For the next start.
  void Remember() {
    int width = 0, height = 0;
    glfwGetWindowSize(window_, &width, &height);
    shell_.SetWindowSize(width, height, glfwGetWindowAttrib(window_, GLFW_MAXIMIZED) == GLFW_TRUE);
  }

  // Of the frame that was drawn and is not yet shown: what is shown cannot be read everywhere.
  bool IsPictureDue() {
    quiet_frames_ = shell_.IsBusy() ? 0 : quiet_frames_ + 1;
    return !picture_.empty() && quiet_frames_ >= kFramesBeforePicture;
  }

  // As PPM: every tool reads it, and it takes no library to write.
  void TakePicture(int width, int height) {
    std::vector<char> pixels(3 * static_cast<size_t>(width) * static_cast<size_t>(height));
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, pixels.data());
    std::ofstream file(picture_, std::ios::binary);
    file << "P6\n" << width << " " << height << "\n255\n";
    const long row = 3L * width;
    for (long y = height; y-- > 0;) file.write(pixels.data() + y * row, row);
    is_picture_taken_ = true;
  }

  float ScreenScaleNow() const {
    float scale = 1, unused = 1;
    glfwGetWindowContentScale(window_, &scale, &unused);
    return screen_scale_.Now().value_or(scale);
  }

  // What this process has used.
  static double CpuMilliseconds() {
    timespec used{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return static_cast<double>(used.tv_sec) * 1e3 + static_cast<double>(used.tv_nsec) / 1e6;
  }

  void ReportState() {
    ++facts_.frame;
    if (state_report_.empty()) return;
    facts_.is_settled = frames_left_ <= 0 && !shell_.IsBusy();
    glfwGetWindowPos(window_, &facts_.x, &facts_.y);
    glfwGetWindowSize(window_, &facts_.width, &facts_.height);
    WriteState(shell_, probe_, facts_, state_report_);
  }

  void ApplyTheme() {
    const float scale = ScreenScaleNow();
    if (scale != scale_) shell_.SetScreenScale(scale_ = scale);
    if (!shell_.TakeThemeChange()) return;
    Apply(shell_.GetTheme());
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
  }

  void Frame() {
    const auto start = std::chrono::steady_clock::now();
    const double cpu = report_.is_open() ? CpuMilliseconds() : 0;
    ApplyTheme();
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    input_.FeedFrame();
    if (!input_.IsEmpty()) frames_left_ = kFramesAfterEvent;
    ImGui::NewFrame();
    shell_.Draw();
    ImGui::Render();
    const auto built = std::chrono::steady_clock::now();
    Present();
    const auto end = std::chrono::steady_clock::now();
    const auto ms = [](auto duration) { return std::chrono::duration<double, std::milli>(duration).count(); };
    if (report_.is_open()) {
      report_ << ms(built - start) << " " << ms(end - built) << " " << CpuMilliseconds() - cpu << std::endl;
      ReportFailure();
    }
    ReportState();
  }

  // Once: whoever waits for a page is to know that it will not come.
  void ReportFailure() {
    const auto& failure = shell_.Current().Failure();
    const std::string sentence = failure ? failure->message : std::string();
    if (sentence == reported_failure_) return;
    reported_failure_ = sentence;
    if (failure) report_ << "failed: " << presentation::VisibleText(sentence) << std::endl;
  }

  void Present() {
    int width = 0, height = 0;
    glfwGetFramebufferSize(window_, &width, &height);
    glViewport(0, 0, width, height);
    const ImVec4 back = ImGui::GetStyle().Colors[ImGuiCol_WindowBg];
    glClearColor(back.x, back.y, back.z, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    if (IsPictureDue()) TakePicture(width, height);
    glfwSwapBuffers(window_);
    if (report_.is_open()) glFinish();
  }

  GLFWwindow* window_;
  const std::string picture_;
  int quiet_frames_ = 0;
  bool is_picture_taken_ = false;
  std::ofstream report_;
  std::string reported_failure_;
  const std::string state_report_;
  WindowFacts facts_;
  Probe probe_;
  ScreenScale screen_scale_{glfwPostEmptyEvent};
  LiveClient live_;
  Shell shell_;
  InputQueue input_;
  float scale_ = 0;
  int frames_left_ = kFramesAfterEvent;
};

}  // namespace

Status RunWindow(const WindowOptions& options) {
  glfwSetErrorCallback(OnGlfwError);
  if (!glfwInit())
    return Fail(ErrorKind::kFailed, "view.no_display", "there is no display for a window: " + last_glfw_error,
                "Start it where DISPLAY is set (ssh -X), or use 'cairn info', 'types' and 'diff'.");
  const EndGlfw end_glfw;
  auto window = OpenWindow(LoadSettings(options.settings_path));
  if (!window) return tl::make_unexpected(std::move(window).error());
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;
  ImGui_ImplGlfw_InitForOpenGL(window->get(), true);
  ImGui_ImplOpenGL3_Init("#version 150");
  const EndImGui end_imgui;
  Window(options, window->get()).Run();
  return {};
}

}  // namespace cairn::ui
