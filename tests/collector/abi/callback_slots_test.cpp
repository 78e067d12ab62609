// Every slot of the callbacks, against the numbers of the published interface tables.

#include <gtest/gtest.h>

#include "collector/abi/profiler_callback.h"
#include "tests/collector/abi/vtable_slot.h"

namespace cairn::collector::abi {
namespace {

TEST(Slots, IUnknown) {
  EXPECT_EQ(VtableSlot(&IUnknown::QueryInterface), 0u);
  EXPECT_EQ(VtableSlot(&IUnknown::AddRef), 1u);
  EXPECT_EQ(VtableSlot(&IUnknown::Release), 2u);
}

TEST(Slots, IClassFactory) {
  EXPECT_EQ(VtableSlot(&IClassFactory::CreateInstance), 3u);
  EXPECT_EQ(VtableSlot(&IClassFactory::LockServer), 4u);
}

TEST(Slots, ICorProfilerCallback) {
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::Initialize), 3u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::Shutdown), 4u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::AppDomainCreationStarted), 5u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::AppDomainCreationFinished), 6u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::AppDomainShutdownStarted), 7u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::AppDomainShutdownFinished), 8u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::AssemblyLoadStarted), 9u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::AssemblyLoadFinished), 10u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::AssemblyUnloadStarted), 11u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::AssemblyUnloadFinished), 12u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::ModuleLoadStarted), 13u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::ModuleLoadFinished), 14u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::ModuleUnloadStarted), 15u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::ModuleUnloadFinished), 16u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::ModuleAttachedToAssembly), 17u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::ClassLoadStarted), 18u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::ClassLoadFinished), 19u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::ClassUnloadStarted), 20u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::ClassUnloadFinished), 21u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::FunctionUnloadStarted), 22u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::JITCompilationStarted), 23u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::JITCompilationFinished), 24u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::JITCachedFunctionSearchStarted), 25u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::JITCachedFunctionSearchFinished), 26u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::JITFunctionPitched), 27u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::JITInlining), 28u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::ThreadCreated), 29u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::ThreadDestroyed), 30u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::ThreadAssignedToOSThread), 31u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::RemotingClientInvocationStarted), 32u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::RemotingClientSendingMessage), 33u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::RemotingClientReceivingReply), 34u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::RemotingClientInvocationFinished), 35u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::RemotingServerReceivingMessage), 36u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::RemotingServerInvocationStarted), 37u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::RemotingServerInvocationReturned), 38u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::RemotingServerSendingReply), 39u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::UnmanagedToManagedTransition), 40u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::ManagedToUnmanagedTransition), 41u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::RuntimeSuspendStarted), 42u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::RuntimeSuspendFinished), 43u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::RuntimeSuspendAborted), 44u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::RuntimeResumeStarted), 45u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::RuntimeResumeFinished), 46u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::RuntimeThreadSuspended), 47u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::RuntimeThreadResumed), 48u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::MovedReferences), 49u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::ObjectAllocated), 50u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::ObjectsAllocatedByClass), 51u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::ObjectReferences), 52u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::RootReferences), 53u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::ExceptionThrown), 54u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::ExceptionSearchFunctionEnter), 55u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::ExceptionSearchFunctionLeave), 56u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::ExceptionSearchFilterEnter), 57u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::ExceptionSearchFilterLeave), 58u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::ExceptionSearchCatcherFound), 59u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::ExceptionOSHandlerEnter), 60u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::ExceptionOSHandlerLeave), 61u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::ExceptionUnwindFunctionEnter), 62u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::ExceptionUnwindFunctionLeave), 63u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::ExceptionUnwindFinallyEnter), 64u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::ExceptionUnwindFinallyLeave), 65u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::ExceptionCatcherEnter), 66u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::ExceptionCatcherLeave), 67u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::COMClassicVTableCreated), 68u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::COMClassicVTableDestroyed), 69u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::ExceptionCLRCatcherFound), 70u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback::ExceptionCLRCatcherExecute), 71u);
}

TEST(Slots, ICorProfilerCallback2) {
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback2::ThreadNameChanged), 72u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback2::GarbageCollectionStarted), 73u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback2::SurvivingReferences), 74u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback2::GarbageCollectionFinished), 75u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback2::FinalizeableObjectQueued), 76u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback2::RootReferences2), 77u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback2::HandleCreated), 78u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback2::HandleDestroyed), 79u);
}

TEST(Slots, ICorProfilerCallback3) {
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback3::InitializeForAttach), 80u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback3::ProfilerAttachComplete), 81u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback3::ProfilerDetachSucceeded), 82u);
}

TEST(Slots, ICorProfilerCallback4) {
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback4::ReJITCompilationStarted), 83u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback4::GetReJITParameters), 84u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback4::ReJITCompilationFinished), 85u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback4::ReJITError), 86u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback4::MovedReferences2), 87u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback4::SurvivingReferences2), 88u);
}

TEST(Slots, ICorProfilerCallback5) {
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback5::ConditionalWeakTableElementReferences), 89u);
}

TEST(Slots, ICorProfilerCallback6) { EXPECT_EQ(VtableSlot(&ICorProfilerCallback6::GetAssemblyReferences), 90u); }

TEST(Slots, ICorProfilerCallback7) { EXPECT_EQ(VtableSlot(&ICorProfilerCallback7::ModuleInMemorySymbolsUpdated), 91u); }

TEST(Slots, ICorProfilerCallback8) {
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback8::DynamicMethodJITCompilationStarted), 92u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback8::DynamicMethodJITCompilationFinished), 93u);
}

TEST(Slots, ICorProfilerCallback9) { EXPECT_EQ(VtableSlot(&ICorProfilerCallback9::DynamicMethodUnloaded), 94u); }

TEST(Slots, ICorProfilerCallback10) {
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback10::EventPipeEventDelivered), 95u);
  EXPECT_EQ(VtableSlot(&ICorProfilerCallback10::EventPipeProviderCreated), 96u);
}

TEST(Slots, ICorProfilerCallback11) { EXPECT_EQ(VtableSlot(&ICorProfilerCallback11::LoadAsNotificationOnly), 97u); }

}  // namespace
}  // namespace cairn::collector::abi
