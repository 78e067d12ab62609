// snapshot_contents FILE TYPE…: what is kept of the objects of some types, one line each:
//   OBJECT type index length values hash text
// values: "name=value", separated by blanks, in the order of the file; hash: hexadecimal, 0 for none; text: "-" for
// none.

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <string>
#include <vector>

#include "snapshot-format/file/snapshot_reader.h"

namespace cairn::e2e {
namespace {

std::string NameAt(const std::vector<snapshot::Field>& fields, uint32_t offset) {
  for (const snapshot::Field& field : fields) {
    if (field.offset == offset) return field.name;
  }
  return "+" + std::to_string(offset);
}

std::string Values(const snapshot::Type& type, const std::vector<snapshot::Field>& fields,
                   const stream::ObjectContents& contents) {
  std::string text;
  for (size_t i = 0; i < contents.values.size(); ++i) {
    const stream::ValueSlot slot = stream::UnpackedValueSlot(type.value_slots[i]);
    text += (i == 0 ? "" : " ") + NameAt(fields, slot.offset) + "=" + std::to_string(contents.values[i]);
  }
  return text;
}

Status Print(snapshot::SnapshotReader& reader, const std::vector<std::string>& wanted) {
  const auto chunks = reader.Chunks();
  if (!chunks) return tl::make_unexpected(chunks.error());
  stream::DecodedChunk objects;
  stream::DecodedContents contents;
  for (size_t chunk = 0; chunk < (*chunks)->size(); ++chunk) {
    CAIRN_TRY(reader.ReadChunk(chunk, objects));
    CAIRN_TRY(reader.ReadContents(chunk, objects, contents));
    for (size_t i = 0; i < objects.types.size(); ++i) {
      const snapshot::Type& type = reader.Summary().types[objects.types[i]];
      if (std::find(wanted.begin(), wanted.end(), type.name) == wanted.end()) continue;
      const auto fields = reader.ReadFields(objects.types[i]);
      if (!fields) return tl::make_unexpected(fields.error());
      const stream::ObjectContents kept = contents.Of(i);
      std::string text = kept.has_text ? std::string(kept.text) : "-";
      std::replace_if(
          text.begin(), text.end(), [](char letter) { return static_cast<unsigned char>(letter) < ' '; }, ' ');
      std::printf("OBJECT\t%s\t%" PRIu64 "\t%" PRIu64 "\t%s\t%" PRIx64 "\t%s\n", type.name.c_str(),
                  (**chunks)[chunk].first_object + i, objects.lengths[i], Values(type, *fields, kept).c_str(),
                  kept.hash, text.c_str());
    }
  }
  return {};
}

}  // namespace
}  // namespace cairn::e2e

int main(int count, char** arguments) {
  if (count < 3) return 2;
  auto reader = cairn::snapshot::SnapshotReader::Open(arguments[1]);
  if (!reader) return std::fprintf(stderr, "%s\n", reader.error().message.c_str()), 1;
  const cairn::Status printed = cairn::e2e::Print(**reader, {arguments + 2, arguments + count});
  if (!printed) return std::fprintf(stderr, "%s\n", printed.error().message.c_str()), 1;
  return 0;
}
