#include "viewer/convert/chunk_file.h"

#include <algorithm>

namespace cairn::convert {

using stream::ChunkEncoder;

ChunkFile::ChunkFile(snapshot::SnapshotWriter& writer, size_t types, unsigned unit_shift)
    : writer_(writer), cells_(types), predictors_(types) {
  uint8_t* buffers[stream::kColumnCount];
  for (size_t i = 0; i < stream::kColumnCount; ++i)
    buffers[i] = buffers_.emplace_back(ChunkEncoder::kCapacity[i]).data();
  encoder_.emplace_back(buffers, unit_shift);
}

void ChunkFile::BeginRange(uint32_t range) {
  range_ = range;
  sequence_ = 0;
  encoder_[0].Begin(range_, sequence_++);
}

stream::SlotPredictor& ChunkFile::PredictorOf(uint32_t type) {
  stream::SlotPredictor& predictor = predictors_[type];
  if (predictor.cells == nullptr) {
    cells_[type].resize(stream::kMaxPredictorCells);
    predictor.cells = cells_[type].data();
    predictor.cell_count = stream::kMaxPredictorCells;
  }
  return predictor;
}

Status ChunkFile::Add(uint32_t type, uint64_t address, uint64_t bytes, std::span<const uint64_t> targets) {
  ChunkEncoder& encoder = encoder_[0];
  if (encoder.Full()) CAIRN_TRY(NextChunk());
  encoder.Object(type, address, address + bytes);
  encoder.Length(bytes);
  encoder.Length(targets.size());
  for (size_t done = 0; done < targets.size();) {
    if (encoder.SlotsLeft() == 0) CAIRN_TRY(NextChunk());
    const size_t fitting = std::min<size_t>(targets.size() - done, encoder.SlotsLeft());
    if (encoder.Header().object_count == 0 && done > 0)
      encoder.Continue(address, type, done, static_cast<uint32_t>(fitting));
    uint64_t* const cells = encoder.Cells(PredictorOf(type));
    for (size_t slot = done; slot < done + fitting; ++slot)
      encoder.Reference(address, targets[slot], cells[slot % stream::kMaxPredictorCells]);
    done += fitting;
  }
  return {};
}

Status ChunkFile::Store() {
  ChunkEncoder& encoder = encoder_[0];
  encoder.End();
  std::vector<std::vector<uint8_t>> frames;
  std::vector<snapshot::StoredColumn> columns;
  for (const stream::ColumnKind kind : stream::kAllColumns) {
    const size_t size = encoder.ColumnSize(kind);
    auto frame = snapshot::CompressColumn({encoder.Column(kind), size});
    if (!frame) return tl::make_unexpected(std::move(frame).error());
    frames.push_back(std::move(*frame));
    columns.push_back({kind, static_cast<uint32_t>(size), frames.back()});
  }
  ++chunks_;
  return writer_.AddChunk(encoder.Header(), columns);
}

Status ChunkFile::NextChunk() {
  CAIRN_TRY(Store());
  encoder_[0].Begin(range_, sequence_++);
  return {};
}

Status ChunkFile::EndRange() {
  const stream::ChunkHeader& header = encoder_[0].Header();
  if (header.object_count == 0 && header.slot_count == 0) return {};
  return Store();
}

}  // namespace cairn::convert
