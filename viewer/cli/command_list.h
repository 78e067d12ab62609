#pragma once
// Every command that the program knows: those it has, and those that a later build brings.

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

struct LaterCommand {
  std::string name;
  std::string meanwhile;  // what to use until it is there
};
std::span<const LaterCommand> LaterCommands();

// Null where there is none of that name.
std::unique_ptr<Command> FindCommand(const std::string& name);
const LaterCommand* FindLaterCommand(const std::string& name);

// The overview: commands by group, one line each.
std::string Overview();
// Error command.unknown with the nearest name.
Error UnknownCommand(const std::string& name);
// Error command.not_available.
Error NotAvailable(const LaterCommand& command);

}  // namespace cairn::cli
