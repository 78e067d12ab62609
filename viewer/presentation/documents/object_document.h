#pragma once
// Everything about one object: what it is, its fields, who refers to it, which roots hold it directly.

#include <optional>
#include <string>
#include <vector>

#include "viewer/presentation/render/json_document.h"
#include "viewer/presentation/render/text_style.h"
#include "viewer/presentation/tables/table.h"
#include "viewer/session/snapshot_session.h"

namespace cairn::presentation {

struct ObjectDocument {
  const snapshot::Summary* summary = nullptr;  // of the session, which outlives the document
  const analysis::HeapGraph* graph = nullptr;  // the same
  session::ObjectInfo object;
  session::ObjectFields fields;
  session::ObjectReferrers referrers;
  std::vector<bool> is_garbage;          // by referrer: nothing keeps it alive
  std::vector<session::RootInfo> roots;  // that refer to it
  std::string sense;                     // what it is to a .NET programmer; mostly empty
};

// At most `limit` fields and referrers. Errors: those of the session.
Result<ObjectDocument> MakeObjectDocument(session::SnapshotSession& session, analysis::ObjectIndex object,
                                          uint64_t limit, analysis::Work& work);

Json ObjectFieldsJson(const ObjectDocument& document);
void WriteObjectText(const ObjectDocument& document, TextStyle style, ByteSink& sink);

// Where the object itself was allocated if it was sampled, and its like; only where allocations were sampled.
std::string AllocatedWords(const ObjectDocument& document);

class FieldsTable : public Table {
 public:
  explicit FieldsTable(const ObjectDocument& document) : document_(document) {}

  std::vector<Column> Columns() const override;
  uint64_t RowCount() const override { return document_.fields.fields.size(); }
  std::vector<Cell> Row(uint64_t row) const override;

 private:
  const ObjectDocument& document_;
};

class ReferrersTable : public Table {
 public:
  explicit ReferrersTable(const ObjectDocument& document) : document_(document) {}

  std::vector<Column> Columns() const override;
  uint64_t RowCount() const override { return document_.referrers.referrers.size(); }
  std::vector<Cell> Row(uint64_t row) const override;

 private:
  const ObjectDocument& document_;
};

}  // namespace cairn::presentation
