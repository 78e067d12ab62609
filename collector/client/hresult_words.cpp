#include "collector/client/hresult_words.h"

#include <cstdio>
#include <iterator>

namespace cairn::client {
namespace {

struct Row {
  uint32_t hresult;
  const char *name, *code, *sentence, *remedy;
};

constexpr Row kRows[] = {
    // What the diagnostics server itself answers.
    {0x80131384, "DS_IPC_E_BAD_ENCODING", "ipc.bad_encoding", "The runtime could not read the request",
     "Report this with the runtime's version: it may speak a newer protocol."},
    {0x80131385, "DS_IPC_E_UNKNOWN_COMMAND", "ipc.unknown_command", "This runtime does not know the command",
     "Profilers can be attached to .NET Core 3.1 and later."},
    {0x80131386, "DS_IPC_E_UNKNOWN_MAGIC", "ipc.unknown_magic", "The runtime does not speak this diagnostics protocol",
     "Profilers can be attached to .NET Core 3.1 and later."},
    {0x80131387, "DS_IPC_E_UNKNOWN_ERROR", "ipc.unknown_error", "The runtime's diagnostics server failed",
     "Try again; if it stays, restart the application."},
    {0x80131515, "COR_E_NOTSUPPORTED", "attach.not_supported",
     "This runtime has no profiling interface: NativeAOT, Mono, or switched off",
     "Publish the application for the ordinary runtime, without PublishAot."},
    {0x80004005, "E_FAIL", "attach.failed", "The runtime failed without saying why",
     "Try again; cairn doctor PID shows each link of the attach."},
    {0x8013135B, "CORPROF_E_NOT_YET_AVAILABLE", "attach.not_yet",
     "The runtime is still starting or paused at its start",
     "Wait until the application runs; a runtime paused at a diagnostic port must be resumed first."},
    {0x80131371, "CORPROF_E_RUNTIME_UNINITIALIZED", "attach.shutting_down",
     "The runtime is not ready for a profiler yet, or is shutting down",
     "Try again if the application goes on running."},
    {0x80070057, "E_INVALIDARG", "attach.invalid_argument", "The runtime refused an argument of the request",
     "Run a collector library and a cairn of the same build."},
    {0x8007007A, "ERROR_INSUFFICIENT_BUFFER", "ipc.environment_buffer",
     "The runtime's environment did not fit its buffer", "Make the application's environment smaller."},
    {0x800000CB, "ERROR_ENVVAR_NOT_FOUND", "ipc.no_variable", "The runtime does not have that environment variable",
     "Check the variable's name."},
    // What a failed attach answers.
    {0x8013136A, "CORPROF_E_PROFILER_ALREADY_ACTIVE", "attach.other_profiler",
     "Another profiler is active in this process", "End it (an APM agent, a tracer, another cairn) and try again."},
    {0x80131368, "CORPROF_E_PROFILER_NOT_ATTACHABLE", "attach.not_attachable",
     "The library says that it cannot be attached to a running process",
     "Use the libcairn_collector.so that came with this cairn."},
    {0x80131375, "CORPROF_E_PROFILER_CANCEL_ACTIVATION", "attach.cancelled",
     "The collector looked around and left again without touching anything",
     "Try again; the application may have been stopped while the attach was queued."},
    {0x80131379, "CORPROF_E_TIMEOUT_WAITING_FOR_CONCURRENT_GC", "attach.concurrent_gc",
     "A background collection was running all the time, so concurrent collections could not be switched off",
     "Try again later, or use --light, which leaves concurrent collections alone."},
    {0x80131376, "CORPROF_E_CONCURRENT_GC_NOT_PROFILABLE", "attach.concurrent_gc_fixed",
     "Concurrent collections cannot be switched off in this process", "Use --light, which leaves them alone."},
    {0x8013136F, "CORPROF_E_UNSUPPORTED_FOR_ATTACHING_PROFILER", "attach.startup_only",
     "The collector asked for something that only a profiler loaded at start may have",
     "Report this with the runtime's version."},
    {0x80131372, "CORPROF_E_IMMUTABLE_FLAGS_SET", "attach.startup_flags",
     "The collector asked for events that only a profiler loaded at start may have",
     "Report this with the runtime's version."},
    {0x80131370, "CORPROF_E_IRREVERSIBLE_INSTRUMENTATION_PRESENT", "attach.instrumented",
     "A profiler in this process changed code for good and cannot detach", "Restart the application without it."},
    {0x80131367, "CORPROF_E_PROFILER_DETACHING", "attach.detaching", "The profiler before is still detaching",
     "Try again in a moment."},
    {0x80131388, "CORPROF_E_SUSPENSION_IN_PROGRESS", "attach.suspending",
     "The runtime is just being suspended by somebody else", "Try again in a moment."},
    {0x80004002, "E_NOINTERFACE", "attach.no_interface", "The library has no profiler for this runtime",
     "Use the libcairn_collector.so that came with this cairn."},
    {0x80040111, "CLASS_E_CLASSNOTAVAILABLE", "attach.no_class", "The library is not the collector of this cairn",
     "Use the libcairn_collector.so that came with this cairn."},
    {0x8000FFFF, "E_UNEXPECTED", "attach.unexpected", "The runtime met an exception while it loaded the collector",
     "Report this with the runtime's version."},
    {0x8007000E, "E_OUTOFMEMORY", "attach.out_of_memory", "The process has no memory left for the collector",
     "Raise its memory limit, or capture earlier."},
    {0x80070008, "ERROR_NOT_ENOUGH_MEMORY", "target.no_thread",
     "The process cannot start the thread that an attach needs: its limit of threads is reached",
     "Raise it (pids.max of its cgroup, RLIMIT_NPROC of its user), or give the process more memory."},
    {0x8007007E, "ERROR_MOD_NOT_FOUND", "attach.not_loaded",
     "The target could not load the collector library: not there, not readable, of another architecture or C library",
     "cairn doctor PID says which."},
    {0x8007007F, "ERROR_PROC_NOT_FOUND", "attach.no_export", "The library loaded, but it is not a profiler",
     "Use the libcairn_collector.so that came with this cairn."},
    {0x800700C1, "ERROR_BAD_EXE_FORMAT", "attach.bad_format", "The library is not one for this kind of process",
     "Use the collector library of the target's architecture."},
};

const Row* Find(uint32_t hresult) {
  for (const Row& row : kRows)
    if (row.hresult == hresult) return &row;
  return nullptr;
}

}  // namespace

std::string HresultText(uint32_t hresult) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08X", hresult);
  return text;
}

HresultWords DescribeHresult(uint32_t hresult) {
  const std::string number = " (" + HresultText(hresult) + ").";
  if (const Row* row = Find(hresult)) return {row->name, row->code, row->sentence + number, row->remedy};
  return {"", "attach.unknown_reason", "The runtime refused for a reason that cairn does not know" + number,
          "cairn doctor PID shows each link of the attach."};
}

Error HresultError(uint32_t hresult) {
  HresultWords words = DescribeHresult(hresult);
  return {ErrorKind::kFailed, words.code, words.sentence, words.remedy};
}

}  // namespace cairn::client
