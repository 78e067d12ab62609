#pragma once
// What a series of snapshots prints: a row as each is taken, the document at its end, progress and notes between.
// Thread rule: one thread.

#include <memory>
#include <optional>
#include <string>

#include "collector/client/series_loop.h"
#include "viewer/cli/command.h"
#include "viewer/cli/progress.h"
#include "viewer/presentation/documents/series_document.h"
#include "viewer/presentation/tables/table.h"

namespace cairn::cli {

class SeriesOutput {
 public:
  // `beside`: a program of its own prints on the standard output. Rows then go to the standard error, for a person (a
  // terminal, or --verbose) as a table, else as a sentence each; data comes at the end.
  SeriesOutput(Console& console, bool beside);
  ~SeriesOutput();

  client::SeriesEvents Events();
  void Show(const client::CaptureProgress& at);
  // Takes a progress line away and says the sentence.
  void Note(const std::string& sentence);
  // The document, or the rows that were kept for the end. `reason`: as in the contract.
  void Finish(const std::string& reason, const std::optional<Error>& error);
  bool AllComplete() const { return all_complete_; }
  bool IsForAPerson() const { return for_person_; }

 private:
  class NoteSink;
  void Taken(const client::CaptureResult& captured, client::SnapshotCause cause);
  void Removed(const std::string& path);
  void NoteSnapshot(const client::CaptureResult& captured, client::SnapshotCause cause);
  void PrintRow(const client::CaptureResult& captured, client::SnapshotCause cause);

  Console& console_;
  const bool beside_, for_person_;
  Progress progress_;
  std::unique_ptr<NoteSink> notes_;
  presentation::StringSink kept_;
  std::unique_ptr<presentation::RowSink> rows_;
  presentation::SeriesDocument document_;
  uint64_t number_ = 0, bytes_before_ = 0;
  bool all_complete_ = true;
};

}  // namespace cairn::cli
