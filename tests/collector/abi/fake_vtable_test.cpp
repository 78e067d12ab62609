// Calls through vtables that were laid by hand, as the runtime and the profiler see each other.

#include <gtest/gtest.h>

#include "collector/abi/callback_base.h"
#include "collector/abi/profiler_info.h"

namespace cairn::collector::abi {
namespace {

// An object of the runtime: a pointer to a table of plain functions.
struct FakeRuntime {
  void** vtable;
  uint32_t low = 0, high = 0;
  EventPipeProviderConfig config{};
};

HRESULT SetEventMask2(FakeRuntime* self, uint32_t low, uint32_t high) {
  self->low = low;
  self->high = high;
  return kErrorConcurrentGcNotProfilable;
}

HRESULT AddProvider(FakeRuntime* self, EventPipeSession session, EventPipeProviderConfig config) {
  self->config = config;
  return session == 7 ? kOk : kFail;
}

TEST(FakeVtable, InfoMethodsReachTheirSlot) {
  void* slots[115] = {};
  slots[82] = reinterpret_cast<void*>(&SetEventMask2);
  slots[102] = reinterpret_cast<void*>(&AddProvider);
  FakeRuntime runtime{slots};
  void* volatile hidden = &runtime;  // the compiler must not see that this is no C++ object
  auto* info = static_cast<ICorProfilerInfo15*>(hidden);

  EXPECT_EQ(info->SetEventMask2(kMonitorGc, kHighBasicGc), kErrorConcurrentGcNotProfilable);
  EXPECT_EQ(runtime.low, 0x80u);
  EXPECT_EQ(runtime.high, 0x10u);
  // A struct by value in the middle of the vtable.
  EXPECT_EQ(info->EventPipeAddProviderToSession(7, {nullptr, 0x180001, 5, nullptr}), kOk);
  EXPECT_EQ(runtime.config.keywords, 0x180001u);
  EXPECT_EQ(runtime.config.level, 5u);
}

struct Recorder : CallbackBase {
  uint32_t released = 0;
  uint32_t roots = 0;
  HRESULT CAIRN_STDCALL RootReferences2(uint32_t count, ObjectID*, GcRootKind*, uint32_t*, uintptr_t*) override {
    roots += count;
    return kFail;
  }
  void OnLastRelease() override { ++released; }
};

template <class Function>
Function Slot(void* object, size_t slot) {
  return reinterpret_cast<Function>((*static_cast<void***>(object))[slot]);
}

TEST(CallbackBase, TheRuntimeFindsEachCallbackAtItsSlot) {
  Recorder recorder;
  void* object = nullptr;
  ASSERT_EQ(recorder.QueryInterface(ICorProfilerCallback3::kIid, &object), kOk);
  using Roots = HRESULT (*)(void*, uint32_t, void*, void*, void*, void*);
  EXPECT_EQ(Slot<Roots>(object, 77)(object, 5, nullptr, nullptr, nullptr, nullptr), kFail);
  EXPECT_EQ(recorder.roots, 5u);
  using Finished = HRESULT (*)(void*);
  EXPECT_EQ(Slot<Finished>(object, 75)(object), kOk);
}

TEST(CallbackBase, AnswersTheWholeChainAndNothingElse) {
  Recorder recorder;
  for (const GUID& iid : {IUnknown::kIid, ICorProfilerCallback::kIid, ICorProfilerCallback2::kIid,
                          ICorProfilerCallback3::kIid, ICorProfilerCallback4::kIid, ICorProfilerCallback5::kIid,
                          ICorProfilerCallback6::kIid, ICorProfilerCallback7::kIid, ICorProfilerCallback8::kIid,
                          ICorProfilerCallback9::kIid, ICorProfilerCallback10::kIid, ICorProfilerCallback11::kIid}) {
    void* object = nullptr;
    EXPECT_EQ(recorder.QueryInterface(iid, &object), kOk);
    EXPECT_EQ(object, &recorder);
  }
  void* object = &recorder;
  EXPECT_EQ(recorder.QueryInterface(ICorProfilerInfo::kIid, &object), kNoInterface);
  EXPECT_EQ(object, nullptr);
  EXPECT_EQ(recorder.QueryInterface(IUnknown::kIid, nullptr), kPointer);
}

TEST(CallbackBase, CountsReferencesAndReportsTheLast) {
  Recorder recorder;
  EXPECT_EQ(recorder.AddRef(), 1u);
  EXPECT_EQ(recorder.AddRef(), 2u);
  EXPECT_EQ(recorder.Release(), 1u);
  EXPECT_EQ(recorder.released, 0u);
  EXPECT_EQ(recorder.Release(), 0u);
  EXPECT_EQ(recorder.released, 1u);
}

TEST(CallbackBase, DefaultsLetTheRuntimeDoAsWithoutProfiler) {
  Recorder recorder;
  Bool answer = 9;
  EXPECT_EQ(recorder.JITInlining(1, 2, &answer), kOk);
  EXPECT_EQ(answer, 1);
  answer = 9;
  EXPECT_EQ(recorder.JITCachedFunctionSearchStarted(1, &answer), kOk);
  EXPECT_EQ(answer, 1);
  answer = 9;
  EXPECT_EQ(recorder.LoadAsNotificationOnly(&answer), kOk);
  EXPECT_EQ(answer, 0);
}

TEST(ComPtr, OwnsOneReference) {
  Recorder recorder;
  {
    auto first = ComPtr<ICorProfilerCallback>::From(&recorder);
    ASSERT_TRUE(first);
    ComPtr<ICorProfilerCallback> second = first;
    first.Reset();
    EXPECT_EQ(recorder.released, 0u);
  }
  EXPECT_EQ(recorder.released, 1u);
  EXPECT_FALSE(ComPtr<ICorProfilerInfo>::From(&recorder));
  EXPECT_FALSE(ComPtr<ICorProfilerInfo>::From(nullptr));
}

TEST(Guid, FromBytesIsLittleEndianInItsFirstThreeParts) {
  const uint8_t bytes[16] = {0xD1, 0xBE, 0x6F, 0x17, 0x5C, 0xA5, 0x96, 0x47,
                             0x98, 0xCA, 0xA9, 0xDA, 0x0E, 0xF8, 0x83, 0xE7};
  EXPECT_EQ(GuidFromBytes(bytes), ICorProfilerCallback::kIid);
}

TEST(Masks, CompositesAreTheirParts) {
  EXPECT_EQ(kAllowableAfterAttach, kMonitorClassLoads | kMonitorModuleLoads | kMonitorAssemblyLoads |
                                       kMonitorAppdomainLoads | kMonitorJitCompilation | kMonitorExceptions |
                                       kMonitorGc | kMonitorThreads | kMonitorSuspends | kEnableRejit |
                                       kEnableStackSnapshot);
  EXPECT_EQ(kHighAllowableAfterAttach, kHighInMemorySymbolsUpdated | kHighMonitorDynamicFunctionUnloads | kHighBasicGc |
                                           kHighMonitorGcMovedObjects | kHighMonitorLargeobjectAllocated |
                                           kHighMonitorEventPipe);
}

}  // namespace
}  // namespace cairn::collector::abi
