#pragma once
// `cairn query`: SQL over snapshots.

#include <memory>

#include "viewer/cli/command.h"

namespace cairn::cli {

std::unique_ptr<Command> MakeQueryCommand();

}  // namespace cairn::cli
