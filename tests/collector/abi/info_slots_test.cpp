// Every slot of ICorProfilerInfo, against the numbers of the published interface tables.

#include <gtest/gtest.h>

#include "collector/abi/profiler_info.h"
#include "tests/collector/abi/vtable_slot.h"

namespace cairn::collector::abi {
namespace {

TEST(Slots, ICorProfilerInfo) {
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo::GetClassFromObject), 3u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo::GetClassFromToken), 4u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo::GetCodeInfo), 5u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo::GetEventMask), 6u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo::GetFunctionFromIP), 7u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo::GetFunctionFromToken), 8u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo::GetHandleFromThread), 9u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo::GetObjectSize), 10u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo::IsArrayClass), 11u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo::GetThreadInfo), 12u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo::GetCurrentThreadID), 13u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo::GetClassIDInfo), 14u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo::GetFunctionInfo), 15u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo::SetEventMask), 16u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo::SetEnterLeaveFunctionHooks), 17u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo::SetFunctionIDMapper), 18u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo::GetTokenAndMetaDataFromFunction), 19u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo::GetModuleInfo), 20u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo::GetModuleMetaData), 21u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo::GetILFunctionBody), 22u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo::GetILFunctionBodyAllocator), 23u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo::SetILFunctionBody), 24u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo::GetAppDomainInfo), 25u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo::GetAssemblyInfo), 26u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo::SetFunctionReJIT), 27u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo::ForceGC), 28u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo::SetILInstrumentedCodeMap), 29u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo::GetInprocInspectionInterface), 30u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo::GetInprocInspectionIThisThread), 31u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo::GetThreadContext), 32u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo::BeginInprocDebugging), 33u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo::EndInprocDebugging), 34u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo::GetILToNativeMapping), 35u);
}

TEST(Slots, ICorProfilerInfo2) {
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo2::DoStackSnapshot), 36u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo2::SetEnterLeaveFunctionHooks2), 37u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo2::GetFunctionInfo2), 38u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo2::GetStringLayout), 39u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo2::GetClassLayout), 40u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo2::GetClassIDInfo2), 41u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo2::GetCodeInfo2), 42u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo2::GetClassFromTokenAndTypeArgs), 43u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo2::GetFunctionFromTokenAndTypeArgs), 44u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo2::EnumModuleFrozenObjects), 45u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo2::GetArrayObjectInfo), 46u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo2::GetBoxClassLayout), 47u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo2::GetThreadAppDomain), 48u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo2::GetRVAStaticAddress), 49u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo2::GetAppDomainStaticAddress), 50u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo2::GetThreadStaticAddress), 51u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo2::GetContextStaticAddress), 52u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo2::GetStaticFieldInfo), 53u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo2::GetGenerationBounds), 54u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo2::GetObjectGeneration), 55u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo2::GetNotifiedExceptionClauseInfo), 56u);
}

TEST(Slots, ICorProfilerInfo3) {
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo3::EnumJITedFunctions), 57u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo3::RequestProfilerDetach), 58u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo3::SetFunctionIDMapper2), 59u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo3::GetStringLayout2), 60u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo3::SetEnterLeaveFunctionHooks3), 61u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo3::SetEnterLeaveFunctionHooks3WithInfo), 62u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo3::GetFunctionEnter3Info), 63u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo3::GetFunctionLeave3Info), 64u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo3::GetFunctionTailcall3Info), 65u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo3::EnumModules), 66u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo3::GetRuntimeInformation), 67u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo3::GetThreadStaticAddress2), 68u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo3::GetAppDomainsContainingModule), 69u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo3::GetModuleInfo2), 70u);
}

TEST(Slots, ICorProfilerInfo4) {
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo4::EnumThreads), 71u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo4::InitializeCurrentThread), 72u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo4::RequestReJIT), 73u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo4::RequestRevert), 74u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo4::GetCodeInfo3), 75u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo4::GetFunctionFromIP2), 76u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo4::GetReJITIDs), 77u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo4::GetILToNativeMapping2), 78u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo4::EnumJITedFunctions2), 79u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo4::GetObjectSize2), 80u);
}

TEST(Slots, ICorProfilerInfo5) {
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo5::GetEventMask2), 81u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo5::SetEventMask2), 82u);
}

TEST(Slots, ICorProfilerInfo6) {
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo6::EnumNgenModuleMethodsInliningThisMethod), 83u);
}

TEST(Slots, ICorProfilerInfo7) {
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo7::ApplyMetaData), 84u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo7::GetInMemorySymbolsLength), 85u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo7::ReadInMemorySymbols), 86u);
}

TEST(Slots, ICorProfilerInfo8) {
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo8::IsFunctionDynamic), 87u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo8::GetFunctionFromIP3), 88u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo8::GetDynamicFunctionInfo), 89u);
}

TEST(Slots, ICorProfilerInfo9) {
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo9::GetNativeCodeStartAddresses), 90u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo9::GetILToNativeMapping3), 91u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo9::GetCodeInfo4), 92u);
}

TEST(Slots, ICorProfilerInfo10) {
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo10::EnumerateObjectReferences), 93u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo10::IsFrozenObject), 94u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo10::GetLOHObjectSizeThreshold), 95u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo10::RequestReJITWithInliners), 96u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo10::SuspendRuntime), 97u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo10::ResumeRuntime), 98u);
}

TEST(Slots, ICorProfilerInfo11) {
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo11::GetEnvironmentVariable), 99u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo11::SetEnvironmentVariable), 100u);
}

TEST(Slots, ICorProfilerInfo12) {
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo12::EventPipeStartSession), 101u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo12::EventPipeAddProviderToSession), 102u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo12::EventPipeStopSession), 103u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo12::EventPipeCreateProvider), 104u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo12::EventPipeGetProviderInfo), 105u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo12::EventPipeDefineEvent), 106u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo12::EventPipeWriteEvent), 107u);
}

TEST(Slots, ICorProfilerInfo13) {
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo13::CreateHandle), 108u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo13::DestroyHandle), 109u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo13::GetObjectIDFromHandle), 110u);
}

TEST(Slots, ICorProfilerInfo14) {
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo14::EnumerateNonGCObjects), 111u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo14::GetNonGCHeapBounds), 112u);
  EXPECT_EQ(VtableSlot(&ICorProfilerInfo14::EventPipeCreateProvider2), 113u);
}

TEST(Slots, ICorProfilerInfo15) { EXPECT_EQ(VtableSlot(&ICorProfilerInfo15::EnumerateGCHeapObjects), 114u); }

}  // namespace
}  // namespace cairn::collector::abi
