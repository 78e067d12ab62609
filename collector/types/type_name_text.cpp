#include "collector/types/type_name_text.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

namespace cairn::collector {
namespace {

constexpr uint32_t kMaxArity = 65535;

void AppendArguments(std::span<const std::string_view> arguments, std::string* name) {
  *name += '<';
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (i > 0) *name += ", ";
    *name += arguments[i];
  }
  *name += '>';
}

}  // namespace

uint32_t SplitArity(std::string_view name, std::string_view* stem) {
  *stem = name;
  const size_t tick = name.rfind('`');
  if (tick == std::string_view::npos || tick + 1 == name.size()) return 0;
  uint32_t arity = 0;
  for (char c : name.substr(tick + 1)) {
    if (c < '0' || c > '9') return 0;
    arity = arity * 10 + static_cast<uint32_t>(c - '0');
    if (arity > kMaxArity) return 0;
  }
  *stem = name.substr(0, tick);
  return arity;
}

std::string ComposeTypeName(std::span<const std::string_view> chain, std::span<const std::string_view> arguments) {
  std::string name;
  for (size_t i = 0; i < chain.size(); ++i) {
    if (i > 0) name += '+';
    std::string_view stem;
    size_t own = SplitArity(chain[i], &stem);
    own = i + 1 == chain.size() ? arguments.size() : std::min(own, arguments.size());
    name += own > 0 ? stem : chain[i];
    if (own > 0) AppendArguments(arguments.first(own), &name);
    arguments = arguments.subspan(own);
  }
  return name;
}

std::string ComposeArrayName(std::string_view element, uint32_t rank, bool multi_dimensional) {
  std::string name(element);
  name += '[';
  if (rank == 1 && multi_dimensional) name += '*';
  name.append(rank > 0 ? rank - 1 : 0, ',');
  name += ']';
  return name;
}

std::string UnknownTypeName(uint64_t class_id) {
  char text[40];
  std::snprintf(text, sizeof text, "(unknown 0x%" PRIx64 ")", class_id);
  return text;
}

}  // namespace cairn::collector
