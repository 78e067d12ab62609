#pragma once
// Results of the profiling API and of COM. kFalse is a success: "not an array", "no references".

#include <cstdint>

namespace cairn::collector::abi {

using HRESULT = int32_t;

inline constexpr bool Failed(HRESULT hr) { return hr < 0; }
inline constexpr bool Succeeded(HRESULT hr) { return hr >= 0; }
inline constexpr HRESULT MakeHResult(uint32_t bits) { return static_cast<HRESULT>(bits); }

// The runtime's own name ("CORPROF_E_PROFILER_DETACHING"), or "unknown".
const char* HResultName(HRESULT hr);

inline constexpr HRESULT kOk = 0;
inline constexpr HRESULT kFalse = 1;
inline constexpr HRESULT kNotImplemented = MakeHResult(0x80004001);
inline constexpr HRESULT kNoInterface = MakeHResult(0x80004002);
inline constexpr HRESULT kPointer = MakeHResult(0x80004003);
inline constexpr HRESULT kFail = MakeHResult(0x80004005);
inline constexpr HRESULT kUnexpected = MakeHResult(0x8000FFFF);
inline constexpr HRESULT kClassNotAvailable = MakeHResult(0x80040111);
inline constexpr HRESULT kOutOfMemory = MakeHResult(0x8007000E);
inline constexpr HRESULT kInvalidArgument = MakeHResult(0x80070057);
inline constexpr HRESULT kInsufficientBuffer = MakeHResult(0x8007007A);

inline constexpr HRESULT kErrorFunctionNotCompiled = MakeHResult(0x80131350);
inline constexpr HRESULT kErrorDataIncomplete = MakeHResult(0x80131351);
inline constexpr HRESULT kErrorFunctionNotIl = MakeHResult(0x80131354);
inline constexpr HRESULT kErrorNotManagedThread = MakeHResult(0x80131355);
inline constexpr HRESULT kErrorCallOnlyFromInit = MakeHResult(0x80131356);
inline constexpr HRESULT kErrorNotYetAvailable = MakeHResult(0x8013135B);
inline constexpr HRESULT kErrorTypeIsParameterized = MakeHResult(0x8013135C);
inline constexpr HRESULT kErrorFunctionIsParameterized = MakeHResult(0x8013135D);
inline constexpr HRESULT kErrorStackSnapshotInvalidThread = MakeHResult(0x8013135E);
inline constexpr HRESULT kErrorStackSnapshotUnmanagedContext = MakeHResult(0x8013135F);
inline constexpr HRESULT kErrorStackSnapshotUnsafe = MakeHResult(0x80131360);
inline constexpr HRESULT kErrorStackSnapshotAborted = MakeHResult(0x80131361);
inline constexpr HRESULT kErrorLiteralsHaveNoAddress = MakeHResult(0x80131362);
inline constexpr HRESULT kErrorUnsupportedCallSequence = MakeHResult(0x80131363);
inline constexpr HRESULT kErrorAsynchronousUnsafe = MakeHResult(0x80131364);
inline constexpr HRESULT kErrorClassIdIsArray = MakeHResult(0x80131365);
inline constexpr HRESULT kErrorClassIdIsComposite = MakeHResult(0x80131366);
inline constexpr HRESULT kErrorProfilerDetaching = MakeHResult(0x80131367);
inline constexpr HRESULT kErrorProfilerNotAttachable = MakeHResult(0x80131368);
inline constexpr HRESULT kErrorUnrecognizedPipeMsgFormat = MakeHResult(0x80131369);
inline constexpr HRESULT kErrorProfilerAlreadyActive = MakeHResult(0x8013136A);
inline constexpr HRESULT kErrorProfileeIncompatibleWithTrigger = MakeHResult(0x8013136B);
inline constexpr HRESULT kErrorIpcFailed = MakeHResult(0x8013136C);
inline constexpr HRESULT kErrorProfileeProcessNotFound = MakeHResult(0x8013136D);
inline constexpr HRESULT kErrorCallback3Required = MakeHResult(0x8013136E);
inline constexpr HRESULT kErrorUnsupportedForAttachingProfiler = MakeHResult(0x8013136F);
inline constexpr HRESULT kErrorIrreversibleInstrumentationPresent = MakeHResult(0x80131370);
inline constexpr HRESULT kErrorRuntimeUninitialized = MakeHResult(0x80131371);
inline constexpr HRESULT kErrorImmutableFlagsSet = MakeHResult(0x80131372);
inline constexpr HRESULT kErrorProfilerNotYetInitialized = MakeHResult(0x80131373);
inline constexpr HRESULT kErrorInconsistentWithFlags = MakeHResult(0x80131374);
inline constexpr HRESULT kErrorProfilerCancelActivation = MakeHResult(0x80131375);
inline constexpr HRESULT kErrorConcurrentGcNotProfilable = MakeHResult(0x80131376);
inline constexpr HRESULT kErrorDebuggingDisabled = MakeHResult(0x80131378);
inline constexpr HRESULT kErrorTimeoutWaitingForConcurrentGc = MakeHResult(0x80131379);
inline constexpr HRESULT kErrorModuleIsDynamic = MakeHResult(0x8013137A);
inline constexpr HRESULT kErrorCallback4Required = MakeHResult(0x8013137B);
inline constexpr HRESULT kErrorRejitNotEnabled = MakeHResult(0x8013137C);
inline constexpr HRESULT kErrorFunctionIsCollectible = MakeHResult(0x8013137E);
inline constexpr HRESULT kErrorCallback6Required = MakeHResult(0x80131380);
inline constexpr HRESULT kErrorCallback7Required = MakeHResult(0x80131382);
inline constexpr HRESULT kErrorRejitInliningDisabled = MakeHResult(0x80131383);
inline constexpr HRESULT kErrorSuspensionInProgress = MakeHResult(0x80131388);
inline constexpr HRESULT kErrorNotGcObject = MakeHResult(0x80131389);
inline constexpr HRESULT kErrorModuleIsEnc = MakeHResult(0x8013138A);
inline constexpr HRESULT kErrorDiagnosticPortBadEncoding = MakeHResult(0x80131384);
inline constexpr HRESULT kErrorDiagnosticPortUnknownCommand = MakeHResult(0x80131385);
inline constexpr HRESULT kErrorDiagnosticPortUnknownMagic = MakeHResult(0x80131386);
inline constexpr HRESULT kErrorDiagnosticPortUnknownError = MakeHResult(0x80131387);
inline constexpr HRESULT kErrorOverflow = MakeHResult(0x80131516);

}  // namespace cairn::collector::abi
