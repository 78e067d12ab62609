#pragma once
// Constants of metadata: token tables and attribute words, with the runtime's own terms.

#include <cstdint>

#include "collector/abi/ids.h"

namespace cairn::collector::abi {

// ---- tokens: the top byte is the table, the rest the row ----

inline constexpr uint32_t kTokenModule = 0x00000000;
inline constexpr uint32_t kTokenTypeRef = 0x01000000;
inline constexpr uint32_t kTokenTypeDef = 0x02000000;
inline constexpr uint32_t kTokenFieldDef = 0x04000000;
inline constexpr uint32_t kTokenMethodDef = 0x06000000;
inline constexpr uint32_t kTokenParamDef = 0x08000000;
inline constexpr uint32_t kTokenInterfaceImpl = 0x09000000;
inline constexpr uint32_t kTokenMemberRef = 0x0A000000;
inline constexpr uint32_t kTokenCustomAttribute = 0x0C000000;
inline constexpr uint32_t kTokenPermission = 0x0E000000;
inline constexpr uint32_t kTokenSignature = 0x11000000;
inline constexpr uint32_t kTokenEvent = 0x14000000;
inline constexpr uint32_t kTokenProperty = 0x17000000;
inline constexpr uint32_t kTokenMethodImpl = 0x19000000;
inline constexpr uint32_t kTokenModuleRef = 0x1A000000;
inline constexpr uint32_t kTokenTypeSpec = 0x1B000000;
inline constexpr uint32_t kTokenAssembly = 0x20000000;
inline constexpr uint32_t kTokenAssemblyRef = 0x23000000;
inline constexpr uint32_t kTokenFile = 0x26000000;
inline constexpr uint32_t kTokenExportedType = 0x27000000;
inline constexpr uint32_t kTokenManifestResource = 0x28000000;
inline constexpr uint32_t kTokenNestedClass = 0x29000000;
inline constexpr uint32_t kTokenGenericParam = 0x2A000000;
inline constexpr uint32_t kTokenMethodSpec = 0x2B000000;
inline constexpr uint32_t kTokenGenericParamConstraint = 0x2C000000;
inline constexpr uint32_t kTokenString = 0x70000000;
inline constexpr uint32_t kTokenName = 0x71000000;
inline constexpr uint32_t kTokenBaseType = 0x72000000;

inline constexpr uint32_t TokenType(mdToken token) { return token & 0xFF000000; }
inline constexpr uint32_t TokenRow(mdToken token) { return token & 0x00FFFFFF; }
inline constexpr bool IsNilToken(mdToken token) { return TokenRow(token) == 0; }

// ---- attributes ----

// CorTypeAttr.
inline constexpr uint32_t kTypeVisibilityMask = 0x00000007;
inline constexpr uint32_t kTypeNotPublic = 0x00000000;
inline constexpr uint32_t kTypePublic = 0x00000001;
inline constexpr uint32_t kTypeNestedPublic = 0x00000002;
inline constexpr uint32_t kTypeNestedPrivate = 0x00000003;
inline constexpr uint32_t kTypeNestedFamily = 0x00000004;
inline constexpr uint32_t kTypeNestedAssembly = 0x00000005;
inline constexpr uint32_t kTypeNestedFamANDAssem = 0x00000006;
inline constexpr uint32_t kTypeNestedFamORAssem = 0x00000007;
inline constexpr uint32_t kTypeLayoutMask = 0x00000018;
inline constexpr uint32_t kTypeAutoLayout = 0x00000000;
inline constexpr uint32_t kTypeSequentialLayout = 0x00000008;
inline constexpr uint32_t kTypeExplicitLayout = 0x00000010;
inline constexpr uint32_t kTypeClassSemanticsMask = 0x00000020;
inline constexpr uint32_t kTypeClass = 0x00000000;
inline constexpr uint32_t kTypeInterface = 0x00000020;
inline constexpr uint32_t kTypeAbstract = 0x00000080;
inline constexpr uint32_t kTypeSealed = 0x00000100;
inline constexpr uint32_t kTypeSpecialName = 0x00000400;
inline constexpr uint32_t kTypeImport = 0x00001000;
inline constexpr uint32_t kTypeSerializable = 0x00002000;
inline constexpr uint32_t kTypeWindowsRuntime = 0x00004000;
inline constexpr uint32_t kTypeStringFormatMask = 0x00030000;
inline constexpr uint32_t kTypeAnsiClass = 0x00000000;
inline constexpr uint32_t kTypeUnicodeClass = 0x00010000;
inline constexpr uint32_t kTypeAutoClass = 0x00020000;
inline constexpr uint32_t kTypeCustomFormatClass = 0x00030000;
inline constexpr uint32_t kTypeCustomFormatMask = 0x00C00000;
inline constexpr uint32_t kTypeBeforeFieldInit = 0x00100000;
inline constexpr uint32_t kTypeForwarder = 0x00200000;
inline constexpr uint32_t kTypeReservedMask = 0x00040800;
inline constexpr uint32_t kTypeRTSpecialName = 0x00000800;
inline constexpr uint32_t kTypeHasSecurity = 0x00040000;

// CorFieldAttr.
inline constexpr uint32_t kFieldFieldAccessMask = 0x0007;
inline constexpr uint32_t kFieldPrivateScope = 0x0000;
inline constexpr uint32_t kFieldPrivate = 0x0001;
inline constexpr uint32_t kFieldFamANDAssem = 0x0002;
inline constexpr uint32_t kFieldAssembly = 0x0003;
inline constexpr uint32_t kFieldFamily = 0x0004;
inline constexpr uint32_t kFieldFamORAssem = 0x0005;
inline constexpr uint32_t kFieldPublic = 0x0006;
inline constexpr uint32_t kFieldStatic = 0x0010;
inline constexpr uint32_t kFieldInitOnly = 0x0020;
inline constexpr uint32_t kFieldLiteral = 0x0040;
inline constexpr uint32_t kFieldNotSerialized = 0x0080;
inline constexpr uint32_t kFieldSpecialName = 0x0200;
inline constexpr uint32_t kFieldPinvokeImpl = 0x2000;
inline constexpr uint32_t kFieldReservedMask = 0x9500;
inline constexpr uint32_t kFieldRTSpecialName = 0x0400;
inline constexpr uint32_t kFieldHasFieldMarshal = 0x1000;
inline constexpr uint32_t kFieldHasDefault = 0x8000;
inline constexpr uint32_t kFieldHasFieldRVA = 0x0100;

// CorMethodAttr.
inline constexpr uint32_t kMethodMemberAccessMask = 0x0007;
inline constexpr uint32_t kMethodPrivateScope = 0x0000;
inline constexpr uint32_t kMethodPrivate = 0x0001;
inline constexpr uint32_t kMethodFamANDAssem = 0x0002;
inline constexpr uint32_t kMethodAssem = 0x0003;
inline constexpr uint32_t kMethodFamily = 0x0004;
inline constexpr uint32_t kMethodFamORAssem = 0x0005;
inline constexpr uint32_t kMethodPublic = 0x0006;
inline constexpr uint32_t kMethodStatic = 0x0010;
inline constexpr uint32_t kMethodFinal = 0x0020;
inline constexpr uint32_t kMethodVirtual = 0x0040;
inline constexpr uint32_t kMethodHideBySig = 0x0080;
inline constexpr uint32_t kMethodVtableLayoutMask = 0x0100;
inline constexpr uint32_t kMethodReuseSlot = 0x0000;
inline constexpr uint32_t kMethodNewSlot = 0x0100;
inline constexpr uint32_t kMethodCheckAccessOnOverride = 0x0200;
inline constexpr uint32_t kMethodAbstract = 0x0400;
inline constexpr uint32_t kMethodSpecialName = 0x0800;
inline constexpr uint32_t kMethodPinvokeImpl = 0x2000;
inline constexpr uint32_t kMethodUnmanagedExport = 0x0008;
inline constexpr uint32_t kMethodReservedMask = 0xD000;
inline constexpr uint32_t kMethodRTSpecialName = 0x1000;
inline constexpr uint32_t kMethodHasSecurity = 0x4000;
inline constexpr uint32_t kMethodRequireSecObject = 0x8000;

// CorGenericParamAttr.
inline constexpr uint32_t kGenericParamVarianceMask = 0x0003;
inline constexpr uint32_t kGenericParamNonVariant = 0x0000;
inline constexpr uint32_t kGenericParamCovariant = 0x0001;
inline constexpr uint32_t kGenericParamContravariant = 0x0002;
inline constexpr uint32_t kGenericParamSpecialConstraintMask = 0x003C;
inline constexpr uint32_t kGenericParamNoSpecialConstraint = 0x0000;
inline constexpr uint32_t kGenericParamReferenceTypeConstraint = 0x0004;
inline constexpr uint32_t kGenericParamNotNullableValueTypeConstraint = 0x0008;
inline constexpr uint32_t kGenericParamDefaultConstructorConstraint = 0x0010;
inline constexpr uint32_t kGenericParamAllowByRefLike = 0x0020;

// CorOpenFlags of GetModuleMetaData.
inline constexpr uint32_t kOpenRead = 0x0000;
inline constexpr uint32_t kOpenWrite = 0x0001;
inline constexpr uint32_t kOpenReadWriteMask = 0x0001;
inline constexpr uint32_t kOpenCopyMemory = 0x0002;
inline constexpr uint32_t kOpenReadOnly = 0x0010;
inline constexpr uint32_t kOpenTakeOwnership = 0x0020;
inline constexpr uint32_t kOpenNoTypeLib = 0x0080;
inline constexpr uint32_t kOpenNoTransform = 0x1000;

// CorPEKind.
inline constexpr uint32_t kPeNot = 0x0000;
inline constexpr uint32_t kPeILonly = 0x0001;
inline constexpr uint32_t kPe32BitRequired = 0x0002;
inline constexpr uint32_t kPe32Plus = 0x0004;
inline constexpr uint32_t kPe32Unmanaged = 0x0008;
inline constexpr uint32_t kPe32BitPreferred = 0x0010;

}  // namespace cairn::collector::abi
