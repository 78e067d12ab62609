#include "viewer/session/file_chunk_source.h"

namespace cairn::session {
namespace {

class FileCursor : public analysis::ChunkCursor {
 public:
  explicit FileCursor(std::unique_ptr<snapshot::SnapshotReader> reader) : reader_(std::move(reader)) {}

  Status Read(size_t chunk, stream::DecodedChunk& out) override { return reader_->ReadChunk(chunk, out); }
  Status ReadSlotMap(size_t chunk, stream::SlotMap& out) override { return reader_->ReadSlotMap(chunk, out); }
  Status ReadContents(size_t chunk, const stream::DecodedChunk& objects, stream::DecodedContents& out) override {
    return reader_->ReadContents(chunk, objects, out);
  }
  Result<std::vector<snapshot::Field>> Fields(uint32_t type) override { return reader_->ReadFields(type); }

 private:
  std::unique_ptr<snapshot::SnapshotReader> reader_;
};

}  // namespace

Result<std::unique_ptr<FileChunkSource>> FileChunkSource::Create(std::unique_ptr<snapshot::SnapshotReader> reader) {
  const auto chunks = reader->Chunks();
  if (!chunks) return tl::make_unexpected(chunks.error());
  return std::unique_ptr<FileChunkSource>(new FileChunkSource(std::move(reader), *chunks));
}

Result<std::unique_ptr<analysis::ChunkCursor>> FileChunkSource::NewCursor() const {
  auto reader = reader_->Another();
  if (!reader) return tl::make_unexpected(std::move(reader).error());
  return std::make_unique<FileCursor>(std::move(*reader));
}

}  // namespace cairn::session
