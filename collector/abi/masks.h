#pragma once
// Masks, flags and enumerations of the profiling API. Bit masks are plain words, since they are or-ed and
// travel as words; alternatives are enums of 32 bits, as the binary interface has them.

#include <cstdint>

#include "collector/abi/element_types.h"

namespace cairn::collector::abi {

// ---- event masks (COR_PRF_MONITOR): low word of SetEventMask2 ----

inline constexpr uint32_t kMonitorNone = 0x00000000;
inline constexpr uint32_t kMonitorFunctionUnloads = 0x00000001;
inline constexpr uint32_t kMonitorClassLoads = 0x00000002;
inline constexpr uint32_t kMonitorModuleLoads = 0x00000004;
inline constexpr uint32_t kMonitorAssemblyLoads = 0x00000008;
inline constexpr uint32_t kMonitorAppdomainLoads = 0x00000010;
inline constexpr uint32_t kMonitorJitCompilation = 0x00000020;
inline constexpr uint32_t kMonitorExceptions = 0x00000040;
inline constexpr uint32_t kMonitorGc = 0x00000080;
inline constexpr uint32_t kMonitorObjectAllocated = 0x00000100;
inline constexpr uint32_t kMonitorThreads = 0x00000200;
inline constexpr uint32_t kMonitorRemoting = 0x00000400;
inline constexpr uint32_t kMonitorCodeTransitions = 0x00000800;
inline constexpr uint32_t kMonitorEnterleave = 0x00001000;
inline constexpr uint32_t kMonitorCcw = 0x00002000;
inline constexpr uint32_t kMonitorRemotingCookie = 0x00004400;
inline constexpr uint32_t kMonitorRemotingAsync = 0x00008400;
inline constexpr uint32_t kMonitorSuspends = 0x00010000;
inline constexpr uint32_t kMonitorCacheSearches = 0x00020000;
inline constexpr uint32_t kEnableRejit = 0x00040000;
inline constexpr uint32_t kEnableInprocDebugging = 0x00080000;
inline constexpr uint32_t kEnableJitMaps = 0x00100000;
inline constexpr uint32_t kDisableInlining = 0x00200000;
inline constexpr uint32_t kDisableOptimizations = 0x00400000;
inline constexpr uint32_t kEnableObjectAllocated = 0x00800000;
inline constexpr uint32_t kMonitorClrExceptions = 0x01000000;
inline constexpr uint32_t kMonitorAll = 0x0107FFFF;
inline constexpr uint32_t kEnableFunctionArgs = 0x02000000;
inline constexpr uint32_t kEnableFunctionRetval = 0x04000000;
inline constexpr uint32_t kEnableFrameInfo = 0x08000000;
inline constexpr uint32_t kEnableStackSnapshot = 0x10000000;
inline constexpr uint32_t kUseProfileImages = 0x20000000;
inline constexpr uint32_t kDisableTransparencyChecksUnderFullTrust = 0x40000000;
inline constexpr uint32_t kDisableAllNgenImages = 0x80000000;
inline constexpr uint32_t kMonitorEverything = 0x8FFFFFFF;
inline constexpr uint32_t kRequireProfileImage = 0x20001800;
inline constexpr uint32_t kAllowableAfterAttach = 0x100502FE;
inline constexpr uint32_t kAllowableNotificationProfiler = 0xB1E32B7F;
inline constexpr uint32_t kMonitorImmutable = 0xEEF8CC00;

// ---- event masks (COR_PRF_HIGH_MONITOR): high word of SetEventMask2 ----

inline constexpr uint32_t kHighMonitorNone = 0x00000000;
inline constexpr uint32_t kHighAddAssemblyReferences = 0x00000001;
inline constexpr uint32_t kHighInMemorySymbolsUpdated = 0x00000002;
inline constexpr uint32_t kHighMonitorDynamicFunctionUnloads = 0x00000004;
inline constexpr uint32_t kHighDisableTieredCompilation = 0x00000008;
inline constexpr uint32_t kHighBasicGc = 0x00000010;
inline constexpr uint32_t kHighMonitorGcMovedObjects = 0x00000020;
inline constexpr uint32_t kHighRequireProfileImage = 0x00000000;
inline constexpr uint32_t kHighMonitorLargeobjectAllocated = 0x00000040;
inline constexpr uint32_t kHighMonitorEventPipe = 0x00000080;
inline constexpr uint32_t kHighMonitorPinnedobjectAllocated = 0x00000100;
inline constexpr uint32_t kHighAllowableAfterAttach = 0x000000F6;
inline constexpr uint32_t kHighAllowableNotificationProfiler = 0x000000FE;
inline constexpr uint32_t kHighMonitorImmutable = 0x00000008;

// ---- garbage collection ----

// COR_PRF_GC_GENERATION. Objects of the NonGC heap report kNone and kErrorNotGcObject.
enum class GcGeneration : uint32_t {
  kGen0 = 0,
  kGen1 = 1,
  kGen2 = 2,
  kLargeObjectHeap = 3,
  kPinnedObjectHeap = 4,
  kNone = 0x7FFFFFFF,
};

enum class GcRootKind : uint32_t {
  kStack = 1,
  kFinalizer = 2,
  kHandle = 3,
  kOther = 0,
};

// COR_PRF_GC_ROOT_FLAGS, a bit mask.
inline constexpr uint32_t kGcRootPinning = 1;
inline constexpr uint32_t kGcRootWeakref = 2;
inline constexpr uint32_t kGcRootInterior = 4;
inline constexpr uint32_t kGcRootRefcounted = 8;

enum class GcReason : uint32_t {
  kInduced = 1,
  kOther = 0,
};

enum class HandleType : uint32_t {
  kWeak = 1,
  kStrong = 2,
  kPinned = 3,
};

// Bit of FinalizeableObjectQueued.
inline constexpr uint32_t kFinalizerCritical = 1;

enum class SuspendReason : uint32_t {
  kOther = 0,
  kForGc = 1,
  kForAppdomainShutdown = 2,
  kForCodePitching = 3,
  kForShutdown = 4,
  kForInprocDebugger = 6,
  kForGcPrep = 7,
  kForRejit = 8,
  kForProfiler = 9,
};

// ---- types, statics, modules ----

// COR_PRF_STATIC_TYPE, a bit mask.
inline constexpr uint32_t kFieldNotAStatic = 0;
inline constexpr uint32_t kFieldAppDomainStatic = 1;
inline constexpr uint32_t kFieldThreadStatic = 2;
inline constexpr uint32_t kFieldContextStatic = 4;
inline constexpr uint32_t kFieldRvaStatic = 8;

// COR_PRF_MODULE_FLAGS, a bit mask of GetModuleInfo2.
inline constexpr uint32_t kModuleDisk = 0x00000001;
inline constexpr uint32_t kModuleNgen = 0x00000002;
inline constexpr uint32_t kModuleDynamic = 0x00000004;
inline constexpr uint32_t kModuleCollectible = 0x00000008;
inline constexpr uint32_t kModuleResource = 0x00000010;
inline constexpr uint32_t kModuleFlatLayout = 0x00000020;
inline constexpr uint32_t kModuleWindowsRuntime = 0x00000040;

// ---- stacks, code, events ----

// COR_PRF_SNAPSHOT_INFO of DoStackSnapshot.
inline constexpr uint32_t kSnapshotDefault = 0;
inline constexpr uint32_t kSnapshotRegisterContext = 1;
inline constexpr uint32_t kSnapshotX86Optimized = 2;

enum class RuntimeType : uint32_t {
  kDesktopClr = 1,
  kCoreClr = 2,
};

// COR_PRF_MISC: what stands for "no parent", "the global class", "the global module".
inline constexpr uintptr_t kProfilerParentUnknown = static_cast<uintptr_t>(-3);
inline constexpr uintptr_t kProfilerGlobalClass = static_cast<uintptr_t>(-2);
inline constexpr uintptr_t kProfilerGlobalModule = static_cast<uintptr_t>(-1);

enum class ExceptionClause : uint32_t {
  kNone = 0,
  kFilter = 1,
  kCatch = 2,
  kFinally = 3,
};

enum class JitCacheResult : uint32_t {
  kFound = 0,
  kNotFound = 1,
};

enum class TransitionReason : uint32_t {
  kCall = 0,
  kReturn = 1,
};

// COR_PRF_CODEGEN_FLAGS.
inline constexpr uint32_t kCodegenDisableInlining = 1;
inline constexpr uint32_t kCodegenDisableAllOptimizations = 2;
inline constexpr uint32_t kCodegenDebugInfo = 3;

// COR_PRF_REJIT_FLAGS.
inline constexpr uint32_t kRejitBlockInlining = 1;
inline constexpr uint32_t kRejitInliningCallbacks = 2;

enum class EventPipeParameterType : uint32_t {
  kObject = 1,
  kBoolean = 3,
  kChar = 4,
  kSbyte = 5,
  kByte = 6,
  kInt16 = 7,
  kUint16 = 8,
  kInt32 = 9,
  kUint32 = 10,
  kInt64 = 11,
  kUint64 = 12,
  kSingle = 13,
  kDouble = 14,
  kDecimal = 15,
  kDatetime = 16,
  kGuid = 17,
  kString = 18,
  kArray = 19,
};

enum class EventPipeLevel : uint32_t {
  kLogalways = 0,
  kCritical = 1,
  kError = 2,
  kWarning = 3,
  kInformational = 4,
  kVerbose = 5,
};

}  // namespace cairn::collector::abi
