#include "snapshot-format/file/cache_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "snapshot-format/file/content_digest.h"
#include "snapshot-format/file/system_file.h"

namespace cairn::snapshot {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr char kMagic[8] = {'C', 'A', 'I', 'R', 'N', 'R', 'E', 'S'};
constexpr uint32_t kLayout = 1;

// The first page, byte for byte.
struct Page {
  char magic[8];
  uint32_t layout;
  uint32_t algorithm;
  uint8_t snapshot[16];
  uint64_t file_bytes;
  uint32_t arrays;
  uint32_t zero;
  struct Entry {
    uint64_t offset, bytes;
    uint8_t digest[16];
  } entries[kMaxCacheArrays];
  uint8_t unused[4064 - 48 - 32 * kMaxCacheArrays];
  uint8_t digest[16];
  uint8_t end[16];
};
static_assert(sizeof(Page) == kCacheHeaderBytes && offsetof(Page, digest) == 4064);

std::array<uint8_t, 16> DigestOf(const void* data, size_t size) {
  BlockDigests digests(size);
  for (size_t i = 0; i < digests.Count(); ++i) digests.Set(i, static_cast<const uint8_t*>(data) + i * kDigestBlock);
  return digests.Whole();
}

uint64_t Aligned(uint64_t offset) { return (offset + kCacheHeaderBytes - 1) & ~uint64_t{kCacheHeaderBytes - 1}; }

Page PageOf(const CacheHeader& header) {
  Page page{};
  std::memcpy(page.magic, kMagic, sizeof kMagic);
  page.layout = kLayout;
  page.algorithm = header.algorithm;
  std::memcpy(page.snapshot, header.snapshot.data(), 16);
  page.file_bytes = header.file_bytes;
  page.arrays = static_cast<uint32_t>(header.arrays.size());
  for (size_t i = 0; i < header.arrays.size(); ++i) {
    page.entries[i].offset = header.arrays[i].offset;
    page.entries[i].bytes = header.arrays[i].bytes;
    std::memcpy(page.entries[i].digest, header.arrays[i].digest.data(), 16);
  }
  const auto digest = DigestOf(&page, offsetof(Page, digest));
  std::memcpy(page.digest, digest.data(), 16);
  return page;
}

class FileOutput {
 public:
  explicit FileOutput(const std::string& path) : path_(path), file_(open(path.c_str(), O_WRONLY | O_CLOEXEC)) {}

  Status Write(const void* data, size_t size, uint64_t offset) {
    const auto* bytes = static_cast<const uint8_t*>(data);
    while (size > 0) {
      const ssize_t wrote = pwrite(file_.Get(), bytes, size, static_cast<off_t>(offset));
      if (wrote < 0 && errno == EINTR) continue;
      if (wrote <= 0) return tl::make_unexpected(SystemError("cache.unusable", path_, "writing it"));
      bytes += wrote;
      size -= static_cast<size_t>(wrote);
      offset += static_cast<uint64_t>(wrote);
    }
    return {};
  }

  Status SetSize(uint64_t size) {
    if (ftruncate(file_.Get(), static_cast<off_t>(size)) == 0) return {};
    return tl::make_unexpected(SystemError("cache.unusable", path_, "making it large enough"));
  }

 private:
  const std::string& path_;
  FileDescriptor file_;
};

}  // namespace

std::string HexText(const std::array<uint8_t, 16>& digest) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const uint8_t byte : digest) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

CacheHeader PlanCacheFile(const std::array<uint8_t, 16>& snapshot, uint32_t algorithm, std::span<const Bytes> arrays) {
  CacheHeader header;
  header.snapshot = snapshot;
  header.algorithm = algorithm;
  header.file_bytes = kCacheHeaderBytes;
  for (const Bytes& array : arrays) {
    header.arrays.push_back({header.file_bytes, array.size(), {}});
    header.file_bytes = Aligned(header.file_bytes + array.size());
  }
  return header;
}

std::string ReadCacheHeader(Bytes bytes, uint64_t file_bytes, CacheHeader& out) {
  Page page;
  std::memcpy(&page, bytes.data(), sizeof page);
  const auto digest = DigestOf(&page, offsetof(Page, digest));
  if (std::memcmp(page.magic, kMagic, sizeof kMagic) != 0 || page.layout != kLayout) return "is of another form";
  if (std::memcmp(page.digest, digest.data(), 16) != 0) return "has a header whose digest does not match";
  if (page.file_bytes != file_bytes || page.arrays > kMaxCacheArrays) return "is not as long as it says";
  out.algorithm = page.algorithm;
  out.file_bytes = file_bytes;
  std::memcpy(out.snapshot.data(), page.snapshot, 16);
  for (uint32_t i = 0; i < page.arrays; ++i) {
    const auto& entry = page.entries[i];
    if (entry.offset > file_bytes || entry.bytes > file_bytes - entry.offset || entry.offset % kCacheHeaderBytes != 0)
      return "has an array outside itself";
    CacheArray& array = out.arrays.emplace_back();
    array.offset = entry.offset;
    array.bytes = entry.bytes;
    std::memcpy(array.digest.data(), entry.digest, 16);
  }
  return {};
}

Status WriteCacheFile(const std::string& path, CacheHeader& header, std::span<const Bytes> arrays,
                      const std::atomic<bool>& stop) {
  FileOutput output(path);
  CAIRN_TRY(output.SetSize(header.file_bytes));
  for (size_t i = 0; i < arrays.size(); ++i) {
    BlockDigests digests(arrays[i].size());
    for (size_t block = 0; block < digests.Count(); ++block) {
      if (stop) return Fail(ErrorKind::kFailed, "cancelled", path + " is no longer wanted");
      const uint8_t* data = arrays[i].data() + block * kDigestBlock;
      digests.Set(block, data);
      CAIRN_TRY(output.Write(data, digests.SizeOf(block), header.arrays[i].offset + block * kDigestBlock));
    }
    header.arrays[i].digest = digests.Whole();
  }
  const Page page = PageOf(header);
  return output.Write(&page, sizeof page, 0);
}

}  // namespace cairn::snapshot
