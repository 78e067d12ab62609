#include "snapshot-format/file/small_tables.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "snapshot-format/file/file_header.h"
#include "snapshot-format/file/row_archive.h"
#include "snapshot-format/file/schema.h"
#include "snapshot-format/file/summary_check.h"

namespace cairn::snapshot {
namespace {

struct Promise {
  uint64_t rows = 0;
  std::optional<uint64_t> checksum;
};
using Promises = std::array<Promise, kAllTableCount>;

// Reads rows of one table in order of id and compares their number and checksum with what was promised.
class TableReader {
 public:
  TableReader(const Database& database, const std::string& path, const Limits& limits, TableId table)
      : database_(database), path_(path), limits_(limits), table_(table) {}

  // Calls row(parser) for each of the rows, of which there must be `promise.rows`.
  template <class ReadRow>
  Status Read(const Promise& promise, uint64_t most, const ReadRow& read_row) {
    if (promise.rows > most)
      return Wrong("claims " + std::to_string(promise.rows) + " rows, more than any snapshot has");
    Result<Statement> select =
        Statement::Prepare(database_, SelectSql(table_), std::string("reading table ") + Definition(table_).name);
    if (!select) return tl::make_unexpected(select.error());
    for (uint64_t i = 0; i < promise.rows; ++i) {
      const Result<bool> row = select->Step();
      if (!row) return tl::make_unexpected(row.error());
      if (!*row) return Wrong("has only " + std::to_string(i) + " of " + std::to_string(promise.rows) + " rows");
      CAIRN_TRY(ReadOne(*select, i, read_row));
    }
    const Result<bool> another = select->Step();
    if (!another) return tl::make_unexpected(another.error());
    if (*another) return Wrong("has more than " + std::to_string(promise.rows) + " rows");
    if (promise.checksum && *promise.checksum != digest_.Checksum()) return Wrong("does not match its checksum");
    return {};
  }
  Status Wrong(const std::string& what) const {
    return tl::make_unexpected(Damaged(path_, std::string("table ") + Definition(table_).name + " " + what));
  }
  // Checksum of the rows before the one that is being read.
  uint32_t RowChecksum() const { return before_; }

 private:
  template <class ReadRow>
  Status ReadOne(const Statement& select, uint64_t index, const ReadRow& read_row) {
    if (table_ == TableId::kCompleteness) before_ = digest_.Checksum();
    RowParser parser(select, digest_, limits_);
    uint64_t id = 0;
    parser("id", id);
    read_row(parser);
    digest_.EndRow();
    if (!parser.WhatIsWrong().empty()) return Wrong("row " + std::to_string(index) + ": " + parser.WhatIsWrong());
    if (id != index) return Wrong("lacks row " + std::to_string(index));
    return {};
  }

  const Database& database_;
  const std::string& path_;
  const Limits& limits_;
  TableId table_;
  RowDigest digest_;
  uint32_t before_ = 0;
};

// Takes the metadata description; each call reads the row of one name.
class MetadataNames {
 public:
  template <class T>
  void operator()(const char* name, T&) {
    names.push_back(name);
  }
  std::vector<const char*> names;
};

// Parses the value of the row whose turn it is.
class MetadataValue {
 public:
  MetadataValue(RowParser& parser, uint64_t turn) : parser_(parser), turn_(turn) {}
  template <class T>
  void operator()(const char* name, T& value) {
    if (at_++ == turn_) parser_(name, value);
  }

 private:
  RowParser& parser_;
  uint64_t turn_;
  uint64_t at_ = 0;
};

class SmallTablesReader {
 public:
  SmallTablesReader(const Database& database, const std::string& path, const Limits& limits)
      : database_(database), path_(path), limits_(limits) {}

  Result<SmallTables> Read();

 private:
  Status CheckSchema();
  Status CheckOptionalTables(Statement& select);
  Status CheckOptional(Statement& select, const OptionalTables& tables);
  Status CheckDefinition(const Statement& row, TableId table);
  Status ReadPromises();
  Status CheckPromises(const std::vector<CompletenessRow>& rows, uint32_t checksum);
  Status ReadMetadata();
  Status ReadTypes();
  Status ReadChunks();
  Status ReadTracking();
  Status ReadSampling();
  Status CheckTotals();
  template <class Record>
  Status ReadAll(TableId table, uint64_t most, std::vector<Record>& records);
  TableReader Table(TableId table) const { return TableReader(database_, path_, limits_, table); }
  const Promise& PromiseOf(TableId table) const { return promises_[static_cast<size_t>(table)]; }

  const Database& database_;
  const std::string& path_;
  const Limits& limits_;
  OptionalSet present_;
  Promises promises_;
  SmallTables out_;
};

// The schema must be ours to the letter: nothing else may be in the file, no view, trigger or index.
Status SmallTablesReader::CheckSchema() {
  Result<Statement> select = Statement::Prepare(
      database_, "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid", "reading the schema");
  if (!select) return tl::make_unexpected(select.error());
  for (size_t i = 0; i < kTableCount; ++i) {
    const Result<bool> row = select->Step();
    if (!row) return tl::make_unexpected(row.error());
    if (!*row)
      return tl::make_unexpected(
          Damaged(path_, std::string("table ") + Definition(static_cast<TableId>(i)).name + " is missing"));
    CAIRN_TRY(CheckDefinition(*select, static_cast<TableId>(i)));
  }
  return CheckOptionalTables(*select);
}

// `select` stands behind the tables that every snapshot has.
Status SmallTablesReader::CheckOptionalTables(Statement& select) {
  for (Result<bool> row = select.Step();; row = select.Step()) {
    if (!row) return tl::make_unexpected(row.error());
    if (!*row) return {};
    size_t next = 0;
    const std::span<const uint8_t> name = select.Bytes(1);
    while (next < std::size(kOptionalTables) &&
           !std::ranges::equal(name, std::string_view(Definition(kOptionalTables[next].first).name)))
      ++next;
    if (next == std::size(kOptionalTables) || (present_ >> next).any())
      return tl::make_unexpected(Damaged(path_, "its schema holds more than the tables of a snapshot"));
    CAIRN_TRY(CheckOptional(select, kOptionalTables[next]));
    present_.set(next);
  }
}

// `select` stands at the first of them.
Status SmallTablesReader::CheckOptional(Statement& select, const OptionalTables& tables) {
  for (const TableId id : TablesOf(tables)) {
    const Result<bool> row = id == tables.first ? Result<bool>(true) : select.Step();
    if (!row) return tl::make_unexpected(row.error());
    if (!*row) return tl::make_unexpected(Damaged(path_, std::string("table ") + Definition(id).name + " is missing"));
    CAIRN_TRY(CheckDefinition(select, id));
  }
  return {};
}

Status SmallTablesReader::CheckDefinition(const Statement& row, TableId table) {
  const auto text = [&row](int at) {
    const std::span<const uint8_t> bytes = row.Bytes(at);
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  };
  const TableDefinition& expected = Definition(table);
  if (text(0) == "table" && text(1) == expected.name && text(2) == expected.name && text(3) == expected.sql) return {};
  return tl::make_unexpected(Damaged(path_, std::string("the definition of table ") + expected.name + " is another"));
}

Status SmallTablesReader::ReadPromises() {
  Result<Statement> any =
      Statement::Prepare(database_, "SELECT id FROM completeness LIMIT 1", "reading table completeness");
  if (!any) return tl::make_unexpected(any.error());
  const Result<bool> row = any->Step();
  if (!row) return tl::make_unexpected(row.error());
  if (!*row) {
    return Fail(ErrorKind::kDamaged, "snapshot.unfinished",
                path_ + " was never finished: the capture that wrote it was interrupted",
                "Capture anew; the file can be removed.");
  }
  std::vector<CompletenessRow> rows;
  TableReader table = Table(TableId::kCompleteness);
  uint32_t before_last = 0;
  const uint64_t tables = CompletenessOrder(present_).size();
  CAIRN_TRY(table.Read({tables, std::nullopt}, tables, [&](RowParser& parser) {
    before_last = table.RowChecksum();
    Row(parser, rows.emplace_back());
  }));
  return CheckPromises(rows, before_last);
}

// The last row speaks of the rows before it.
Status SmallTablesReader::CheckPromises(const std::vector<CompletenessRow>& rows, uint32_t checksum) {
  const TableReader table = Table(TableId::kCompleteness);
  const std::vector<TableId> order = CompletenessOrder(present_);
  for (size_t i = 0; i < rows.size(); ++i) {
    const TableDefinition& definition = Definition(order[i]);
    if (rows[i].table != definition.name) return table.Wrong("names another table in row " + std::to_string(i));
    if (rows[i].checksum.has_value() != definition.has_checksum)
      return table.Wrong("has a misplaced checksum in row " + std::to_string(i));
    promises_[static_cast<size_t>(order[i])] = {rows[i].rows, rows[i].checksum};
  }
  const CompletenessRow& last = rows.back();
  if (last.rows != rows.size() - 1 || last.checksum != checksum) return table.Wrong("does not match its checksum");
  return {};
}

Status SmallTablesReader::ReadMetadata() {
  MetadataNames names;
  Metadata(names, out_.summary);
  TableReader table = Table(TableId::kMetadata);
  uint64_t turn = 0;
  std::string misnamed;
  CAIRN_TRY(table.Read(PromiseOf(TableId::kMetadata), names.names.size(), [&](RowParser& parser) {
    std::string name;
    parser("name", name);
    if (name != names.names[turn]) misnamed = name;
    MetadataValue value(parser, turn++);
    Metadata(value, out_.summary);
  }));
  if (!misnamed.empty()) return table.Wrong("holds the unexpected name \"" + misnamed.substr(0, 64) + "\"");
  if (turn != names.names.size()) return table.Wrong("lacks a name");
  return {};
}

template <class Record>
Status SmallTablesReader::ReadAll(TableId table, uint64_t most, std::vector<Record>& records) {
  return Table(table).Read(PromiseOf(table), most, [&](RowParser& parser) { Row(parser, records.emplace_back()); });
}

Status SmallTablesReader::ReadTypes() {
  return Table(TableId::kTypes).Read(PromiseOf(TableId::kTypes), limits_.max_types, [&](RowParser& parser) {
    TypeRow row;
    Row(parser, row);
    out_.summary.types.push_back(std::move(row.type));
    out_.fields.push_back(row.fields);
  });
}

Status SmallTablesReader::ReadChunks() {
  TableReader table = Table(TableId::kChunks);
  CAIRN_TRY(table.Read(PromiseOf(TableId::kChunks), limits_.max_chunks, [&](RowParser& parser) {
    StoredChunk& chunk = out_.chunks.emplace_back();
    chunk.id = out_.chunks.size() - 1;
    Row(parser, chunk.row);
  }));
  std::ranges::sort(out_.chunks, {}, [](const StoredChunk& chunk) {
    return std::pair(chunk.row.header.range, chunk.row.header.sequence);
  });
  const std::string wrong = CheckChunks(out_.chunks, out_.summary, limits_);
  return wrong.empty() ? Status() : tl::make_unexpected(Damaged(path_, wrong));
}

Status SmallTablesReader::ReadTracking() {
  if (!present_[kTrackingTables]) return {};
  std::vector<Tracking> rows;
  CAIRN_TRY(ReadAll(TableId::kTracking, 1, rows));
  if (rows.size() != 1) return Table(TableId::kTracking).Wrong("has no row");
  out_.summary.tracking = std::move(rows[0]);
  CAIRN_TRY(ReadAll(TableId::kIdentity, limits_.max_identity_ranges, out_.summary.tracking->ranges));
  const std::string wrong = CheckIdentity(*out_.summary.tracking);
  return wrong.empty() ? Status() : tl::make_unexpected(Damaged(path_, wrong));
}

Status SmallTablesReader::ReadSampling() {
  if (!present_[kSamplingTables]) return {};
  std::vector<Sampling> rows;
  CAIRN_TRY(ReadAll(TableId::kSampling, 1, rows));
  if (rows.size() != 1) return Table(TableId::kSampling).Wrong("has no row");
  Sampling& sampling = out_.summary.sampling.emplace(std::move(rows[0]));
  CAIRN_TRY(ReadAll(TableId::kAllocationMethods, limits_.max_allocation_rows, sampling.methods));
  CAIRN_TRY(ReadAll(TableId::kAllocationFrames, limits_.max_allocation_rows, sampling.frames));
  CAIRN_TRY(ReadAll(TableId::kAllocations, limits_.max_allocation_rows, sampling.totals));
  CAIRN_TRY(ReadAll(TableId::kAllocated, limits_.max_allocation_rows, sampling.objects));
  const std::string wrong = CheckSampling(sampling);
  return wrong.empty() ? Status() : tl::make_unexpected(Damaged(path_, wrong));
}

// Counts that are told twice must agree.
Status SmallTablesReader::CheckTotals() {
  const Summary& summary = out_.summary;
  const auto differ = [&](const char* what) {
    return tl::make_unexpected(Damaged(path_, std::string("its total of ") + what + " is another than there are rows"));
  };
  if (summary.totals.types != summary.types.size()) return differ("types");
  if (summary.totals.roots != summary.roots.size()) return differ("roots");
  if (summary.totals.dependents != summary.dependents.size()) return differ("dependent handles");
  if (summary.totals.chunks != out_.chunks.size()) return differ("chunks");
  return {};
}

Result<SmallTables> SmallTablesReader::Read() {
  Summary& summary = out_.summary;
  const auto read = [&]() -> Status {
    CAIRN_TRY(CheckSchema());
    CAIRN_TRY(ReadPromises());
    CAIRN_TRY(ReadMetadata());
    CAIRN_TRY(ReadAll(TableId::kProblems, limits_.max_small_rows, summary.problems));
    CAIRN_TRY(ReadAll(TableId::kRanges, limits_.max_ranges, summary.ranges));
    CAIRN_TRY(ReadAll(TableId::kModules, limits_.max_small_rows, summary.modules));
    CAIRN_TRY(ReadTypes());
    CAIRN_TRY(ReadAll(TableId::kThreads, limits_.max_small_rows, summary.threads));
    CAIRN_TRY(ReadAll(TableId::kRoots, limits_.max_roots, summary.roots));
    CAIRN_TRY(ReadAll(TableId::kDependents, limits_.max_roots, summary.dependents));
    CAIRN_TRY(ReadAll(TableId::kMethods, limits_.max_small_rows, summary.methods));
    if (const std::string wrong = CheckSummary(summary, limits_); !wrong.empty())
      return tl::make_unexpected(Damaged(path_, wrong));
    CAIRN_TRY(ReadTracking());
    CAIRN_TRY(ReadSampling());
    CAIRN_TRY(ReadChunks());
    return CheckTotals();
  };
  if (Status status = read(); !status) return tl::make_unexpected(status.error());
  out_.fields_rows = PromiseOf(TableId::kFields).rows;
  out_.columns_rows = PromiseOf(TableId::kColumns).rows;
  return std::move(out_);
}

}  // namespace

Result<SmallTables> ReadSmallTables(const Database& database, const std::string& path, const Limits& limits) {
  return SmallTablesReader(database, path, limits).Read();
}

}  // namespace cairn::snapshot
