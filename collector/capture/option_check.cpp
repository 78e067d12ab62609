#include "collector/capture/option_check.h"

#include <cstring>

namespace cairn::collector {

namespace {

bool HasSocketPath(const protocol::Options& options) {
  return options.socket_path[0] != 0 && std::memchr(options.socket_path, 0, sizeof options.socket_path) != nullptr;
}

bool KnownEnumerators(const protocol::Options& options) {
  return options.gc <= protocol::GcRequest::kFull && options.method <= protocol::WalkMethod::kFork &&
         options.strings <= protocol::StringCapture::kAll && options.self_check <= protocol::SelfCheck::kFull &&
         options.observe <= protocol::ObserverKind::kAllocationCounts;
}

}  // namespace

bool ReadOptions(const void* data, size_t size, protocol::Options& options) {
  if (data == nullptr || size != sizeof options) return false;
  std::memcpy(&options, data, sizeof options);
  return options.magic == protocol::kOptionsMagic && options.version == protocol::kProtocolVersion &&
         options.size == sizeof options && KnownEnumerators(options) && HasSocketPath(options);
}

}  // namespace cairn::collector
