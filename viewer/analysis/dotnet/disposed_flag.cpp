#include "viewer/analysis/dotnet/disposed_flag.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace cairn::analysis::dotnet {
namespace {

// "_isDisposed" → "isdisposed", "<IPart.IsDisposed>k__BackingField" → "isdisposed", "m_disposed" → "disposed". A field
// of a struct within the object keeps its dot: what the struct says of itself is not said of the object.
std::string PlainName(std::string_view name) {
  if (name.starts_with('<')) {
    name = name.substr(1, name.find('>') - 1);
    name.remove_prefix(name.rfind('.') + 1);  // nothing where there is none
  }
  if (name.starts_with("m_")) name.remove_prefix(2);
  while (name.starts_with('_')) name.remove_prefix(1);
  std::string plain(name);
  for (char& c : plain) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return plain;
}

// Streams of the framework and what is derived from them; elsewhere it may mean a file, a door or a shop.
bool IsOpenFlag(const snapshot::Type& type, const snapshot::Field& field) {
  constexpr std::string_view kOfStreams[] = {"System.IO.MemoryStream", "System.IO.UnmanagedMemoryStream"};
  const auto is_stream = [&](std::string_view name) { return type.name == name || type.base == name; };
  return field.kind == snapshot::FieldKind::kPrimitive && field.name == "_isOpen" &&
         std::any_of(std::begin(kOfStreams), std::end(kOfStreams), is_stream);
}

bool IsDisposedFlag(const snapshot::Field& field) {
  if (field.kind != snapshot::FieldKind::kPrimitive) return false;
  const std::string name = PlainName(field.name);
  return name == "disposed" || name == "isdisposed" || name == "disposedvalue" || name == "disposecalled";
}

}  // namespace

DisposedFlag FindDisposedFlag(const snapshot::Type& type, const std::vector<snapshot::Field>& fields) {
  auto flag = std::find_if(fields.begin(), fields.end(), IsDisposedFlag);
  const bool is_open = flag == fields.end();
  if (is_open)
    flag = std::find_if(fields.begin(), fields.end(), [&](const auto& field) { return IsOpenFlag(type, field); });
  if (flag == fields.end()) return {};
  for (uint32_t i = 0; i < type.value_slots.size(); ++i)
    if (stream::UnpackedValueSlot(type.value_slots[i]).offset == flag->offset) return {true, i, is_open};
  return {true, std::nullopt, is_open};
}

}  // namespace cairn::analysis::dotnet
