#include "collector/abi/hresults.h"

namespace cairn::collector::abi {
namespace {

struct NamedResult {
  HRESULT value;
  const char* name;
};

constexpr NamedResult kNames[] = {
    {kOk, "S_OK"},
    {kFalse, "S_FALSE"},
    {kNotImplemented, "E_NOTIMPL"},
    {kNoInterface, "E_NOINTERFACE"},
    {kPointer, "E_POINTER"},
    {kFail, "E_FAIL"},
    {kUnexpected, "E_UNEXPECTED"},
    {kClassNotAvailable, "CLASS_E_CLASSNOTAVAILABLE"},
    {kOutOfMemory, "E_OUTOFMEMORY"},
    {kInvalidArgument, "E_INVALIDARG"},
    {kInsufficientBuffer, "ERROR_INSUFFICIENT_BUFFER"},
    {kErrorFunctionNotCompiled, "CORPROF_E_FUNCTION_NOT_COMPILED"},
    {kErrorDataIncomplete, "CORPROF_E_DATAINCOMPLETE"},
    {kErrorFunctionNotIl, "CORPROF_E_FUNCTION_NOT_IL"},
    {kErrorNotManagedThread, "CORPROF_E_NOT_MANAGED_THREAD"},
    {kErrorCallOnlyFromInit, "CORPROF_E_CALL_ONLY_FROM_INIT"},
    {kErrorNotYetAvailable, "CORPROF_E_NOT_YET_AVAILABLE"},
    {kErrorTypeIsParameterized, "CORPROF_E_TYPE_IS_PARAMETERIZED"},
    {kErrorFunctionIsParameterized, "CORPROF_E_FUNCTION_IS_PARAMETERIZED"},
    {kErrorStackSnapshotInvalidThread, "CORPROF_E_STACKSNAPSHOT_INVALID_TGT_THREAD"},
    {kErrorStackSnapshotUnmanagedContext, "CORPROF_E_STACKSNAPSHOT_UNMANAGED_CTX"},
    {kErrorStackSnapshotUnsafe, "CORPROF_E_STACKSNAPSHOT_UNSAFE"},
    {kErrorStackSnapshotAborted, "CORPROF_E_STACKSNAPSHOT_ABORTED"},
    {kErrorLiteralsHaveNoAddress, "CORPROF_E_LITERALS_HAVE_NO_ADDRESS"},
    {kErrorUnsupportedCallSequence, "CORPROF_E_UNSUPPORTED_CALL_SEQUENCE"},
    {kErrorAsynchronousUnsafe, "CORPROF_E_ASYNCHRONOUS_UNSAFE"},
    {kErrorClassIdIsArray, "CORPROF_E_CLASSID_IS_ARRAY"},
    {kErrorClassIdIsComposite, "CORPROF_E_CLASSID_IS_COMPOSITE"},
    {kErrorProfilerDetaching, "CORPROF_E_PROFILER_DETACHING"},
    {kErrorProfilerNotAttachable, "CORPROF_E_PROFILER_NOT_ATTACHABLE"},
    {kErrorUnrecognizedPipeMsgFormat, "CORPROF_E_UNRECOGNIZED_PIPE_MSG_FORMAT"},
    {kErrorProfilerAlreadyActive, "CORPROF_E_PROFILER_ALREADY_ACTIVE"},
    {kErrorProfileeIncompatibleWithTrigger, "CORPROF_E_PROFILEE_INCOMPATIBLE_WITH_TRIGGER"},
    {kErrorIpcFailed, "CORPROF_E_IPC_FAILED"},
    {kErrorProfileeProcessNotFound, "CORPROF_E_PROFILEE_PROCESS_NOT_FOUND"},
    {kErrorCallback3Required, "CORPROF_E_CALLBACK3_REQUIRED"},
    {kErrorUnsupportedForAttachingProfiler, "CORPROF_E_UNSUPPORTED_FOR_ATTACHING_PROFILER"},
    {kErrorIrreversibleInstrumentationPresent, "CORPROF_E_IRREVERSIBLE_INSTRUMENTATION_PRESENT"},
    {kErrorRuntimeUninitialized, "CORPROF_E_RUNTIME_UNINITIALIZED"},
    {kErrorImmutableFlagsSet, "CORPROF_E_IMMUTABLE_FLAGS_SET"},
    {kErrorProfilerNotYetInitialized, "CORPROF_E_PROFILER_NOT_YET_INITIALIZED"},
    {kErrorInconsistentWithFlags, "CORPROF_E_INCONSISTENT_WITH_FLAGS"},
    {kErrorProfilerCancelActivation, "CORPROF_E_PROFILER_CANCEL_ACTIVATION"},
    {kErrorConcurrentGcNotProfilable, "CORPROF_E_CONCURRENT_GC_NOT_PROFILABLE"},
    {kErrorDebuggingDisabled, "CORPROF_E_DEBUGGING_DISABLED"},
    {kErrorTimeoutWaitingForConcurrentGc, "CORPROF_E_TIMEOUT_WAITING_FOR_CONCURRENT_GC"},
    {kErrorModuleIsDynamic, "CORPROF_E_MODULE_IS_DYNAMIC"},
    {kErrorCallback4Required, "CORPROF_E_CALLBACK4_REQUIRED"},
    {kErrorRejitNotEnabled, "CORPROF_E_REJIT_NOT_ENABLED"},
    {kErrorFunctionIsCollectible, "CORPROF_E_FUNCTION_IS_COLLECTIBLE"},
    {kErrorCallback6Required, "CORPROF_E_CALLBACK6_REQUIRED"},
    {kErrorCallback7Required, "CORPROF_E_CALLBACK7_REQUIRED"},
    {kErrorRejitInliningDisabled, "CORPROF_E_REJIT_INLINING_DISABLED"},
    {kErrorSuspensionInProgress, "CORPROF_E_SUSPENSION_IN_PROGRESS"},
    {kErrorNotGcObject, "CORPROF_E_NOT_GC_OBJECT"},
    {kErrorModuleIsEnc, "CORPROF_E_MODULE_IS_ENC"},
    {kErrorDiagnosticPortBadEncoding, "CORDIAGIPC_E_BAD_ENCODING"},
    {kErrorDiagnosticPortUnknownCommand, "CORDIAGIPC_E_UNKNOWN_COMMAND"},
    {kErrorDiagnosticPortUnknownMagic, "CORDIAGIPC_E_UNKNOWN_MAGIC"},
    {kErrorDiagnosticPortUnknownError, "CORDIAGIPC_E_UNKNOWN_ERROR"},
    {kErrorOverflow, "COR_E_OVERFLOW"},
};

}  // namespace

const char* HResultName(HRESULT hr) {
  for (const NamedResult& known : kNames) {
    if (known.value == hr) return known.name;
  }
  return "unknown";
}

}  // namespace cairn::collector::abi
