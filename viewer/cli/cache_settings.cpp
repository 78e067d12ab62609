#include "viewer/cli/cache_settings.h"

#include <charconv>
#include <cstdlib>
#include <string_view>

#include "viewer/cli/interrupt.h"
#include "viewer/presentation/quantity.h"

namespace cairn::cli {
namespace {

std::string_view Variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

}  // namespace

session::CacheOptions CacheFromEnvironment() {
  session::CacheOptions options;
  const std::string_view limit = Variable("CAIRN_CACHE"), from = Variable("CAIRN_CACHE_FROM");
  if (limit != "off" && limit != "0") options.folder = snapshot::SideCache::UserFolder();
  if (const auto bytes = presentation::ParseSize(std::string(limit))) options.max_bytes = *bytes;
  uint64_t objects = 0;
  const auto read = std::from_chars(from.data(), from.data() + from.size(), objects);
  if (!from.empty() && read.ec == std::errc() && read.ptr == from.data() + from.size()) options.from_objects = objects;
  options.stop = &Interrupted();
  return options;
}

}  // namespace cairn::cli
