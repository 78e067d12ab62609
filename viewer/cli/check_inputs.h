#pragma once
// How the rules of a check are written: the type patterns and sizes of the command line.

#include "viewer/check/rules.h"

namespace cairn::cli {

check::Words CheckWords();

}  // namespace cairn::cli
