#pragma once
// For the parts of a test that are not what it is about.

#include <stdexcept>
#include <utility>

#include "snapshot-format/file/result.h"

namespace cairn::snapshot::testing {

// The value; throws the error's message where there is none, which ends the test.
template <class T>
T Must(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message);
  return std::move(*result);
}

}  // namespace cairn::snapshot::testing
