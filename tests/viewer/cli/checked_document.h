#pragma once
// What a command printed under --json.

#include <nlohmann/json.hpp>
#include <string>

#include "tests/viewer/cli/cairn_program.h"

namespace cairn::cli::testing {

// Expects the exit code, and that the document follows tests/schemas/SCHEMA.json.
nlohmann::json CheckedDocument(const Outcome& outcome, int code, const std::string& schema);

}  // namespace cairn::cli::testing
