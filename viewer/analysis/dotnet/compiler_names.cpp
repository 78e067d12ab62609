#include "viewer/analysis/dotnet/compiler_names.h"

namespace cairn::analysis::dotnet {
namespace {

constexpr std::string_view kBox = "+AsyncStateMachineBox<";

// Where the bracket that opens at `open` closes; npos where it does not.
size_t Closing(std::string_view name, size_t open) {
  int depth = 0;
  for (size_t i = open; i < name.size(); ++i) {
    if (name[i] == '<') ++depth;
    if (name[i] == '>' && --depth == 0) return i;
  }
  return std::string_view::npos;
}

// The state machine in its box, or the name itself.
std::string_view Unboxed(std::string_view name) {
  const size_t box = name.find(kBox);
  if (box == std::string_view::npos) return name;
  const size_t open = box + kBox.size() - 1, close = Closing(name, open);
  return close == std::string_view::npos ? name : name.substr(open + 1, close - open - 1);
}

// Without closures that the type is nested in: "Shop.A+<>c" → "Shop.A".
std::string_view WithoutClosures(std::string_view type) {
  for (size_t at;
       (at = type.rfind("+<>c")) != std::string_view::npos && type.find('+', at + 1) == std::string_view::npos;)
    type = type.substr(0, at);
  return type;
}

// "Run" → "Run", "<Main>$" → "Main", "<Run>g__Step|0_1" → "Run.Step", "<Run>b__0" → "Run (lambda)".
std::string MethodOf(std::string_view inner) {
  if (inner.empty() || inner.front() != '<') return std::string(inner);
  const size_t close = Closing(inner, 0);
  if (close == std::string_view::npos) return std::string(inner);
  const std::string method = MethodOf(inner.substr(1, close - 1));
  const std::string_view rest = inner.substr(close + 1);
  if (rest.starts_with("g__")) return method + "." + std::string(rest.substr(3, rest.find('|') - 3));
  return rest.starts_with("b__") ? method + " (lambda)" : method;
}

// The last "+<" that is not within brackets, as those of generic arguments.
size_t LastGeneratedPart(std::string_view name) {
  int depth = 0;
  size_t found = std::string_view::npos;
  for (size_t i = 0; i < name.size(); ++i) {
    if (depth == 0 && name.substr(i).starts_with("+<")) found = i;
    if (name[i] == '<') ++depth;
    if (name[i] == '>') --depth;
  }
  return found;
}

}  // namespace

bool IsAsyncBox(std::string_view type_name) { return type_name.find(kBox) != std::string_view::npos; }

std::optional<std::string> StateMachineMethod(std::string_view type_name) {
  const std::string_view name = Unboxed(type_name);
  const size_t part = LastGeneratedPart(name);
  if (part == std::string_view::npos) return std::nullopt;
  const size_t open = part + 1, close = Closing(name, open);
  // "<Method>d" and an ordinal, or nothing, or generic arguments.
  if (close == std::string_view::npos || close == open + 1 || !name.substr(close + 1).starts_with('d'))
    return std::nullopt;
  return std::string(WithoutClosures(name.substr(0, part))) + "." + MethodOf(name.substr(open + 1, close - open - 1));
}

std::optional<std::string> ClosureOwner(std::string_view type_name) {
  const size_t part = LastGeneratedPart(type_name);
  if (part == std::string_view::npos || !type_name.substr(part).starts_with("+<>c")) return std::nullopt;
  return std::string(WithoutClosures(type_name.substr(0, part)));
}

}  // namespace cairn::analysis::dotnet
