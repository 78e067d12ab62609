#include "snapshot-format/file/snapshot_reader.h"

#include <algorithm>
#include <optional>
#include <span>

#include "snapshot-format/file/compression.h"
#include "snapshot-format/file/fields_blob.h"
#include "snapshot-format/file/file_header.h"
#include "snapshot-format/file/small_tables.h"
#include "snapshot-format/file/snapshot_database.h"

namespace cairn::snapshot {
namespace {

// What never changes after Open, shared by the readers of one file.
struct Shared {
  std::string path;
  uint64_t file_bytes = 0;
  Limits limits;
  SmallTables tables;
  std::vector<ChunkInfo> chunks;  // in address order
  std::vector<stream::TypeLayout> layouts;
};

void Index(Shared& shared) {
  shared.chunks.reserve(shared.tables.chunks.size());
  uint64_t first_object = 0;
  for (const StoredChunk& chunk : shared.tables.chunks) {
    const auto empty = std::ranges::count(chunk.row.raw_size, 0u);
    shared.chunks.push_back({chunk.row.header, first_object, static_cast<uint32_t>(stream::kColumnCount - empty)});
    first_object += chunk.row.header.object_count;
  }
  shared.layouts.reserve(shared.tables.summary.types.size());
  for (const Type& type : shared.tables.summary.types) shared.layouts.push_back(type.layout);
}

}  // namespace

struct SnapshotReader::Impl {
  Impl(std::shared_ptr<const Shared> all, Database opened)
      : shared(std::move(all)),
        database(std::move(opened)),
        decoder(shared->layouts, shared->tables.summary.process.address_shift) {}

  Status ReadColumn(const StoredChunk& chunk, stream::ColumnKind kind);
  Status ReadColumns(const StoredChunk& chunk, std::span<const stream::ColumnKind> kinds, stream::ChunkColumns& out);
  Result<const StoredChunk*> Chunk(size_t chunk) const;
  Status Prepare();
  Error DamagedChunk(const StoredChunk& chunk, const std::string& what) const {
    return Damaged(shared->path, "chunk " + std::to_string(chunk.id) + ": " + what);
  }

  std::shared_ptr<const Shared> shared;
  Database database;
  std::optional<Statement> column, fields;
  Decompressor decompressor;
  stream::ChunkDecoder decoder;
  std::vector<uint8_t> raw[stream::kColumnCount];
};

SnapshotReader::SnapshotReader(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
SnapshotReader::~SnapshotReader() = default;

Status SnapshotReader::Impl::Prepare() {
  Result<Statement> one =
      Statement::Prepare(database, "SELECT checksum, data FROM columns WHERE id=?", "reading table columns");
  if (!one) return tl::make_unexpected(one.error());
  column.emplace(std::move(*one));
  Result<Statement> other = Statement::Prepare(database, "SELECT data FROM fields WHERE id=?", "reading table fields");
  if (!other) return tl::make_unexpected(other.error());
  fields.emplace(std::move(*other));
  return {};
}

Result<std::unique_ptr<SnapshotReader>> SnapshotReader::Open(const std::string& path, const Limits& limits) {
  const Result<uint64_t> bytes = CheckFileHeader(path, limits);
  if (!bytes) return tl::make_unexpected(bytes.error());
  Result<Database> database = OpenSnapshotDatabase(path);
  if (!database) return tl::make_unexpected(database.error());
  Result<SmallTables> tables = ReadSmallTables(*database, path, limits);
  if (!tables) return tl::make_unexpected(tables.error());
  auto shared = std::make_shared<Shared>();
  shared->path = path;
  shared->file_bytes = *bytes;
  shared->limits = limits;
  shared->tables = std::move(*tables);
  Index(*shared);
  auto impl = std::make_unique<Impl>(std::move(shared), std::move(*database));
  if (Status status = impl->Prepare(); !status) return tl::make_unexpected(status.error());
  return std::unique_ptr<SnapshotReader>(new SnapshotReader(std::move(impl)));
}

Result<std::unique_ptr<SnapshotReader>> SnapshotReader::Another() const {
  Result<Database> database = OpenSnapshotDatabase(impl_->shared->path);
  if (!database) return tl::make_unexpected(database.error());
  auto impl = std::make_unique<Impl>(impl_->shared, std::move(*database));
  if (Status status = impl->Prepare(); !status) return tl::make_unexpected(status.error());
  return std::unique_ptr<SnapshotReader>(new SnapshotReader(std::move(impl)));
}

const snapshot::Summary& SnapshotReader::Summary() const { return impl_->shared->tables.summary; }
const std::string& SnapshotReader::Path() const { return impl_->shared->path; }
uint64_t SnapshotReader::FileBytes() const { return impl_->shared->file_bytes; }
Result<const std::vector<ChunkInfo>*> SnapshotReader::Chunks() { return &impl_->shared->chunks; }

Status SnapshotReader::ReadChunk(size_t chunk, stream::DecodedChunk& out) {
  Impl& impl = *impl_;
  const Result<const StoredChunk*> stored = impl.Chunk(chunk);
  if (!stored) return tl::make_unexpected(stored.error());
  const stream::ChunkHeader& header = (*stored)->row.header;
  stream::ChunkColumns columns;
  CAIRN_TRY(impl.ReadColumns(**stored, stream::kObjectColumns, columns));
  const Range& range = Summary().ranges[header.range];
  const std::string wrong = impl.decoder.Decode(header, columns, range.alignment, out);
  if (!wrong.empty()) return tl::make_unexpected(impl.DamagedChunk(**stored, wrong));
  return {};
}

Status SnapshotReader::ReadSlotMap(size_t chunk, stream::SlotMap& out) {
  constexpr stream::ColumnKind kNeeded[] = {stream::ColumnKind::kTypes, stream::ColumnKind::kLengths,
                                            stream::ColumnKind::kReferences};
  Impl& impl = *impl_;
  const Result<const StoredChunk*> stored = impl.Chunk(chunk);
  if (!stored) return tl::make_unexpected(stored.error());
  const stream::ChunkHeader& header = (*stored)->row.header;
  stream::ChunkColumns columns;
  CAIRN_TRY(impl.ReadColumns(**stored, kNeeded, columns));
  const std::string wrong = impl.decoder.DecodeSlotMap(header, columns, Summary().ranges[header.range].alignment, out);
  if (!wrong.empty()) return tl::make_unexpected(impl.DamagedChunk(**stored, wrong));
  return {};
}

Status SnapshotReader::ReadContents(size_t chunk, const stream::DecodedChunk& objects, stream::DecodedContents& out) {
  Impl& impl = *impl_;
  const Result<const StoredChunk*> stored = impl.Chunk(chunk);
  if (!stored) return tl::make_unexpected(stored.error());
  stream::ChunkColumns columns;
  CAIRN_TRY(impl.ReadColumns(**stored, stream::kContentColumns, columns));
  const std::string wrong = stream::DecodeContents(impl.shared->layouts, columns, objects, out);
  if (!wrong.empty()) return tl::make_unexpected(impl.DamagedChunk(**stored, wrong));
  return {};
}

Result<const StoredChunk*> SnapshotReader::Impl::Chunk(size_t chunk) const {
  if (chunk < shared->tables.chunks.size()) return &shared->tables.chunks[chunk];
  return Fail(ErrorKind::kFailed, "snapshot.no_such_chunk", shared->path + " has no chunk " + std::to_string(chunk));
}

Status SnapshotReader::Impl::ReadColumns(const StoredChunk& chunk, std::span<const stream::ColumnKind> kinds,
                                         stream::ChunkColumns& out) {
  for (const stream::ColumnKind kind : kinds) {
    CAIRN_TRY(ReadColumn(chunk, kind));
    out.column[ColumnSlot(kind)] = raw[ColumnSlot(kind)];
  }
  return {};
}

// Leaves the raw bytes in raw[kind].
Status SnapshotReader::Impl::ReadColumn(const StoredChunk& chunk, stream::ColumnKind kind) {
  std::vector<uint8_t>& out = raw[ColumnSlot(kind)];
  out.resize(chunk.row.raw_size[ColumnSlot(kind)]);  // within Limits: checked at Open
  if (out.empty()) return {};
  const auto wrong = [&](const std::string& what) {
    return tl::make_unexpected(DamagedChunk(chunk, std::string(ColumnName(kind)) + " column: " + what));
  };
  column->Rewind();
  column->BindInteger(0, ColumnId(chunk.id, kind));
  const Result<bool> row = column->Step();
  if (!row) return tl::make_unexpected(row.error());
  if (!*row) return wrong("it is missing");
  const std::span<const uint8_t> frame = column->Bytes(1);
  if (column->ColumnType(0) != SQLITE_INTEGER || column->ColumnType(1) != SQLITE_BLOB)
    return wrong("its row holds values of another type");
  if (column->Integer(0) != ColumnChecksum(chunk.id, kind, frame)) return wrong("its checksum does not match");
  if (const std::string what = decompressor.Decompress(frame, out); !what.empty()) return wrong(what);
  return column->Reset();
}

Result<std::vector<Field>> SnapshotReader::ReadFields(uint32_t type) {
  Impl& impl = *impl_;
  const std::vector<FieldsStamp>& stamps = impl.shared->tables.fields;
  if (type >= stamps.size()) {
    return Fail(ErrorKind::kFailed, "snapshot.no_such_type",
                impl.shared->path + " has no type " + std::to_string(type));
  }
  if (stamps[type].count == 0) return std::vector<Field>();
  const auto wrong = [&](const std::string& what) {
    return tl::make_unexpected(Damaged(impl.shared->path, "the fields of type " + std::to_string(type) + ": " + what));
  };
  impl.fields->Rewind();
  impl.fields->BindInteger(0, type);
  const Result<bool> row = impl.fields->Step();
  if (!row) return tl::make_unexpected(row.error());
  if (!*row || impl.fields->ColumnType(0) != SQLITE_BLOB) return wrong("they are missing");
  const std::span<const uint8_t> data = impl.fields->Bytes(0);
  if (FieldsChecksum(type, data) != stamps[type].checksum) return wrong("their checksum does not match");
  std::vector<Field> fields;
  if (const std::string what = UnpackFields(data, stamps[type].count, impl.shared->limits, fields); !what.empty())
    return wrong(what);
  if (Status status = impl.fields->Reset(); !status) return tl::make_unexpected(status.error());
  return fields;
}

}  // namespace cairn::snapshot
