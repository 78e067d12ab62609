#pragma once
// MetadataSource over IMetaDataImport2. One importer per module, kept until this object goes.

#include <string>
#include <unordered_map>
#include <vector>

#include "collector/abi/metadata.h"
#include "collector/abi/profiler_info.h"
#include "collector/types/runtime_source.h"

namespace cairn::collector {

class ComMetadata final : public MetadataSource {
 public:
  explicit ComMetadata(abi::ICorProfilerInfo10* info) : info_(info) {}

  std::vector<ModuleId> Modules() override;
  bool Module(ModuleId module, ModuleRow* row) override;
  AssemblyIdentity Identity(ModuleId module) override;
  AssemblyIdentity ReferredIdentity(ModuleId module, Token assembly_ref) override;
  bool TypeDef(ModuleId module, Token token, TypeDefRow* row) override;
  bool TypeRef(ModuleId module, Token token, TypeRefRow* row) override;
  bool TypeSpec(ModuleId module, Token token, Signature* signature) override;
  bool Field(ModuleId module, Token token, FieldRow* row) override;
  bool Method(ModuleId module, Token token, MethodRow* row) override;
  std::vector<Token> TypeDefs(ModuleId module) override;
  std::vector<Token> Fields(ModuleId module, Token type_def) override;
  std::vector<Token> Methods(ModuleId module, Token type_def) override;
  uint32_t InlineArrayLength(ModuleId module, Token type_def) override;
  Token FindTypeDef(ModuleId module, std::string_view name, Token enclosing) override;
  bool FindExportedType(ModuleId module, std::string_view name, ExportedTypeRow* row) override;

 private:
  struct Importer {
    abi::ComPtr<abi::IMetaDataImport2> types;
    abi::ComPtr<abi::IMetaDataAssemblyImport> assembly;
  };
  const Importer& Open(ModuleId module);
  template <class Next>
  std::vector<Token> Collect(ModuleId module, Next next);

  abi::ICorProfilerInfo10* info_;
  std::unordered_map<ModuleId, Importer> importers_;
};

}  // namespace cairn::collector
