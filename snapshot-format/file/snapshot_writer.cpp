#include "snapshot-format/file/snapshot_writer.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "snapshot-format/file/fields_blob.h"
#include "snapshot-format/file/row_archive.h"
#include "snapshot-format/file/rows.h"
#include "snapshot-format/file/schema.h"
#include "snapshot-format/file/snapshot_reader.h"
#include "snapshot-format/file/sqlite.h"
#include "snapshot-format/file/summary_check.h"
#include "snapshot-format/file/system_file.h"

namespace cairn::snapshot {
namespace {

// No journal: a file that is not finished is thrown away. Durability comes from the fsync before the
// rename. The cache only has to hold what is being filled.
constexpr const char* kPragmas =
    "PRAGMA page_size=65536;"
    "PRAGMA journal_mode=OFF;"
    "PRAGMA locking_mode=EXCLUSIVE;"
    "PRAGMA synchronous=OFF;"
    "PRAGMA temp_store=MEMORY;"
    "PRAGMA cache_size=-16384;";

std::string IdentityPragmas() {
  return "PRAGMA application_id=" + std::to_string(kApplicationId) +
         ";PRAGMA user_version=" + std::to_string(kFormatVersion);
}

// One table being filled: its statement and the digest of its rows. Ids count from 0.
struct TableWriter {
  Statement insert;
  RowDigest digest;

  template <class Record>
  Status Add(const Record& record) {
    RowBinder binder(insert, digest);
    binder("id", digest.Rows());
    Row(binder, const_cast<Record&>(record));  // a description serves both directions; this one only reads
    return binder.Run();
  }
};

// Takes the metadata description and writes one row per name.
class MetadataBinder {
 public:
  explicit MetadataBinder(TableWriter& table) : table_(table) {}

  template <class T>
  void operator()(const char* name, const T& value) {
    if (!status_) return;
    RowBinder binder(table_.insert, table_.digest);
    const std::string kept = name;
    binder("id", table_.digest.Rows());
    binder("name", kept);
    binder("value", value);
    status_ = binder.Run();
  }
  Status TakeStatus() { return std::move(status_); }

 private:
  TableWriter& table_;
  Status status_;
};

Error Invalid(const std::string& path, const std::string& what) {
  return {ErrorKind::kFailed, "output.invalid", path + " was not written: " + what,
          "This is a defect of Cairn; please report it."};
}

Status CheckTypes(const std::string& path, const std::vector<Type>& types) {
  for (size_t i = 0; i < types.size(); ++i) {
    const stream::TypeLayout& layout = types[i].layout;
    if (types[i].fixed_slots.size() != layout.fixed_slots || types[i].element_slots.size() != layout.element_slots ||
        types[i].value_slots.size() != layout.value_slots) {
      return tl::make_unexpected(Invalid(path, "type " + std::to_string(i) + " has other slots than its layout"));
    }
  }
  return {};
}

bool IsCompleteSnapshot(const std::string& path) {
  const auto reader = SnapshotReader::Open(path);
  return reader && (*reader)->Summary().complete;
}

// "a/shop.cairn" → "a/shop.incomplete.cairn", or with a number where a complete snapshot has that name.
std::string PathBeside(const std::string& path) {
  const std::filesystem::path given = path;
  const std::string stem = (given.parent_path() / given.stem()).string() + ".incomplete";
  std::string beside = stem + ".cairn";
  for (int number = 2; IsCompleteSnapshot(beside); ++number) beside = stem + std::to_string(number) + ".cairn";
  return beside;
}

}  // namespace

struct SnapshotWriter::Impl {
  explicit Impl(PartialFile file) : partial(std::move(file)) {}

  Status Prepare();
  Status AddChunk(const stream::ChunkHeader& header, std::span<const StoredColumn> columns);
  Status AddFields(uint32_t type, std::span<const Field> values);
  Status WriteEnd(const Summary& summary);
  // Without a journal nothing can be taken back: after a failed write every later call fails the same way.
  template <class Write>
  Status Do(const Write& write) {
    if (state) state = write();
    return state;
  }
  Status AddColumn(uint64_t chunk, const StoredColumn& column);
  Status AddMetadata(const Summary& summary);
  Status AddTypes(const std::vector<Type>& types);
  template <class Record>
  Status AddAll(TableId table, const std::vector<Record>& records) {
    for (const Record& record : records) CAIRN_TRY(Table(table).Add(record));
    return {};
  }
  Status AddSmallTables(const Summary& summary);
  Status PrepareTable(TableId id);
  Status PrepareOptional(size_t which);
  Status AddTracking(const Tracking& tracking);
  Status AddSampling(const Sampling& sampling);
  Status AddCompleteness();
  TableWriter& Table(TableId id) { return *tables[static_cast<size_t>(id)]; }

  std::string path;
  bool overwrite = false;
  Status state;
  PartialFile partial;  // removed after the database is closed: members die in reverse order
  std::optional<Database> database;
  std::array<std::optional<TableWriter>, kAllTableCount> tables;
  OptionalSet present;
  std::vector<FieldsStamp> fields;  // by type id; as many as were given
};

SnapshotWriter::SnapshotWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
SnapshotWriter::~SnapshotWriter() = default;

Result<std::unique_ptr<SnapshotWriter>> SnapshotWriter::Create(const std::string& path, const Options& options) {
  if (path.empty())
    return Fail(ErrorKind::kUsage, "output.unwritable", "the output has no name", "Name it with --output.");
  const Status free = options.overwrite ? CheckReplaceable(path) : CheckAbsent(path);
  if (!free) return tl::make_unexpected(free.error());
  RemoveDeadPartials(path);
  Result<PartialFile> partial = PartialFile::Create(path);
  if (!partial) return tl::make_unexpected(partial.error());
  auto impl = std::make_unique<Impl>(std::move(*partial));
  impl->path = path;
  impl->overwrite = options.overwrite;
  // Absolute, so that no name can be taken for one of SQLite's special ones.
  const std::string absolute = std::filesystem::absolute(impl->partial.Path()).string();
  Result<Database> database =
      Database::Open(absolute, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, options.vfs, Access::kWrite);
  if (!database) return tl::make_unexpected(database.error());
  impl->database.emplace(std::move(*database));
  if (Status status = impl->Prepare(); !status) return tl::make_unexpected(status.error());
  return std::unique_ptr<SnapshotWriter>(new SnapshotWriter(std::move(impl)));
}

// Identity and empty tables are committed at once, so that what a killed writer leaves is told from a
// damaged snapshot. Everything else is one transaction.
Status SnapshotWriter::Impl::Prepare() {
  CAIRN_TRY(database->Execute(kPragmas));
  CAIRN_TRY(database->Execute("BEGIN"));
  CAIRN_TRY(database->Execute(IdentityPragmas()));
  for (size_t i = 0; i < kTableCount; ++i) CAIRN_TRY(database->Execute(Definition(static_cast<TableId>(i)).sql));
  CAIRN_TRY(database->Execute("COMMIT"));
  CAIRN_TRY(database->Execute("BEGIN"));
  for (size_t i = 0; i < kTableCount; ++i) CAIRN_TRY(PrepareTable(static_cast<TableId>(i)));
  return {};
}

Status SnapshotWriter::Impl::PrepareTable(TableId id) {
  Result<Statement> insert =
      Statement::Prepare(*database, InsertSql(id), std::string("writing table ") + Definition(id).name);
  if (!insert) return tl::make_unexpected(insert.error());
  tables[static_cast<size_t>(id)].emplace(TableWriter{std::move(*insert), {}});
  return {};
}

// These tables are made only now: a snapshot that has nothing to say there has none of them.
Status SnapshotWriter::Impl::PrepareOptional(size_t which) {
  for (const TableId id : TablesOf(kOptionalTables[which])) {
    CAIRN_TRY(database->Execute(Definition(id).sql));
    CAIRN_TRY(PrepareTable(id));
  }
  present.set(which);
  return {};
}

Status SnapshotWriter::Impl::AddTracking(const Tracking& tracking) {
  CAIRN_TRY(PrepareOptional(kTrackingTables));
  CAIRN_TRY(Table(TableId::kTracking).Add(tracking));
  return AddAll(TableId::kIdentity, tracking.ranges);
}

Status SnapshotWriter::Impl::AddSampling(const Sampling& sampling) {
  if (const std::string wrong = CheckSampling(sampling); !wrong.empty())
    return tl::make_unexpected(Invalid(path, wrong));
  CAIRN_TRY(PrepareOptional(kSamplingTables));
  CAIRN_TRY(Table(TableId::kSampling).Add(sampling));
  CAIRN_TRY(AddAll(TableId::kAllocationMethods, sampling.methods));
  CAIRN_TRY(AddAll(TableId::kAllocationFrames, sampling.frames));
  CAIRN_TRY(AddAll(TableId::kAllocations, sampling.totals));
  return AddAll(TableId::kAllocated, sampling.objects);
}

Status SnapshotWriter::AddChunk(const stream::ChunkHeader& header, std::span<const StoredColumn> columns) {
  return impl_->Do([&] { return impl_->AddChunk(header, columns); });
}

Status SnapshotWriter::AddFields(uint32_t type, std::span<const Field> fields) {
  return impl_->Do([&] { return impl_->AddFields(type, fields); });
}

const std::string& SnapshotWriter::ChoosePath(bool complete) {
  Impl& impl = *impl_;
  if (!complete && impl.overwrite && IsCompleteSnapshot(impl.path)) {
    impl.path = PathBeside(impl.path);
    impl.partial.Rename(impl.path);
  }
  return impl.path;
}

Result<uint64_t> SnapshotWriter::Finish(const Summary& summary) {
  if (Status status = impl_->Do([&] { return impl_->WriteEnd(summary); }); !status) {
    return tl::make_unexpected(status.error());
  }
  impl_->state = tl::make_unexpected(Invalid(impl_->path, "it was finished before"));
  return impl_->partial.Publish(impl_->overwrite);
}

Status SnapshotWriter::Impl::AddChunk(const stream::ChunkHeader& header, std::span<const StoredColumn> columns) {
  ChunkRow row{header, {}};
  const uint64_t chunk = Table(TableId::kChunks).digest.Rows();
  for (const StoredColumn& column : columns) {
    const size_t slot = stream::ColumnSlot(column.kind);
    if (slot >= stream::kColumnCount || column.raw_size > Limits{}.max_column_bytes || row.raw_size[slot] != 0) {
      return tl::make_unexpected(Invalid(path, "a column of chunk " + std::to_string(chunk) + " is impossible"));
    }
    if (column.raw_size == 0) continue;
    row.raw_size[slot] = column.raw_size;
    CAIRN_TRY(AddColumn(chunk, column));
  }
  return Table(TableId::kChunks).Add(row);
}

Status SnapshotWriter::Impl::AddColumn(uint64_t chunk, const StoredColumn& column) {
  TableWriter& table = Table(TableId::kColumns);
  RowBinder binder(table.insert, table.digest);
  table.insert.BindInteger(0, ColumnId(chunk, column.kind));
  table.insert.BindInteger(1, ColumnChecksum(chunk, column.kind, column.compressed));
  table.insert.BindBlob(2, column.compressed);
  return binder.Run();
}

Status SnapshotWriter::Impl::AddFields(uint32_t type, std::span<const Field> values) {
  if (type >= Limits{}.max_types || values.size() > Limits{}.max_fields_per_type) {
    return tl::make_unexpected(Invalid(path, "the fields of type " + std::to_string(type) + " pass the limits"));
  }
  if (values.empty()) return {};
  if (type >= fields.size()) fields.resize(size_t{type} + 1);
  const std::vector<uint8_t> data = PackFields(values);
  fields[type] = {static_cast<uint32_t>(values.size()), FieldsChecksum(type, data)};
  TableWriter& table = Table(TableId::kFields);
  RowBinder binder(table.insert, table.digest);
  table.insert.BindInteger(0, type);
  table.insert.BindBlob(1, data);
  return binder.Run();
}

Status SnapshotWriter::Impl::AddMetadata(const Summary& summary) {
  MetadataBinder binder(Table(TableId::kMetadata));
  Metadata(binder, const_cast<Summary&>(summary));  // as in TableWriter::Add
  return binder.TakeStatus();
}

Status SnapshotWriter::Impl::AddTypes(const std::vector<Type>& types) {
  if (fields.size() > types.size())
    return tl::make_unexpected(Invalid(path, "fields were given for a type that is not there"));
  fields.resize(types.size());
  TypeRow row;
  for (size_t i = 0; i < types.size(); ++i) {
    row.type = types[i];
    row.fields = fields[i];
    CAIRN_TRY(Table(TableId::kTypes).Add(row));
  }
  return {};
}

Status SnapshotWriter::Impl::AddSmallTables(const Summary& summary) {
  CAIRN_TRY(AddMetadata(summary));
  CAIRN_TRY(AddAll(TableId::kProblems, summary.problems));
  CAIRN_TRY(AddAll(TableId::kRanges, summary.ranges));
  CAIRN_TRY(AddAll(TableId::kModules, summary.modules));
  CAIRN_TRY(AddTypes(summary.types));
  CAIRN_TRY(AddAll(TableId::kThreads, summary.threads));
  CAIRN_TRY(AddAll(TableId::kRoots, summary.roots));
  CAIRN_TRY(AddAll(TableId::kDependents, summary.dependents));
  CAIRN_TRY(AddAll(TableId::kMethods, summary.methods));
  if (summary.tracking) CAIRN_TRY(AddTracking(*summary.tracking));
  return summary.sampling ? AddSampling(*summary.sampling) : Status();
}

Status SnapshotWriter::Impl::AddCompleteness() {
  TableWriter& completeness = Table(TableId::kCompleteness);
  for (const TableId id : CompletenessOrder(present)) {
    const TableDefinition& definition = Definition(id);
    CompletenessRow row{definition.name, Table(id).digest.Rows(), std::nullopt};
    if (definition.has_checksum) row.checksum = Table(id).digest.Checksum();
    CAIRN_TRY(completeness.Add(row));
  }
  return {};
}

Status SnapshotWriter::Impl::WriteEnd(const Summary& summary) {
  CAIRN_TRY(CheckTypes(path, summary.types));
  CAIRN_TRY(AddSmallTables(summary));
  CAIRN_TRY(AddCompleteness());
  CAIRN_TRY(database->Execute("COMMIT"));
  for (auto& table : tables) table.reset();
  return database->Close();
}

}  // namespace cairn::snapshot
