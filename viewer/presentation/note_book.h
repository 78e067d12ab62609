#pragma once
// What people wrote about snapshots, their objects and types: kept by the snapshot's identity, so that a note stays
// with a file that is moved, in one small JSON file of the user's. Thread rule: every method from any thread.

#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "snapshot-format/file/model.h"
#include "snapshot-format/file/result.h"
#include "viewer/presentation/pages/page.h"

namespace cairn::presentation {

class NoteBook {
 public:
  // Empty: notes last as long as the book. What is in the file and is no note is set aside, never overwritten.
  explicit NoteBook(std::string path);

  // Empty where there is none.
  std::string Get(const NoteSubject& subject) const;
  // Written at once; an empty text takes the note away. Notes that another window wrote meanwhile stay.
  // Error notes.unwritable: the note is kept until the book ends.
  Status Set(const NoteSubject& subject, const std::string& text);
  // Things and texts of one snapshot, by thing.
  std::vector<std::pair<std::string, std::string>> Of(const std::string& snapshot) const;

 private:
  using Notes = std::map<std::string, std::map<std::string, std::string>>;

  static Notes Read(const std::string& path);
  Status Write() const;

  const std::string path_;
  mutable std::mutex mutex_;
  Notes notes_;
};

// What names a snapshot for notes: its id, or its path where it was given none.
std::string NoteNameOf(const snapshot::Summary& summary, const std::string& path);

}  // namespace cairn::presentation
