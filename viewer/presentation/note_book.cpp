#include "viewer/presentation/note_book.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace cairn::presentation {
namespace {

using nlohmann::json;

}  // namespace

NoteBook::NoteBook(std::string path) : path_(std::move(path)) {
  if (!path_.empty()) notes_ = Read(path_);
}

NoteBook::Notes NoteBook::Read(const std::string& path) {
  Notes notes;
  std::ifstream file(path);
  if (!file) return notes;
  const json document = json::parse(file, nullptr, false);
  const auto snapshots = document.is_object() ? document.find("notes") : document.end();
  if (!document.is_object() || snapshots == document.end() || !snapshots->is_object()) {
    std::error_code error;
    std::filesystem::rename(path, path + ".unreadable", error);
    return notes;
  }
  for (const auto& [snapshot, things] : snapshots->items()) {
    if (!things.is_object()) continue;
    for (const auto& [thing, text] : things.items())
      if (text.is_string()) notes[snapshot][thing] = text.get<std::string>();
  }
  return notes;
}

std::string NoteBook::Get(const NoteSubject& subject) const {
  const std::lock_guard lock(mutex_);
  const auto snapshot = notes_.find(subject.snapshot);
  if (snapshot == notes_.end()) return {};
  const auto note = snapshot->second.find(subject.thing);
  return note == snapshot->second.end() ? std::string() : note->second;
}

Status NoteBook::Set(const NoteSubject& subject, const std::string& text) {
  const std::lock_guard lock(mutex_);
  if (!path_.empty() && access(path_.c_str(), R_OK) == 0) notes_ = Read(path_);
  if (text.empty())
    notes_[subject.snapshot].erase(subject.thing);
  else
    notes_[subject.snapshot][subject.thing] = text;
  if (notes_[subject.snapshot].empty()) notes_.erase(subject.snapshot);
  return path_.empty() ? Status() : Write();
}

std::vector<std::pair<std::string, std::string>> NoteBook::Of(const std::string& snapshot) const {
  const std::lock_guard lock(mutex_);
  const auto at = notes_.find(snapshot);
  if (at == notes_.end()) return {};
  return {at->second.begin(), at->second.end()};
}

Status NoteBook::Write() const {
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path_).parent_path(), error);
  const std::string temporary = path_ + ".new";
  bool is_written = false;
  {
    std::ofstream file(temporary);
    file << json{{"notes", notes_}}.dump(2, ' ', false, json::error_handler_t::replace) << "\n";
    is_written = static_cast<bool>(file.flush());
  }
  if (is_written) std::filesystem::rename(temporary, path_, error);
  if (is_written && !error) return {};
  return Fail(ErrorKind::kFailed, "notes.unwritable", "the note could not be kept: " + path_ + " cannot be written",
              "Make room, or make the folder writable; it stays until the window is closed.");
}

std::string NoteNameOf(const snapshot::Summary& summary, const std::string& path) {
  if (!summary.capture.id.empty()) return summary.capture.id;
  std::error_code error;
  const auto full = std::filesystem::absolute(path, error);
  return "file:" + (error ? path : full.string());
}

}  // namespace cairn::presentation
