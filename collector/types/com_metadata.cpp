#include "collector/types/com_metadata.h"

#include <cstring>

#include "collector/abi/metadata_constants.h"
#include "collector/types/com_text.h"

namespace cairn::collector {
namespace {

constexpr uint32_t kBatch = 64;

bool IsNested(uint32_t flags) { return (flags & abi::kTypeVisibilityMask) >= abi::kTypeNestedPublic; }

uint64_t VersionOf(const abi::AssemblyMetaData& details) {
  return uint64_t{details.major} << 48 | uint64_t{details.minor} << 32 | uint64_t{details.build} << 16 |
         details.revision;
}

// The details hold in-pointers: uninitialised ones are followed.
template <class Call>
AssemblyIdentity ReadIdentity(Call call) {
  constexpr uint32_t kLocale = 86;  // characters, the longest name of a culture and its 0
  abi::WChar locale[kLocale] = {};
  abi::AssemblyMetaData details{};
  const void* key = nullptr;
  uint32_t key_size = 0;
  AssemblyIdentity identity;
  const bool known = ReadText(&identity.name, [&](abi::WChar* text, uint32_t capacity, uint32_t* length) {
    details = {};
    details.locale = locale;
    details.locale_length = kLocale;
    return call(&key, &key_size, text, capacity, length, &details);
  });
  if (!known) return {};
  identity.version = VersionOf(details);
  const uint32_t length = details.locale_length;  // with the 0
  if (length > 1 && length <= kLocale) identity.culture = ToUtf8(locale, length - 1);
  if (key != nullptr) identity.token = PublicKeyToken({static_cast<const uint8_t*>(key), key_size});
  return identity;
}

Signature Blob(abi::Signature bytes, uint32_t size) { return {bytes, bytes == nullptr ? 0 : size}; }

}  // namespace

const ComMetadata::Importer& ComMetadata::Open(ModuleId module) {
  const auto known = importers_.find(module);
  if (known != importers_.end()) return known->second;
  Importer importer;
  abi::ComPtr<abi::IUnknown> unknown;
  const abi::HRESULT hr = info_->GetModuleMetaData(module, abi::kOpenRead, abi::IMetaDataImport2::kIid, unknown.Out());
  if (hr == abi::kOk) {  // kFalse: a module without metadata
    importer.types = abi::ComPtr<abi::IMetaDataImport2>::From(unknown.Get());
    importer.assembly = abi::ComPtr<abi::IMetaDataAssemblyImport>::From(unknown.Get());
  }
  return importers_.emplace(module, std::move(importer)).first->second;
}

std::vector<ModuleId> ComMetadata::Modules() {
  std::vector<ModuleId> modules;
  abi::ComPtr<abi::ICorProfilerModuleEnum> enumerator;
  if (abi::Failed(info_->EnumModules(enumerator.Out())) || !enumerator) return modules;
  abi::ModuleID ids[kBatch];
  for (uint32_t fetched = 0; abi::Succeeded(enumerator->Next(kBatch, ids, &fetched)) && fetched > 0;) {
    modules.insert(modules.end(), ids, ids + fetched);
    if (fetched < kBatch) break;
  }
  return modules;
}

bool ComMetadata::Module(ModuleId module, ModuleRow* row) {
  abi::AssemblyID assembly = 0;
  const bool known = ReadText(&row->path, [&](abi::WChar* text, uint32_t capacity, uint32_t* length) {
    const uint8_t* base = nullptr;
    return info_->GetModuleInfo2(module, &base, capacity, length, text, &assembly, &row->flags);
  });
  if (!known) return false;
  row->assembly = assembly;
  if (const auto& types = Open(module).types) {
    ReadText(&row->scope, [&](abi::WChar* text, uint32_t capacity, uint32_t* length) {
      return types->GetScopeProps(text, capacity, length, nullptr);
    });
  }
  return true;
}

AssemblyIdentity ComMetadata::Identity(ModuleId module) {
  abi::mdAssembly token = 0;
  const auto& assembly = Open(module).assembly;
  if (!assembly || abi::Failed(assembly->GetAssemblyFromScope(&token))) return {};
  return ReadIdentity([&](const void** key, uint32_t* key_size, abi::WChar* name, uint32_t capacity, uint32_t* length,
                          abi::AssemblyMetaData* details) {
    return assembly->GetAssemblyProps(token, key, key_size, nullptr, name, capacity, length, details, nullptr);
  });
}

AssemblyIdentity ComMetadata::ReferredIdentity(ModuleId module, Token assembly_ref) {
  const auto& assembly = Open(module).assembly;
  if (!assembly) return {};
  return ReadIdentity([&](const void** key, uint32_t* key_size, abi::WChar* name, uint32_t capacity, uint32_t* length,
                          abi::AssemblyMetaData* details) {
    return assembly->GetAssemblyRefProps(assembly_ref, key, key_size, name, capacity, length, details, nullptr, nullptr,
                                         nullptr);
  });
}

bool ComMetadata::TypeDef(ModuleId module, Token token, TypeDefRow* row) {
  const auto& types = Open(module).types;
  if (!types || !ReadText(&row->name, [&](abi::WChar* text, uint32_t capacity, uint32_t* length) {
        return types->GetTypeDefProps(token, text, capacity, length, &row->flags, &row->extends);
      })) {
    return false;
  }
  row->enclosing = 0;
  return !IsNested(row->flags) || abi::Succeeded(types->GetNestedClassProps(token, &row->enclosing));
}

bool ComMetadata::TypeRef(ModuleId module, Token token, TypeRefRow* row) {
  const auto& types = Open(module).types;
  return types && ReadText(&row->name, [&](abi::WChar* text, uint32_t capacity, uint32_t* length) {
           return types->GetTypeRefProps(token, &row->scope, text, capacity, length);
         });
}

bool ComMetadata::TypeSpec(ModuleId module, Token token, Signature* signature) {
  const auto& types = Open(module).types;
  abi::Signature bytes = nullptr;
  uint32_t size = 0;
  if (!types || abi::Failed(types->GetTypeSpecFromToken(token, &bytes, &size))) return false;
  *signature = Blob(bytes, size);
  return true;
}

bool ComMetadata::Field(ModuleId module, Token token, FieldRow* row) {
  const auto& types = Open(module).types;
  abi::Signature bytes = nullptr;
  uint32_t size = 0;
  if (!types || !ReadText(&row->name, [&](abi::WChar* text, uint32_t capacity, uint32_t* length) {
        return types->GetFieldProps(token, nullptr, text, capacity, length, &row->flags, &bytes, &size, nullptr,
                                    nullptr, nullptr);
      })) {
    return false;
  }
  row->signature = Blob(bytes, size);
  return true;
}

bool ComMetadata::Method(ModuleId module, Token token, MethodRow* row) {
  const auto& types = Open(module).types;
  return types && ReadText(&row->name, [&](abi::WChar* text, uint32_t capacity, uint32_t* length) {
           return types->GetMethodProps(token, &row->owner, text, capacity, length, nullptr, nullptr, nullptr, nullptr,
                                        nullptr);
         });
}

template <class Next>
std::vector<Token> ComMetadata::Collect(ModuleId module, Next next) {
  std::vector<Token> tokens;
  const auto& types = Open(module).types;
  if (!types) return tokens;
  abi::MetaDataEnum handle = nullptr;
  Token batch[kBatch];
  for (uint32_t fetched = 0; abi::Succeeded(next(*types.Get(), &handle, batch, &fetched)) && fetched > 0;) {
    tokens.insert(tokens.end(), batch, batch + fetched);
  }
  types->CloseEnum(handle);
  return tokens;
}

std::vector<Token> ComMetadata::TypeDefs(ModuleId module) {
  return Collect(module, [](abi::IMetaDataImport2& types, abi::MetaDataEnum* handle, Token* batch, uint32_t* fetched) {
    return types.EnumTypeDefs(handle, batch, kBatch, fetched);
  });
}

std::vector<Token> ComMetadata::Fields(ModuleId module, Token type_def) {
  return Collect(module,
                 [type_def](abi::IMetaDataImport2& types, abi::MetaDataEnum* handle, Token* batch, uint32_t* fetched) {
                   return types.EnumFields(handle, type_def, batch, kBatch, fetched);
                 });
}

std::vector<Token> ComMetadata::Methods(ModuleId module, Token type_def) {
  return Collect(module,
                 [type_def](abi::IMetaDataImport2& types, abi::MetaDataEnum* handle, Token* batch, uint32_t* fetched) {
                   return types.EnumMethods(handle, type_def, batch, kBatch, fetched);
                 });
}

// The attribute's blob: prolog 01 00, then the length as four bytes.
uint32_t ComMetadata::InlineArrayLength(ModuleId module, Token type_def) {
  constexpr const abi::WChar* kAttribute = CAIRN_WIDE("System.Runtime.CompilerServices.InlineArrayAttribute");
  constexpr uint32_t kBlobSize = 6;
  const auto& types = Open(module).types;
  const void* data = nullptr;
  uint32_t size = 0;
  if (!types || types->GetCustomAttributeByName(type_def, kAttribute, &data, &size) != abi::kOk) return 0;
  if (data == nullptr || size < kBlobSize) return 0;
  int32_t length = 0;
  std::memcpy(&length, static_cast<const uint8_t*>(data) + 2, sizeof length);
  return length > 0 ? static_cast<uint32_t>(length) : 0;
}

Token ComMetadata::FindTypeDef(ModuleId module, std::string_view name, Token enclosing) {
  const auto& types = Open(module).types;
  Token found = 0;
  const bool known = types && abi::Succeeded(types->FindTypeDefByName(ToUtf16(name).c_str(), enclosing, &found));
  return known && !abi::IsNilToken(found) ? found : 0;
}

bool ComMetadata::FindExportedType(ModuleId module, std::string_view name, ExportedTypeRow* row) {
  const auto& assembly = Open(module).assembly;
  abi::mdExportedType token = 0;
  return assembly && abi::Succeeded(assembly->FindExportedTypeByName(ToUtf16(name).c_str(), 0, &token)) &&
         abi::Succeeded(
             assembly->GetExportedTypeProps(token, nullptr, 0, nullptr, &row->implementation, nullptr, nullptr));
}

}  // namespace cairn::collector
