#include "tests/collector/il/assembly_file.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <stdexcept>

#include "collector/il/byte_source.h"

namespace cairn::collector::il {

namespace {

// ECMA-335, II.22: columns of each table. 2 and 4 are bytes; S, G, B heaps; T a table's row; a letter and a name a
// coded index.
const char* const kColumns[] = {
    "2 S G G G",               // 00 Module
    "resolution S S",          // 01 TypeRef
    "4 S S type T04 T06",      // 02 TypeDef
    "T04",                     // 03 FieldPtr
    "2 S B",                   // 04 Field
    "T06",                     // 05 MethodPtr
    "4 2 2 S B T08",           // 06 MethodDef
    "T08",                     // 07 ParamPtr
    "2 2 S",                   // 08 Param
    "T02 type",                // 09 InterfaceImpl
    "parent S B",              // 0A MemberRef
    "2 constant B",            // 0B Constant
    "attributed attribute B",  // 0C CustomAttribute
    "marshal B",               // 0D FieldMarshal
    "2 secured B",             // 0E DeclSecurity
    "2 4 T02",                 // 0F ClassLayout
    "4 T04",                   // 10 FieldLayout
    "B",                       // 11 StandAloneSig
    "T02 T14",
    "T14",
    "2 S type",  // 12 EventMap, EventPtr, Event
    "T02 T17",
    "T17",
    "2 S B",              // 15 PropertyMap, PropertyPtr, Property
    "2 T06 semantics",    // 18 MethodSemantics
    "T02 method method",  // 19 MethodImpl
    "S",                  // 1A ModuleRef
    "B",                  // 1B TypeSpec
    "2 forwarded S T1A",  // 1C ImplMap
    "4 T04",              // 1D FieldRVA
    "4 4",
    "4",                  // 1E EncLog, EncMap
    "4 2 2 2 2 4 B S S",  // 20 Assembly
    "4",
    "4 4 4",              // 21 AssemblyProcessor, AssemblyOS
    "2 2 2 2 4 B S S B",  // 23 AssemblyRef
    "4 T23",
    "4 4 4 T23",  // 24 AssemblyRefProcessor, AssemblyRefOS
    "4 S B",      // 26 File
    "4 4 S S implementation",
    "4 4 S implementation",  // 27 ExportedType, ManifestResource
    "T02 T02",               // 29 NestedClass
    "2 2 owner S",           // 2A GenericParam
    "method B",              // 2B MethodSpec
    "T2A type",              // 2C GenericParamConstraint
};

struct CodedIndex {
  uint32_t bits;
  std::vector<uint32_t> tables;
};

const std::map<std::string, CodedIndex> kCoded = {
    {"resolution", {2, {0x00, 0x1A, 0x23, 0x01}}},
    {"type", {2, {0x02, 0x01, 0x1B}}},
    {"parent", {3, {0x02, 0x01, 0x1A, 0x06, 0x1B}}},
    {"constant", {2, {0x04, 0x08, 0x17}}},
    {"attributed", {5, {0x06, 0x04, 0x01, 0x02, 0x08, 0x09, 0x0A, 0x00, 0x0E, 0x17, 0x14,
                        0x11, 0x1A, 0x1B, 0x20, 0x23, 0x26, 0x27, 0x28, 0x2A, 0x2C, 0x2B}}},
    {"attribute", {3, {0x06, 0x0A}}},
    {"marshal", {1, {0x04, 0x08}}},
    {"secured", {2, {0x02, 0x06, 0x20}}},
    {"semantics", {1, {0x14, 0x17}}},
    {"method", {1, {0x06, 0x0A}}},
    {"forwarded", {1, {0x04, 0x06}}},
    {"implementation", {2, {0x26, 0x23, 0x27}}},
    {"owner", {1, {0x02, 0x06}}},
};

std::vector<uint8_t> ReadFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string NewestBelow(const std::filesystem::path& folder, const std::string& rest) {
  std::string newest;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (std::filesystem::exists(entry.path() / rest)) newest = std::max(newest, (entry.path() / rest).string());
  }
  if (newest.empty()) throw std::runtime_error("nothing like " + rest + " below " + folder.string());
  return newest;
}

std::filesystem::path DotnetFolder() {
  std::istringstream path(std::getenv("PATH"));
  for (std::string folder; std::getline(path, folder, ':');) {
    std::error_code error;
    const auto program = std::filesystem::canonical(folder + "/dotnet", error);
    if (!error) return program.parent_path();
  }
  throw std::runtime_error("no dotnet on PATH");
}

}  // namespace

std::string FrameworkFolder() {
  return std::filesystem::path(
             NewestBelow(DotnetFolder() / "shared/Microsoft.NETCore.App", "System.Private.CoreLib.dll"))
      .parent_path();
}

std::string CompilerFolder() { return NewestBelow(DotnetFolder() / "sdk", "Roslyn/bincore"); }
std::string FSharpFolder() { return NewestBelow(DotnetFolder() / "sdk", "FSharp"); }

AssemblyFile::AssemblyFile(const std::string& path) : bytes_(ReadFile(path)) {
  const uint64_t header = Value(0x3C, 4);
  const uint64_t section_count = Value(header + 6, 2), optional_size = Value(header + 20, 2);
  const uint64_t optional = header + 24;
  const bool wide = Value(optional, 2) == 0x20B;
  for (uint64_t i = 0; i < section_count; ++i) {
    const uint64_t at = optional + optional_size + 40 * i;
    sections_.push_back({static_cast<uint32_t>(Value(at + 12, 4)), static_cast<uint32_t>(Value(at + 16, 4)),
                         static_cast<uint32_t>(Value(at + 20, 4))});
  }
  const uint64_t directory = optional + (wide ? 112 : 96) + 8 * 14;
  const uint64_t cli = OffsetOf(static_cast<uint32_t>(Value(directory, 4)));
  ReadStreams(OffsetOf(static_cast<uint32_t>(Value(cli + 8, 4))));
}

uint64_t AssemblyFile::Value(uint64_t offset, uint32_t size) const {
  if (offset + size > bytes_.size()) throw std::runtime_error("the assembly is cut short");
  return ByteSource(Blob(bytes_).subspan(offset, size)).Read(size);
}

uint64_t AssemblyFile::OffsetOf(uint32_t rva) const {
  for (const Section& section : sections_) {
    if (rva >= section.rva && rva - section.rva < section.size) return rva - section.rva + section.offset;
  }
  throw std::runtime_error("an address lies in no section");
}

void AssemblyFile::ReadStreams(uint64_t metadata) {
  uint64_t at = metadata + 16 + Value(metadata + 12, 4);
  const uint64_t count = Value(at + 2, 2);
  at += 4;
  uint64_t tables = 0;
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t offset = metadata + Value(at, 4);
    const std::string name(reinterpret_cast<const char*>(&bytes_.at(at + 8)));
    if (name == "#~" || name == "#-") tables = offset;
    if (name == "#Strings") strings_ = offset;
    if (name == "#Blob") blobs_ = offset;
    at += 8 + (name.size() / 4 + 1) * 4;
  }
  ReadTables(tables);
}

void AssemblyFile::ReadTables(uint64_t stream) {
  const auto heaps = static_cast<uint8_t>(Value(stream + 6, 1));
  const uint64_t valid = Value(stream + 8, 8);
  uint64_t at = stream + 24;
  for (uint32_t table = 0; table < 64; ++table) {
    if ((valid >> table & 1) == 0) continue;
    if (table >= kTableCount) throw std::runtime_error("an unknown table of metadata");
    tables_[table].rows = static_cast<uint32_t>(Value(at, 4));
    at += 4;
  }
  for (uint32_t index = 0; index < kTableCount; ++index) {
    Table& table = tables_[index];
    std::istringstream columns(kColumns[index]);
    for (std::string column; columns >> column;) table.widths.push_back(WidthOf(column, heaps));
    for (const uint32_t width : table.widths) table.row_size += width;
    table.offset = at;
    at += uint64_t{table.rows} * table.row_size;
  }
}

uint32_t AssemblyFile::WidthOf(const std::string& column, uint8_t heaps) const {
  if (column == "2" || column == "4") return column == "2" ? 2 : 4;
  if (column == "S") return (heaps & 1) != 0 ? 4 : 2;
  if (column == "G") return (heaps & 2) != 0 ? 4 : 2;
  if (column == "B") return (heaps & 4) != 0 ? 4 : 2;
  if (column.front() == 'T') return tables_[std::stoul(column.substr(1), nullptr, 16)].rows > 0xFFFF ? 4 : 2;
  const CodedIndex& coded = kCoded.at(column);
  uint32_t most = 0;
  for (const uint32_t table : coded.tables) most = std::max(most, tables_[table].rows);
  return most >= 1u << (16 - coded.bits) ? 4 : 2;
}

uint32_t AssemblyFile::Cell(uint32_t table, uint32_t row, uint32_t column) const {
  const Table& facts = tables_[table];
  uint64_t at = facts.offset + uint64_t{row - 1} * facts.row_size;
  for (uint32_t i = 0; i < column; ++i) at += facts.widths[i];
  return static_cast<uint32_t>(Value(at, facts.widths[column]));
}

Blob AssemblyFile::BlobAt(uint32_t index) const {
  const Blob rest = Blob(bytes_).subspan(blobs_ + index);
  ByteSource source(rest);
  const uint32_t size = source.Compressed();
  return rest.subspan(source.Position(), size);
}

Blob AssemblyFile::BodyBytes(uint32_t method) const {
  const uint32_t rva = Cell(kMethodDef, method, 0);
  constexpr uint32_t kCodeKind = 0x3;  // native and runtime-made methods have addresses of another meaning
  if (rva == 0 || (Cell(kMethodDef, method, 1) & kCodeKind) != 0) return {};
  return Blob(bytes_).subspan(OffsetOf(rva));
}

Blob AssemblyFile::SignatureOfMethod(uint32_t method) const { return BlobAt(Cell(kMethodDef, method, 4)); }

std::string AssemblyFile::NameOfMethod(uint32_t method) const {
  return reinterpret_cast<const char*>(&bytes_.at(strings_ + Cell(kMethodDef, method, 3)));
}

bool AssemblyFile::SignatureOf(abi::mdToken token, Blob& signature) {
  const uint32_t table = token >> 24, row = token & 0xFFFFFF;
  if (table >= kTableCount || row == 0 || row > tables_[table].rows) return false;
  if (table == kMethodDef) signature = SignatureOfMethod(row);
  if (table == kMemberRef) signature = BlobAt(Cell(kMemberRef, row, 2));
  if (table == kStandAloneSig) signature = BlobAt(Cell(kStandAloneSig, row, 0));
  if (table == kMethodSpec) {
    const uint32_t parent = Cell(kMethodSpec, row, 0);
    return SignatureOf(((parent & 1) != 0 ? kMemberRef : kMethodDef) << 24 | parent >> 1, signature);
  }
  return !signature.empty();
}

}  // namespace cairn::collector::il
