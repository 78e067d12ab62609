#include "snapshot-format/file/compression.h"

#include <zstd.h>

#include "snapshot-format/file/snapshot_writer.h"

namespace cairn::snapshot {
namespace {

// A column may need at most this window; a frame that asks for more memory is refused.
constexpr int kMaxWindowLog = 23;  // 8 MiB

}  // namespace

struct Decompressor::Context {
  struct Free {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };
  std::unique_ptr<ZSTD_DCtx, Free> handle{ZSTD_createDCtx()};
};

Decompressor::Decompressor() : context_(std::make_unique<Context>()) {}
Decompressor::~Decompressor() = default;

std::string Decompressor::Decompress(std::span<const uint8_t> frame, std::span<uint8_t> out) {
  ZSTD_DCtx* context = context_->handle.get();
  if (context == nullptr) return "there is no memory to decompress it";
  const size_t window = ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, kMaxWindowLog);
  if (ZSTD_isError(window)) return ZSTD_getErrorName(window);
  const unsigned long long content = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (content == ZSTD_CONTENTSIZE_ERROR) return "it is no zstd frame";
  if (content == ZSTD_CONTENTSIZE_UNKNOWN) return "its frame does not state its size";
  if (content != out.size()) return "its frame states another size than the chunk";
  const size_t whole = ZSTD_findFrameCompressedSize(frame.data(), frame.size());
  if (ZSTD_isError(whole)) return std::string("its frame is cut: ") + ZSTD_getErrorName(whole);
  if (whole != frame.size()) return "bytes follow its frame";
  const size_t written = ZSTD_decompressDCtx(context, out.data(), out.size(), frame.data(), frame.size());
  if (ZSTD_isError(written)) return std::string("zstd says: ") + ZSTD_getErrorName(written);
  if (written != out.size()) return "it decompresses to another size than the chunk states";
  return {};
}

Result<std::vector<uint8_t>> CompressColumn(std::span<const uint8_t> raw, int level) {
  std::vector<uint8_t> frame(ZSTD_compressBound(raw.size()));
  const size_t size = ZSTD_compress(frame.data(), frame.size(), raw.data(), raw.size(), level);
  if (ZSTD_isError(size)) {
    return Fail(ErrorKind::kFailed, "output.compression",
                std::string("a column cannot be compressed: ") + ZSTD_getErrorName(size));
  }
  frame.resize(size);
  return frame;
}

}  // namespace cairn::snapshot
