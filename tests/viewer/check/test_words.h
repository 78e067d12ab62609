#pragma once
// A pattern is a part of a name, "?" is none; a size is a number followed by KB.

#include "viewer/check/rules.h"

namespace cairn::check::testing {

Words TestWords();

}  // namespace cairn::check::testing
