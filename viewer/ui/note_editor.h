#pragma once
// The note about what is shown: its text, or a field to write it.
// Thread rule: the window's thread. Ownership: observes the book.

#include <optional>
#include <string>

#include "viewer/presentation/note_book.h"
#include "viewer/ui/probe.h"
#include "viewer/ui/theme.h"

namespace cairn::ui {

class NoteEditor {
 public:
  explicit NoteEditor(presentation::NoteBook& book) : book_(book) {}

  // Opens the field for the next subject that is drawn; writes and closes it where it is open.
  void Toggle() { toggled_ = true; }
  // A status where a note was written: whether it could be kept.
  std::optional<Status> Draw(const presentation::NoteSubject& subject, const Theme& theme, Probe* probe);
  // Writes what is being typed; for a window that goes somewhere else.
  std::optional<Status> Close();

 private:
  void Open(const presentation::NoteSubject& subject);
  std::optional<Status> DrawField(const Theme& theme, Probe* probe);

  presentation::NoteBook& book_;
  bool toggled_ = false, take_focus_ = false;
  std::optional<presentation::NoteSubject> subject_;  // of the open field
  std::string text_;
};

}  // namespace cairn::ui
