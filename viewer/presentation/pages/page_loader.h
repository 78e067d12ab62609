#pragma once
// Makes the page of a place: asks the sessions, and keeps the last pages, so that another order or filter asks nothing.
// Thread rule: every method from any thread.

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "viewer/presentation/pages/page.h"
#include "viewer/presentation/pages/session_set.h"

namespace cairn::presentation {

class NoteBook;
using PagePointer = std::shared_ptr<const Page>;

class PageLoader {
 public:
  explicit PageLoader(session::SnapshotSession::Options options, std::shared_ptr<const NoteBook> notes = nullptr)
      : sessions_(std::move(options)), notes_(std::move(notes)) {}

  // What the file's small tables tell at once; null for places that have no such part. Errors: those of opening.
  Result<PagePointer> Preview(const Place& place, analysis::Work& work);
  // Errors: those of opening and of the answers; a damaged file gives what is readable, with a notice.
  Result<PagePointer> Load(const Place& place, analysis::Work& work);
  // Forgets a file that may have changed.
  void Forget(const std::string& path);

 private:
  Result<PagePointer> Unarranged(const Place& place, analysis::Work& work);
  PagePointer Kept(const Place& place);
  void Keep(const Place& place, PagePointer page);

  SessionSet sessions_;
  std::shared_ptr<const NoteBook> notes_;
  std::mutex mutex_;
  std::vector<std::pair<Place, PagePointer>> kept_;  // the last used last
};

}  // namespace cairn::presentation
