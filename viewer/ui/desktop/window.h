#pragma once
// GLFW and OpenGL around the shell: opens a window, draws when something happened, sleeps else.
// Thread rule: the main thread.

#include <string>
#include <vector>

#include "snapshot-format/file/result.h"
#include "viewer/presentation/place.h"
#include "viewer/session/snapshot_session.h"

namespace cairn::ui {

struct WindowOptions {
  std::vector<presentation::Place> places;  // one tab each; none: the start
  session::SnapshotSession::Options session;
  std::string settings_path;
  std::string frames_report;  // a file for milliseconds of each frame (building, drawing, CPU) and failures; or empty
  std::string state_report;   // a file for what is shown, anew after each frame; empty for none
  std::string picture;        // a file for the picture of the window once all is there, which then closes; or empty
};

// Until it is closed. Errors: view.no_display, view.no_opengl.
Status RunWindow(const WindowOptions& options);

}  // namespace cairn::ui
