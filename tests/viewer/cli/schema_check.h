#pragma once
// The part of JSON Schema that tests/schemas uses: type, enum, required, properties, additionalProperties, items.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace cairn::cli::testing {

// One sentence per violation, with its place; empty: the document follows the schema.
std::vector<std::string> SchemaViolations(const nlohmann::json& schema, const nlohmann::json& document);

// tests/schemas/NAME.json. Throws where it is not there.
nlohmann::json LoadSchema(const std::string& name);

}  // namespace cairn::cli::testing
