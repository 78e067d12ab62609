#include "tests/viewer/cli/schema_check.h"

#include <algorithm>
#include <fstream>

namespace cairn::cli::testing {
namespace {

using nlohmann::json;

bool IsOfType(const json& value, const std::string& type) {
  if (type == "integer") return value.is_number_integer();
  if (type == "number") return value.is_number();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "array") return value.is_array();
  if (type == "object") return value.is_object();
  return type == "null" && value.is_null();
}

bool IsOfOneType(const json& value, const json& types) {
  if (types.is_string()) return IsOfType(value, types);
  return std::any_of(types.begin(), types.end(), [&](const json& type) { return IsOfType(value, type); });
}

class Checker {
 public:
  void Check(const json& schema, const json& value, const std::string& at) {
    if (schema.contains("enum") &&
        std::find(schema["enum"].begin(), schema["enum"].end(), value) == schema["enum"].end())
      Say(at, "is none of the listed values: " + value.dump());
    if (schema.contains("type") && !IsOfOneType(value, schema["type"]))
      return Say(at, "has another type than " + schema["type"].dump() + ": " + value.dump());
    if (value.is_object()) CheckObject(schema, value, at);
    if (value.is_array() && schema.contains("items"))
      for (size_t i = 0; i < value.size(); ++i) Check(schema["items"], value[i], at + "[" + std::to_string(i) + "]");
  }

  std::vector<std::string> violations;

 private:
  void CheckObject(const json& schema, const json& value, const std::string& at) {
    for (const json& name : schema.value("required", json::array()))
      if (!value.contains(name.get<std::string>())) Say(at, "lacks " + name.get<std::string>());
    const json properties = schema.value("properties", json::object());
    for (const auto& [name, field] : value.items()) {
      if (properties.contains(name))
        Check(properties[name], field, at + "." + name);
      else if (!schema.value("additionalProperties", true))
        Say(at, "has a field that nobody listed: " + name);
    }
  }

  void Say(const std::string& at, const std::string& what) { violations.push_back(at + " " + what); }
};

}  // namespace

std::vector<std::string> SchemaViolations(const json& schema, const json& document) {
  Checker checker;
  checker.Check(schema, document, "$");
  return checker.violations;
}

json LoadSchema(const std::string& name) {
  std::ifstream file(std::string(CAIRN_TESTS_FOLDER "/schemas/") + name + ".json");
  return json::parse(file);
}

}  // namespace cairn::cli::testing
