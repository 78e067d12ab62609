// Every slot of the metadata interfaces, against the numbers of the published interface tables.

#include <gtest/gtest.h>

#include "collector/abi/metadata.h"
#include "tests/collector/abi/vtable_slot.h"

namespace cairn::collector::abi {
namespace {

TEST(Slots, IMetaDataImport) {
  EXPECT_EQ(VtableSlot(&IMetaDataImport::CloseEnum), 3u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::CountEnum), 4u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::ResetEnum), 5u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::EnumTypeDefs), 6u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::EnumInterfaceImpls), 7u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::EnumTypeRefs), 8u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::FindTypeDefByName), 9u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::GetScopeProps), 10u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::GetModuleFromScope), 11u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::GetTypeDefProps), 12u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::GetInterfaceImplProps), 13u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::GetTypeRefProps), 14u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::ResolveTypeRef), 15u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::EnumMembers), 16u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::EnumMembersWithName), 17u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::EnumMethods), 18u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::EnumMethodsWithName), 19u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::EnumFields), 20u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::EnumFieldsWithName), 21u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::EnumParams), 22u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::EnumMemberRefs), 23u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::EnumMethodImpls), 24u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::EnumPermissionSets), 25u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::FindMember), 26u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::FindMethod), 27u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::FindField), 28u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::FindMemberRef), 29u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::GetMethodProps), 30u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::GetMemberRefProps), 31u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::EnumProperties), 32u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::EnumEvents), 33u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::GetEventProps), 34u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::EnumMethodSemantics), 35u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::GetMethodSemantics), 36u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::GetClassLayout), 37u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::GetFieldMarshal), 38u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::GetRVA), 39u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::GetPermissionSetProps), 40u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::GetSigFromToken), 41u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::GetModuleRefProps), 42u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::EnumModuleRefs), 43u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::GetTypeSpecFromToken), 44u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::GetNameFromToken), 45u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::EnumUnresolvedMethods), 46u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::GetUserString), 47u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::GetPinvokeMap), 48u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::EnumSignatures), 49u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::EnumTypeSpecs), 50u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::EnumUserStrings), 51u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::GetParamForMethodIndex), 52u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::EnumCustomAttributes), 53u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::GetCustomAttributeProps), 54u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::FindTypeRef), 55u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::GetMemberProps), 56u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::GetFieldProps), 57u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::GetPropertyProps), 58u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::GetParamProps), 59u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::GetCustomAttributeByName), 60u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::IsValidToken), 61u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::GetNestedClassProps), 62u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::GetNativeCallConvFromSig), 63u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport::IsGlobal), 64u);
}

TEST(Slots, IMetaDataImport2) {
  EXPECT_EQ(VtableSlot(&IMetaDataImport2::EnumGenericParams), 65u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport2::GetGenericParamProps), 66u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport2::GetMethodSpecProps), 67u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport2::EnumGenericParamConstraints), 68u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport2::GetGenericParamConstraintProps), 69u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport2::GetPEKind), 70u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport2::GetVersionString), 71u);
  EXPECT_EQ(VtableSlot(&IMetaDataImport2::EnumMethodSpecs), 72u);
}

TEST(Slots, IMetaDataAssemblyImport) {
  EXPECT_EQ(VtableSlot(&IMetaDataAssemblyImport::GetAssemblyProps), 3u);
  EXPECT_EQ(VtableSlot(&IMetaDataAssemblyImport::GetAssemblyRefProps), 4u);
  EXPECT_EQ(VtableSlot(&IMetaDataAssemblyImport::GetFileProps), 5u);
  EXPECT_EQ(VtableSlot(&IMetaDataAssemblyImport::GetExportedTypeProps), 6u);
  EXPECT_EQ(VtableSlot(&IMetaDataAssemblyImport::GetManifestResourceProps), 7u);
  EXPECT_EQ(VtableSlot(&IMetaDataAssemblyImport::EnumAssemblyRefs), 8u);
  EXPECT_EQ(VtableSlot(&IMetaDataAssemblyImport::EnumFiles), 9u);
  EXPECT_EQ(VtableSlot(&IMetaDataAssemblyImport::EnumExportedTypes), 10u);
  EXPECT_EQ(VtableSlot(&IMetaDataAssemblyImport::EnumManifestResources), 11u);
  EXPECT_EQ(VtableSlot(&IMetaDataAssemblyImport::GetAssemblyFromScope), 12u);
  EXPECT_EQ(VtableSlot(&IMetaDataAssemblyImport::FindExportedTypeByName), 13u);
  EXPECT_EQ(VtableSlot(&IMetaDataAssemblyImport::FindManifestResourceByName), 14u);
  EXPECT_EQ(VtableSlot(&IMetaDataAssemblyImport::CloseEnum), 15u);
  EXPECT_EQ(VtableSlot(&IMetaDataAssemblyImport::FindAssembliesByName), 16u);
}

}  // namespace
}  // namespace cairn::collector::abi
