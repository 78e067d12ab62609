#pragma once
// Where a command prints, and how: results on the standard output in the format asked for, everything else
// on the standard error.
// Thread rule: one thread.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "viewer/cli/fd_sink.h"
#include "viewer/presentation/render/text_style.h"

namespace cairn::cli {

enum class OutputFormat { kText, kJson, kCsv };

class Console {
 public:
  Console();

  OutputFormat format = OutputFormat::kText;
  bool verbose = false;

  FdSink& Out() { return out_; }
  const presentation::TextStyle& OutStyle() const { return out_style_; }
  const presentation::TextStyle& ErrorStyle() const { return error_style_; }
  bool ErrorIsTerminal() const { return error_is_terminal_; }

  void Print(std::string_view text) { out_.Write(text); }
  // What the command has done besides printing, "shop.cairn was written": told where the printing fails.
  void Did(std::string sentence) { done_ = std::move(sentence); }
  const std::string& Done() const { return done_; }
  // A line for people on the standard error, at once.
  void Note(std::string_view line);
  // Unbuffered, without a line end.
  void NoteRaw(std::string_view text);
  void ReportError(const std::string& command, const Error& error);

  // Text is cut for reading, data is not.
  std::optional<uint64_t> Top(std::optional<uint64_t> asked) const;

 private:
  FdSink out_;
  presentation::TextStyle out_style_, error_style_;
  bool error_is_terminal_;
  std::string done_;
};

}  // namespace cairn::cli
