// Places as command lines that can be pasted into a shell.

#include <algorithm>

#include "viewer/presentation/place.h"

namespace cairn::presentation {
namespace {

const char* CommandName(View view) {
  switch (view) {
    case View::kStart:
      return "ps";
    case View::kOverview:
      return "info";
    case View::kPaths:
      return "path";
    case View::kTimeline:
      return "diff";
    case View::kSql:
      return "query";
    case View::kTreemap:
      return "dominators";
    default:
      return InfoOf(view).word;
  }
}

// Words of the --sort of a command: others, and ascending orders, exist in the desktop only.
std::vector<std::string> SortWords(View view) {
  if (view == View::kTypes || view == View::kDiff) return {"retained", "bytes", "objects"};
  if (view == View::kObjects) return {"retained", "bytes"};
  return {};
}

class CommandWriter {
 public:
  explicit CommandWriter(std::string start) : text_(std::move(start)) {}

  void Word(std::string_view word) { text_ += " " + ShellWord(word); }
  void Option(const char* name, const std::string& value) {
    if (value.empty()) return;
    text_ += " ";
    text_ += name;
    Word(value);
  }
  void Flag(const char* name) { text_ += std::string(" ") + name; }
  std::string Text() const { return text_; }

 private:
  std::string text_;
};

void PutObject(CommandWriter& command, const Place& place) {
  if (!place.object) return;
  const std::string name = "@" + std::to_string(*place.object);
  if (place.view == View::kObject) return command.Word(name);
  command.Option(place.view == View::kPaths ? "--object" : "--of", name);
}

void PutSort(CommandWriter& command, const Place& place) {
  if (place.sort.empty()) return;
  const SortKey& key = place.sort.front();
  const auto words = SortWords(place.view);
  if (!key.ascending && std::find(words.begin(), words.end(), key.column) != words.end())
    command.Option("--sort", key.column);
  if (place.view == View::kObjects && key.ascending && key.column == "address") command.Option("--sort", key.column);
}

void PutFiles(CommandWriter& command, const Place& place) {
  if (place.view != View::kSuspects || place.files.size() < 2) {
    for (const std::string& file : place.files) command.Word(file);
    return;
  }
  command.Word(place.files.back());
  command.Option("--base", place.files.front());
}

// What no other command prints.
bool IsOnlyInTheWindow(const Place& place) {
  const bool is_alone = place.view == View::kTimeline && place.files.size() < 2;
  if (!place.path.empty()) return true;
  const bool is_of_samples =
      place.view == View::kAllocations || place.view == View::kFlame || place.view == View::kAllocationGraph;
  return is_alone || is_of_samples || place.view == View::kNotes || (place.view == View::kSql && place.sql.empty());
}

}  // namespace

std::string ShellWord(std::string_view word) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./@:,+%=";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos) return std::string(word);
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'')
      quoted += "'\\''";
    else
      quoted += c;
  }
  return quoted + "'";
}

std::string CommandOf(const Place& place) {
  if (IsOnlyInTheWindow(place)) return ViewCommandOf(place);
  CommandWriter command(std::string("cairn ") + CommandName(place.view));
  PutFiles(command, place);
  if (place.view == View::kTypes && !place.filter.empty()) command.Word(place.filter);
  PutObject(command, place);
  command.Option("--type", place.type);
  command.Option("--generation", place.generation);
  if (place.unreachable) command.Flag("--unreachable");
  command.Option("--kind", place.kind);
  command.Option("--by", place.by);
  if (place.view == View::kSql) command.Word(place.sql);
  PutSort(command, place);
  return command.Text();
}

std::string ViewCommandOf(const Place& place) {
  CommandWriter command("cairn view");
  for (const std::string& file : place.files) command.Word(file);
  Place rest = place;
  rest.files.clear();
  // Of a comparison that is not of all files the text names them.
  command.Option("--at", place.view == View::kSuspects && place.files.size() > 1 ? ToText(place) : ToText(rest));
  return command.Text();
}

}  // namespace cairn::presentation
