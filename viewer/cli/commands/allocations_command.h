#pragma once

#include <memory>

#include "viewer/cli/command.h"

namespace cairn::cli {

std::unique_ptr<Command> MakeAllocationsCommand();

}  // namespace cairn::cli
