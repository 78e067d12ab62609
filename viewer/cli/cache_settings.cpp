#include "viewer/cli/cache_settings.h"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>

#include "viewer/cli/interrupt.h"
#include "viewer/presentation/quantity.h"
#include "viewer/presentation/visible_text.h"

namespace cairn::cli {
namespace {

std::string_view Variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// Once in a program: every snapshot that it opens asks.
void Warn(const char* takes, std::string_view given) {
  static std::set<std::string> told;
  const std::string line =
      std::string("cairn: ") + takes + ", not '" + presentation::VisibleText(given) + "'; it is ignored\n";
  if (told.insert(line).second) std::fputs(line.c_str(), stderr);
}

}  // namespace

session::CacheOptions CacheFromEnvironment() {
  session::CacheOptions options;
  const std::string_view limit = Variable("CAIRN_CACHE"), from = Variable("CAIRN_CACHE_FROM");
  const auto bytes = presentation::ParseSize(std::string(limit));
  if (limit != "off" && limit != "0") options.folder = snapshot::SideCache::UserFolder();
  if (bytes) options.max_bytes = *bytes;
  if (!bytes && !limit.empty() && limit != "off") Warn("CAIRN_CACHE takes off or a size such as 4GiB", limit);
  uint64_t objects = 0;
  const auto read = std::from_chars(from.data(), from.data() + from.size(), objects);
  if (read.ec == std::errc() && read.ptr == from.data() + from.size())
    options.from_objects = objects;
  else if (!from.empty())
    Warn("CAIRN_CACHE_FROM takes a whole number", from);
  options.stop = &Interrupted();
  return options;
}

}  // namespace cairn::cli
