#include "collector/client/heap_meter.h"

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "collector/client/hresult_words.h"
#include "collector/client/nettrace_reader.h"

namespace cairn::client {
namespace {

constexpr std::string_view kRuntimeProvider = "Microsoft-Windows-DotNETRuntime";
constexpr uint64_t kGcKeyword = 0x1;
constexpr uint32_t kInformational = 4, kGcHeapStats = 4;
constexpr uint32_t kBufferMegabytes = 1;

}  // namespace

std::optional<uint64_t> HeapBytesOf(std::span<const uint8_t> heap_stats) {
  // size and promoted bytes of generations 0 to 2 and of large objects; five other figures; pinned objects
  constexpr size_t kOffsets[] = {0, 16, 32, 48, 94};
  constexpr size_t kFirstVersion = 94;  // without pinned objects
  if (heap_stats.size() < kFirstVersion) return std::nullopt;
  uint64_t total = 0;
  for (const size_t offset : kOffsets) {
    uint64_t bytes = 0;
    if (offset + sizeof bytes <= heap_stats.size()) std::memcpy(&bytes, heap_stats.data() + offset, sizeof bytes);
    total += bytes;
  }
  return total;
}

Result<std::unique_ptr<HeapMeter>> HeapMeter::Open(const IpcAddress& address, milliseconds timeout) {
  const auto request =
      CollectTracingRequest(kBufferMegabytes, {std::string(kRuntimeProvider), kGcKeyword, kInformational});
  UniqueFd stream;
  const auto answer = RunCommand(address, request, timeout, nullptr, &stream);
  if (!answer) return tl::make_unexpected(answer.error());
  if (!answer->ok) return tl::make_unexpected(HresultError(answer->hresult));
  return std::unique_ptr<HeapMeter>(new HeapMeter(std::move(stream)));
}

HeapMeter::HeapMeter(UniqueFd stream) : stream_(std::move(stream)), thread_([this] { Read(); }) {}

HeapMeter::~HeapMeter() {
  stop_ = true;
  shutdown(stream_.Get(), SHUT_RDWR);
  thread_.join();
}

std::optional<HeapReading> HeapMeter::Latest() const {
  const std::lock_guard lock(mutex_);
  return latest_.number == 0 ? std::nullopt : std::optional(latest_);
}

void HeapMeter::Take(uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  latest_ = {bytes, latest_.number + 1};
}

void HeapMeter::Read() {
  NettraceReader reader([this](const RuntimeEvent& event) {
    if (event.provider != kRuntimeProvider || event.id != kGcHeapStats) return;
    if (const auto bytes = HeapBytesOf(event.payload)) Take(*bytes);
  });
  std::array<uint8_t, 16384> buffer;
  while (!stop_) {
    pollfd entry{stream_.Get(), POLLIN, 0};
    if (poll(&entry, 1, 1000) <= 0) continue;
    const ssize_t got = recv(stream_.Get(), buffer.data(), buffer.size(), 0);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0 || !reader.Feed({buffer.data(), static_cast<size_t>(got)})) break;
  }
  broken_ = true;
}

}  // namespace cairn::client
