#pragma once
// Reading the metadata of a module. ICorProfilerInfo::GetModuleMetaData hands one object out that answers
// QueryInterface for all of these. Text lengths count the final 0.

#include "collector/abi/com.h"
#include "collector/abi/ids.h"
#include "collector/abi/structs.h"

namespace cairn::collector::abi {

// Slots 3 to 64.
class IMetaDataImport : public IUnknown {
 public:
  static constexpr GUID kIid = {0x7DAC8207, 0xD3AE, 0x4C75, {0x9B, 0x67, 0x92, 0x80, 0x1A, 0x49, 0x7D, 0x44}};

  virtual void CAIRN_STDCALL CloseEnum(MetaDataEnum handle) = 0;
  virtual HRESULT CAIRN_STDCALL CountEnum(MetaDataEnum handle, uint32_t* count) = 0;
  virtual HRESULT CAIRN_STDCALL ResetEnum(MetaDataEnum handle, uint32_t position) = 0;
  virtual HRESULT CAIRN_STDCALL EnumTypeDefs(MetaDataEnum* handle, mdTypeDef* type_defs, uint32_t capacity,
                                             uint32_t* type_defs_count) = 0;
  virtual HRESULT CAIRN_STDCALL EnumInterfaceImpls(MetaDataEnum* handle, mdTypeDef type_def, mdInterfaceImpl* impls,
                                                   uint32_t capacity, uint32_t* impls_count) = 0;
  virtual HRESULT CAIRN_STDCALL EnumTypeRefs(MetaDataEnum* handle, mdTypeRef* type_refs, uint32_t capacity,
                                             uint32_t* type_refs_count) = 0;
  virtual HRESULT CAIRN_STDCALL FindTypeDefByName(const WChar* type_name, mdToken enclosing_class,
                                                  mdTypeDef* type_def) = 0;
  virtual HRESULT CAIRN_STDCALL GetScopeProps(WChar* name, uint32_t name_capacity, uint32_t* name_length,
                                              GUID* version_id) = 0;
  virtual HRESULT CAIRN_STDCALL GetModuleFromScope(mdModule* result) = 0;
  virtual HRESULT CAIRN_STDCALL GetTypeDefProps(mdTypeDef type_def, WChar* type_name, uint32_t type_name_capacity,
                                                uint32_t* type_name_length, uint32_t* type_def_flags,
                                                mdToken* extends) = 0;
  virtual HRESULT CAIRN_STDCALL GetInterfaceImplProps(mdInterfaceImpl interface_impl, mdTypeDef* type_def,
                                                      mdToken* interface_token) = 0;
  virtual HRESULT CAIRN_STDCALL GetTypeRefProps(mdTypeRef type_ref, mdToken* resolution_scope, WChar* name,
                                                uint32_t name_capacity, uint32_t* name_length) = 0;
  virtual HRESULT CAIRN_STDCALL ResolveTypeRef(mdTypeRef type_ref, const GUID& iid, IUnknown** scope,
                                               mdTypeDef* type_def) = 0;
  virtual HRESULT CAIRN_STDCALL EnumMembers(MetaDataEnum* handle, mdTypeDef type_def, mdToken* members,
                                            uint32_t capacity, uint32_t* token_count) = 0;
  virtual HRESULT CAIRN_STDCALL EnumMembersWithName(MetaDataEnum* handle, mdTypeDef type_def, const WChar* name,
                                                    mdToken* members, uint32_t capacity, uint32_t* token_count) = 0;
  virtual HRESULT CAIRN_STDCALL EnumMethods(MetaDataEnum* handle, mdTypeDef type_def, mdMethodDef* methods,
                                            uint32_t capacity, uint32_t* token_count) = 0;
  virtual HRESULT CAIRN_STDCALL EnumMethodsWithName(MetaDataEnum* handle, mdTypeDef type_def, const WChar* name,
                                                    mdMethodDef* methods, uint32_t capacity, uint32_t* token_count) = 0;
  virtual HRESULT CAIRN_STDCALL EnumFields(MetaDataEnum* handle, mdTypeDef type_def, mdFieldDef* fields,
                                           uint32_t capacity, uint32_t* token_count) = 0;
  virtual HRESULT CAIRN_STDCALL EnumFieldsWithName(MetaDataEnum* handle, mdTypeDef type_def, const WChar* name,
                                                   mdFieldDef* fields, uint32_t capacity, uint32_t* token_count) = 0;
  virtual HRESULT CAIRN_STDCALL EnumParams(MetaDataEnum* handle, mdMethodDef member, mdParamDef* params,
                                           uint32_t capacity, uint32_t* token_count) = 0;
  virtual HRESULT CAIRN_STDCALL EnumMemberRefs(MetaDataEnum* handle, mdToken parent, mdMemberRef* member_refs,
                                               uint32_t capacity, uint32_t* token_count) = 0;
  virtual HRESULT CAIRN_STDCALL EnumMethodImpls(MetaDataEnum* handle, mdTypeDef type_def, mdToken* method_body,
                                                mdToken* method_decl, uint32_t capacity, uint32_t* token_count) = 0;
  virtual HRESULT CAIRN_STDCALL EnumPermissionSets(MetaDataEnum* handle, mdToken token, uint32_t actions,
                                                   mdPermission* permission, uint32_t capacity,
                                                   uint32_t* token_count) = 0;
  virtual HRESULT CAIRN_STDCALL FindMember(mdTypeDef type_def, const WChar* name, Signature signature,
                                           uint32_t signature_size, mdToken* member) = 0;
  virtual HRESULT CAIRN_STDCALL FindMethod(mdTypeDef type_def, const WChar* name, Signature signature,
                                           uint32_t signature_size, mdMethodDef* member) = 0;
  virtual HRESULT CAIRN_STDCALL FindField(mdTypeDef type_def, const WChar* name, Signature signature,
                                          uint32_t signature_size, mdFieldDef* member) = 0;
  virtual HRESULT CAIRN_STDCALL FindMemberRef(mdTypeRef type_def, const WChar* name, Signature signature,
                                              uint32_t signature_size, mdMemberRef* member_ref) = 0;
  virtual HRESULT CAIRN_STDCALL GetMethodProps(mdMethodDef member, mdTypeDef* type_def, WChar* method_name,
                                               uint32_t method_name_capacity, uint32_t* method_name_length,
                                               uint32_t* attr, Signature* signature, uint32_t* signature_size,
                                               uint32_t* code_rva, uint32_t* impl_flags) = 0;
  virtual HRESULT CAIRN_STDCALL GetMemberRefProps(mdMemberRef member_ref, mdToken* parent, WChar* member_name,
                                                  uint32_t member_name_capacity, uint32_t* member_length,
                                                  Signature* signature, uint32_t* signature_size) = 0;
  virtual HRESULT CAIRN_STDCALL EnumProperties(MetaDataEnum* handle, mdTypeDef type_def, mdProperty* properties,
                                               uint32_t capacity, uint32_t* properties_count) = 0;
  virtual HRESULT CAIRN_STDCALL EnumEvents(MetaDataEnum* handle, mdTypeDef type_def, mdEvent* events, uint32_t capacity,
                                           uint32_t* events_count) = 0;
  virtual HRESULT CAIRN_STDCALL GetEventProps(mdEvent event, mdTypeDef* type_def, const WChar* event_name,
                                              uint32_t event_capacity, uint32_t* event_length, uint32_t* event_flags,
                                              mdToken* event_type, mdMethodDef* add_on, mdMethodDef* remove_on,
                                              mdMethodDef* fire, mdMethodDef* other_methods, uint32_t capacity,
                                              uint32_t* other_method_count) = 0;
  virtual HRESULT CAIRN_STDCALL EnumMethodSemantics(MetaDataEnum* handle, mdMethodDef member, mdToken* event_prop,
                                                    uint32_t capacity, uint32_t* event_prop_count) = 0;
  virtual HRESULT CAIRN_STDCALL GetMethodSemantics(mdMethodDef member, mdToken event_prop,
                                                   uint32_t* semantics_flags) = 0;
  virtual HRESULT CAIRN_STDCALL GetClassLayout(mdTypeDef type_def, uint32_t* pack_size, FieldOffset* fields,
                                               uint32_t capacity, uint32_t* field_count, uint32_t* class_size) = 0;
  virtual HRESULT CAIRN_STDCALL GetFieldMarshal(mdToken token, Signature* native_type, uint32_t* native_type_size) = 0;
  virtual HRESULT CAIRN_STDCALL GetRVA(mdToken token, uint32_t* code_rva, uint32_t* impl_flags) = 0;
  virtual HRESULT CAIRN_STDCALL GetPermissionSetProps(mdPermission permission, uint32_t* action, const void** blob,
                                                      uint32_t* permission_size) = 0;
  virtual HRESULT CAIRN_STDCALL GetSigFromToken(mdSignature signature_token, Signature* signature,
                                                uint32_t* signature_size) = 0;
  virtual HRESULT CAIRN_STDCALL GetModuleRefProps(mdModuleRef module_ref, WChar* name, uint32_t name_capacity,
                                                  uint32_t* name_length) = 0;
  virtual HRESULT CAIRN_STDCALL EnumModuleRefs(MetaDataEnum* handle, mdModuleRef* module_refs, uint32_t capacity,
                                               uint32_t* module_refs_count) = 0;
  virtual HRESULT CAIRN_STDCALL GetTypeSpecFromToken(mdTypeSpec type_spec, Signature* signature,
                                                     uint32_t* signature_size) = 0;
  virtual HRESULT CAIRN_STDCALL GetNameFromToken(mdToken token, const char** name) = 0;
  virtual HRESULT CAIRN_STDCALL EnumUnresolvedMethods(MetaDataEnum* handle, mdToken* methods, uint32_t capacity,
                                                      uint32_t* token_count) = 0;
  virtual HRESULT CAIRN_STDCALL GetUserString(mdString string, WChar* string_name, uint32_t string_capacity,
                                              uint32_t* string_length) = 0;
  virtual HRESULT CAIRN_STDCALL GetPinvokeMap(mdToken token, uint32_t* mapping_flags, WChar* import_name,
                                              uint32_t import_name_capacity, uint32_t* import_name_length,
                                              mdModuleRef* import_module) = 0;
  virtual HRESULT CAIRN_STDCALL EnumSignatures(MetaDataEnum* handle, mdSignature* signatures, uint32_t capacity,
                                               uint32_t* signatures_count) = 0;
  virtual HRESULT CAIRN_STDCALL EnumTypeSpecs(MetaDataEnum* handle, mdTypeSpec* type_specs, uint32_t capacity,
                                              uint32_t* type_specs_count) = 0;
  virtual HRESULT CAIRN_STDCALL EnumUserStrings(MetaDataEnum* handle, mdString* strings, uint32_t capacity,
                                                uint32_t* strings_count) = 0;
  virtual HRESULT CAIRN_STDCALL GetParamForMethodIndex(mdMethodDef method, uint32_t param_seq, mdParamDef* ppd) = 0;
  virtual HRESULT CAIRN_STDCALL EnumCustomAttributes(MetaDataEnum* handle, mdToken token, mdToken type,
                                                     mdCustomAttribute* custom_attributes, uint32_t capacity,
                                                     uint32_t* custom_attributes_count) = 0;
  virtual HRESULT CAIRN_STDCALL GetCustomAttributeProps(mdCustomAttribute attribute, mdToken* object, mdToken* type,
                                                        const void** blob, uint32_t* size) = 0;
  virtual HRESULT CAIRN_STDCALL FindTypeRef(mdToken resolution_scope, const WChar* name, mdTypeRef* type_ref) = 0;
  virtual HRESULT CAIRN_STDCALL GetMemberProps(mdToken member, mdTypeDef* type_def, WChar* member_name,
                                               uint32_t member_name_capacity, uint32_t* member_length, uint32_t* attr,
                                               Signature* signature, uint32_t* signature_size, uint32_t* code_rva,
                                               uint32_t* impl_flags, uint32_t* constant_type, const void** constant,
                                               uint32_t* constant_length) = 0;
  virtual HRESULT CAIRN_STDCALL GetFieldProps(mdFieldDef member, mdTypeDef* type_def, WChar* field_name,
                                              uint32_t field_name_capacity, uint32_t* field_name_length, uint32_t* attr,
                                              Signature* signature, uint32_t* signature_size, uint32_t* constant_type,
                                              const void** constant, uint32_t* constant_length) = 0;
  virtual HRESULT CAIRN_STDCALL GetPropertyProps(mdProperty property, mdTypeDef* type_def, const WChar* property_name,
                                                 uint32_t property_capacity, uint32_t* property_length,
                                                 uint32_t* prop_flags, Signature* signature, uint32_t* signature_size,
                                                 uint32_t* constant_type, const void** constant,
                                                 uint32_t* constant_length, mdMethodDef* setter, mdMethodDef* getter,
                                                 mdMethodDef* other_methods, uint32_t capacity,
                                                 uint32_t* other_method_count) = 0;
  virtual HRESULT CAIRN_STDCALL GetParamProps(mdParamDef token, mdMethodDef* result, uint32_t* sequence, WChar* name,
                                              uint32_t name_capacity, uint32_t* name_length, uint32_t* attr,
                                              uint32_t* constant_type, const void** constant,
                                              uint32_t* constant_length) = 0;
  virtual HRESULT CAIRN_STDCALL GetCustomAttributeByName(mdToken object, const WChar* name, const void** data,
                                                         uint32_t* data_size) = 0;
  virtual Bool CAIRN_STDCALL IsValidToken(mdToken token) = 0;
  virtual HRESULT CAIRN_STDCALL GetNestedClassProps(mdTypeDef nested_class, mdTypeDef* enclosing_class) = 0;
  virtual HRESULT CAIRN_STDCALL GetNativeCallConvFromSig(const void* signature, uint32_t signature_size,
                                                         uint32_t* call_conv) = 0;
  virtual HRESULT CAIRN_STDCALL IsGlobal(mdToken token, int32_t* is_global) = 0;

 protected:
  ~IMetaDataImport() = default;
};

// Slots 65 to 72.
class IMetaDataImport2 : public IMetaDataImport {
 public:
  static constexpr GUID kIid = {0xFCE5EFA0, 0x8BBA, 0x4F8E, {0xA0, 0x36, 0x8F, 0x20, 0x22, 0xB0, 0x84, 0x66}};

  virtual HRESULT CAIRN_STDCALL EnumGenericParams(MetaDataEnum* handle, mdToken token, mdGenericParam* generic_params,
                                                  uint32_t capacity, uint32_t* generic_params_count) = 0;
  virtual HRESULT CAIRN_STDCALL GetGenericParamProps(mdGenericParam generic_param, uint32_t* param_seq,
                                                     uint32_t* param_flags, mdToken* pt_owner, uint32_t* reserved,
                                                     WChar* name, uint32_t name_capacity, uint32_t* name_length) = 0;
  virtual HRESULT CAIRN_STDCALL GetMethodSpecProps(mdMethodSpec method_spec, mdToken* parent, Signature* signature,
                                                   uint32_t* signature_size) = 0;
  virtual HRESULT CAIRN_STDCALL EnumGenericParamConstraints(MetaDataEnum* handle, mdGenericParam token,
                                                            mdGenericParamConstraint* generic_param_constraints,
                                                            uint32_t capacity,
                                                            uint32_t* generic_param_constraints_count) = 0;
  virtual HRESULT CAIRN_STDCALL GetGenericParamConstraintProps(mdGenericParamConstraint constraint,
                                                               mdGenericParam* pt_generic_param,
                                                               mdToken* constraint_type) = 0;
  virtual HRESULT CAIRN_STDCALL GetPEKind(uint32_t* pe_kind, uint32_t* machine) = 0;
  virtual HRESULT CAIRN_STDCALL GetVersionString(WChar* buffer, uint32_t buffer_capacity, uint32_t* buffer_length) = 0;
  virtual HRESULT CAIRN_STDCALL EnumMethodSpecs(MetaDataEnum* handle, mdToken token, mdMethodSpec* method_specs,
                                                uint32_t capacity, uint32_t* method_specs_count) = 0;

 protected:
  ~IMetaDataImport2() = default;
};

// Slots 3 to 16.
class IMetaDataAssemblyImport : public IUnknown {
 public:
  static constexpr GUID kIid = {0xEE62470B, 0xE94B, 0x424E, {0x9B, 0x7C, 0x2F, 0x00, 0xC9, 0x24, 0x9F, 0x93}};

  virtual HRESULT CAIRN_STDCALL GetAssemblyProps(mdAssembly assembly, const void** public_key,
                                                 uint32_t* public_key_size, uint32_t* hash_alg_id, WChar* name,
                                                 uint32_t name_capacity, uint32_t* name_length,
                                                 AssemblyMetaData* meta_data, uint32_t* assembly_flags) = 0;
  virtual HRESULT CAIRN_STDCALL GetAssemblyRefProps(mdAssemblyRef assembly_ref, const void** public_key_or_token,
                                                    uint32_t* public_key_or_token_size, WChar* name,
                                                    uint32_t name_capacity, uint32_t* name_length,
                                                    AssemblyMetaData* meta_data, const void** hash, uint32_t* hash_size,
                                                    uint32_t* assembly_ref_flags) = 0;
  virtual HRESULT CAIRN_STDCALL GetFileProps(mdFile file, WChar* name, uint32_t name_capacity, uint32_t* name_length,
                                             const void** hash, uint32_t* hash_size, uint32_t* file_flags) = 0;
  virtual HRESULT CAIRN_STDCALL GetExportedTypeProps(mdExportedType exported_type, WChar* name, uint32_t name_capacity,
                                                     uint32_t* name_length, mdToken* implementation,
                                                     mdTypeDef* type_def, uint32_t* exported_type_flags) = 0;
  virtual HRESULT CAIRN_STDCALL GetManifestResourceProps(mdManifestResource resource, WChar* name,
                                                         uint32_t name_capacity, uint32_t* name_length,
                                                         mdToken* implementation, uint32_t* offset,
                                                         uint32_t* resource_flags) = 0;
  virtual HRESULT CAIRN_STDCALL EnumAssemblyRefs(MetaDataEnum* handle, mdAssemblyRef* assembly_refs, uint32_t capacity,
                                                 uint32_t* token_count) = 0;
  virtual HRESULT CAIRN_STDCALL EnumFiles(MetaDataEnum* handle, mdFile* files, uint32_t capacity,
                                          uint32_t* token_count) = 0;
  virtual HRESULT CAIRN_STDCALL EnumExportedTypes(MetaDataEnum* handle, mdExportedType* exported_types,
                                                  uint32_t capacity, uint32_t* token_count) = 0;
  virtual HRESULT CAIRN_STDCALL EnumManifestResources(MetaDataEnum* handle, mdManifestResource* manifest_resources,
                                                      uint32_t capacity, uint32_t* token_count) = 0;
  virtual HRESULT CAIRN_STDCALL GetAssemblyFromScope(mdAssembly* assembly) = 0;
  virtual HRESULT CAIRN_STDCALL FindExportedTypeByName(const WChar* name, mdToken enclosing_type,
                                                       mdExportedType* exported_type) = 0;
  virtual HRESULT CAIRN_STDCALL FindManifestResourceByName(const WChar* name,
                                                           mdManifestResource* manifest_resource) = 0;
  virtual void CAIRN_STDCALL CloseEnum(MetaDataEnum handle) = 0;
  virtual HRESULT CAIRN_STDCALL FindAssembliesByName(const WChar* app_base, const WChar* private_bin,
                                                     const WChar* assembly_name, IUnknown** result, uint32_t capacity,
                                                     uint32_t* assemblies_count) = 0;

 protected:
  ~IMetaDataAssemblyImport() = default;
};

}  // namespace cairn::collector::abi
