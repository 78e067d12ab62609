// Values and names of results, literally.

#include "collector/abi/hresults.h"

#include <gtest/gtest.h>

namespace cairn::collector::abi {
namespace {

struct Case {
  HRESULT value;
  uint32_t bits;
  const char* name;
};

constexpr Case kCases[] = {
    {kOk, 0x0, "S_OK"},
    {kFalse, 0x1, "S_FALSE"},
    {kNotImplemented, 0x80004001, "E_NOTIMPL"},
    {kNoInterface, 0x80004002, "E_NOINTERFACE"},
    {kPointer, 0x80004003, "E_POINTER"},
    {kFail, 0x80004005, "E_FAIL"},
    {kUnexpected, 0x8000FFFF, "E_UNEXPECTED"},
    {kClassNotAvailable, 0x80040111, "CLASS_E_CLASSNOTAVAILABLE"},
    {kOutOfMemory, 0x8007000E, "E_OUTOFMEMORY"},
    {kInvalidArgument, 0x80070057, "E_INVALIDARG"},
    {kInsufficientBuffer, 0x8007007A, "ERROR_INSUFFICIENT_BUFFER"},
    {kErrorFunctionNotCompiled, 0x80131350, "CORPROF_E_FUNCTION_NOT_COMPILED"},
    {kErrorDataIncomplete, 0x80131351, "CORPROF_E_DATAINCOMPLETE"},
    {kErrorFunctionNotIl, 0x80131354, "CORPROF_E_FUNCTION_NOT_IL"},
    {kErrorNotManagedThread, 0x80131355, "CORPROF_E_NOT_MANAGED_THREAD"},
    {kErrorCallOnlyFromInit, 0x80131356, "CORPROF_E_CALL_ONLY_FROM_INIT"},
    {kErrorNotYetAvailable, 0x8013135B, "CORPROF_E_NOT_YET_AVAILABLE"},
    {kErrorTypeIsParameterized, 0x8013135C, "CORPROF_E_TYPE_IS_PARAMETERIZED"},
    {kErrorFunctionIsParameterized, 0x8013135D, "CORPROF_E_FUNCTION_IS_PARAMETERIZED"},
    {kErrorStackSnapshotInvalidThread, 0x8013135E, "CORPROF_E_STACKSNAPSHOT_INVALID_TGT_THREAD"},
    {kErrorStackSnapshotUnmanagedContext, 0x8013135F, "CORPROF_E_STACKSNAPSHOT_UNMANAGED_CTX"},
    {kErrorStackSnapshotUnsafe, 0x80131360, "CORPROF_E_STACKSNAPSHOT_UNSAFE"},
    {kErrorStackSnapshotAborted, 0x80131361, "CORPROF_E_STACKSNAPSHOT_ABORTED"},
    {kErrorLiteralsHaveNoAddress, 0x80131362, "CORPROF_E_LITERALS_HAVE_NO_ADDRESS"},
    {kErrorUnsupportedCallSequence, 0x80131363, "CORPROF_E_UNSUPPORTED_CALL_SEQUENCE"},
    {kErrorAsynchronousUnsafe, 0x80131364, "CORPROF_E_ASYNCHRONOUS_UNSAFE"},
    {kErrorClassIdIsArray, 0x80131365, "CORPROF_E_CLASSID_IS_ARRAY"},
    {kErrorClassIdIsComposite, 0x80131366, "CORPROF_E_CLASSID_IS_COMPOSITE"},
    {kErrorProfilerDetaching, 0x80131367, "CORPROF_E_PROFILER_DETACHING"},
    {kErrorProfilerNotAttachable, 0x80131368, "CORPROF_E_PROFILER_NOT_ATTACHABLE"},
    {kErrorUnrecognizedPipeMsgFormat, 0x80131369, "CORPROF_E_UNRECOGNIZED_PIPE_MSG_FORMAT"},
    {kErrorProfilerAlreadyActive, 0x8013136A, "CORPROF_E_PROFILER_ALREADY_ACTIVE"},
    {kErrorProfileeIncompatibleWithTrigger, 0x8013136B, "CORPROF_E_PROFILEE_INCOMPATIBLE_WITH_TRIGGER"},
    {kErrorIpcFailed, 0x8013136C, "CORPROF_E_IPC_FAILED"},
    {kErrorProfileeProcessNotFound, 0x8013136D, "CORPROF_E_PROFILEE_PROCESS_NOT_FOUND"},
    {kErrorCallback3Required, 0x8013136E, "CORPROF_E_CALLBACK3_REQUIRED"},
    {kErrorUnsupportedForAttachingProfiler, 0x8013136F, "CORPROF_E_UNSUPPORTED_FOR_ATTACHING_PROFILER"},
    {kErrorIrreversibleInstrumentationPresent, 0x80131370, "CORPROF_E_IRREVERSIBLE_INSTRUMENTATION_PRESENT"},
    {kErrorRuntimeUninitialized, 0x80131371, "CORPROF_E_RUNTIME_UNINITIALIZED"},
    {kErrorImmutableFlagsSet, 0x80131372, "CORPROF_E_IMMUTABLE_FLAGS_SET"},
    {kErrorProfilerNotYetInitialized, 0x80131373, "CORPROF_E_PROFILER_NOT_YET_INITIALIZED"},
    {kErrorInconsistentWithFlags, 0x80131374, "CORPROF_E_INCONSISTENT_WITH_FLAGS"},
    {kErrorProfilerCancelActivation, 0x80131375, "CORPROF_E_PROFILER_CANCEL_ACTIVATION"},
    {kErrorConcurrentGcNotProfilable, 0x80131376, "CORPROF_E_CONCURRENT_GC_NOT_PROFILABLE"},
    {kErrorDebuggingDisabled, 0x80131378, "CORPROF_E_DEBUGGING_DISABLED"},
    {kErrorTimeoutWaitingForConcurrentGc, 0x80131379, "CORPROF_E_TIMEOUT_WAITING_FOR_CONCURRENT_GC"},
    {kErrorModuleIsDynamic, 0x8013137A, "CORPROF_E_MODULE_IS_DYNAMIC"},
    {kErrorCallback4Required, 0x8013137B, "CORPROF_E_CALLBACK4_REQUIRED"},
    {kErrorRejitNotEnabled, 0x8013137C, "CORPROF_E_REJIT_NOT_ENABLED"},
    {kErrorFunctionIsCollectible, 0x8013137E, "CORPROF_E_FUNCTION_IS_COLLECTIBLE"},
    {kErrorCallback6Required, 0x80131380, "CORPROF_E_CALLBACK6_REQUIRED"},
    {kErrorCallback7Required, 0x80131382, "CORPROF_E_CALLBACK7_REQUIRED"},
    {kErrorRejitInliningDisabled, 0x80131383, "CORPROF_E_REJIT_INLINING_DISABLED"},
    {kErrorSuspensionInProgress, 0x80131388, "CORPROF_E_SUSPENSION_IN_PROGRESS"},
    {kErrorNotGcObject, 0x80131389, "CORPROF_E_NOT_GC_OBJECT"},
    {kErrorModuleIsEnc, 0x8013138A, "CORPROF_E_MODULE_IS_ENC"},
    {kErrorDiagnosticPortBadEncoding, 0x80131384, "CORDIAGIPC_E_BAD_ENCODING"},
    {kErrorDiagnosticPortUnknownCommand, 0x80131385, "CORDIAGIPC_E_UNKNOWN_COMMAND"},
    {kErrorDiagnosticPortUnknownMagic, 0x80131386, "CORDIAGIPC_E_UNKNOWN_MAGIC"},
    {kErrorDiagnosticPortUnknownError, 0x80131387, "CORDIAGIPC_E_UNKNOWN_ERROR"},
    {kErrorOverflow, 0x80131516, "COR_E_OVERFLOW"},
};

TEST(HResults, ValuesAndNames) {
  for (const Case& c : kCases) {
    EXPECT_EQ(static_cast<uint32_t>(c.value), c.bits) << c.name;
    EXPECT_STREQ(HResultName(c.value), c.name);
  }
  EXPECT_STREQ(HResultName(MakeHResult(0x80139999)), "unknown");
}

TEST(HResults, FailureIsTheSign) {
  EXPECT_TRUE(Succeeded(kOk));
  EXPECT_TRUE(Succeeded(kFalse));
  EXPECT_TRUE(Failed(kErrorProfilerDetaching));
  EXPECT_FALSE(Failed(kFalse));
}

}  // namespace
}  // namespace cairn::collector::abi
