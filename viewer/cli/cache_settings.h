#pragma once
// Where and how much the program caches: CAIRN_CACHE is "off" or a size, CAIRN_CACHE_FROM the number of objects from
// which it is worth it.

#include "viewer/session/result_store.h"

namespace cairn::cli {

// What cannot be understood is as if it were not set.
session::CacheOptions CacheFromEnvironment();

}  // namespace cairn::cli
