#pragma once
// A managed assembly's methods as a compiler wrote them: bodies and signatures, read from the file without a runtime.
// Ownership: holds the file's bytes; what it hands out lies in them. A file that is not an assembly throws.

#include <array>
#include <string>
#include <vector>

#include "collector/il/signature_shape.h"

namespace cairn::collector::il {

class AssemblyFile final : public SignatureSource {
 public:
  explicit AssemblyFile(const std::string& path);

  uint32_t MethodCount() const { return tables_[kMethodDef].rows; }
  // Of the MethodDef with this row, from 1 on; empty without a body.
  Blob BodyBytes(uint32_t method) const;
  Blob SignatureOfMethod(uint32_t method) const;
  std::string NameOfMethod(uint32_t method) const;

  bool SignatureOf(abi::mdToken token, Blob& signature) override;

 private:
  static constexpr uint32_t kMethodDef = 0x06, kMemberRef = 0x0A, kStandAloneSig = 0x11, kMethodSpec = 0x2B;
  static constexpr uint32_t kTableCount = 0x2D;

  struct Table {
    uint32_t rows = 0, row_size = 0;
    uint64_t offset = 0;
    std::vector<uint32_t> widths;  // of the columns
  };

  uint64_t Value(uint64_t offset, uint32_t size) const;
  uint64_t OffsetOf(uint32_t rva) const;
  void ReadStreams(uint64_t metadata);
  void ReadTables(uint64_t stream);
  uint32_t WidthOf(const std::string& column, uint8_t heaps) const;
  uint32_t Cell(uint32_t table, uint32_t row, uint32_t column) const;
  Blob BlobAt(uint32_t index) const;

  std::vector<uint8_t> bytes_;
  struct Section {
    uint32_t rva, size, offset;
  };
  std::vector<Section> sections_;
  uint64_t strings_ = 0, blobs_ = 0;
  std::array<Table, kTableCount> tables_;
};

// The folder that holds System.Private.CoreLib.dll of the newest .NET on PATH, and that of its compilers.
std::string FrameworkFolder();
std::string CompilerFolder();
std::string FSharpFolder();

}  // namespace cairn::collector::il
