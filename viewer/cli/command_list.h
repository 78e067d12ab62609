#pragma once
// Every command that the program has.

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "viewer/cli/command.h"

namespace cairn::cli {

using CommandMaker = std::unique_ptr<Command> (*)();

// In the order of the help.
std::span<const CommandMaker> Commands();

// Null where there is none of that name.
std::unique_ptr<Command> FindCommand(const std::string& name);

// The overview: commands by group, one line each.
std::string Overview();
// Error command.unknown with the nearest name.
Error UnknownCommand(const std::string& name);

}  // namespace cairn::cli
