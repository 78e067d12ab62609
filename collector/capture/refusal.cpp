#include "collector/capture/refusal.h"

namespace cairn::collector {

const Refusal kLightNotAvailable = {"capture.light_not_available",
                                    "This runtime does not report roots while concurrent collections stay on.",
                                    "leave out --light"};
// Seen on .NET 10: once a context is gone, the runtime's next report of the heap by events crashes it.
const Refusal kLightLoadContexts = {
    "light.load_contexts",
    "The process has load contexts that can be unloaded, and where they come and go the "
    "runtime may crash when it reports roots by events.",
    "leave out --light; beside another profiler no capture is safe here"};
const Refusal kResidentYoung = {
    "attach.resident_young",
    "The collector stays in the process, since its start or since methods of it were traced, where what a young "
    "collection needs would switch concurrent collections off for good.",
    "pass --light"};
const Refusal kResidentLoadContexts = {
    "resident.load_contexts",
    "The process has load contexts that can be unloaded, and where they come and go the runtime may crash when it "
    "reports roots by events, which a collector loaded at the start needs.",
    "start the application with its diagnostics socket on, and capture without --light"};
const Refusal kTrackLoadContexts = {
    "track.load_contexts",
    "The process has load contexts that can be unloaded, and where they come and go the runtime may crash when it "
    "reports roots by events, which following objects needs.",
    "leave out --track"};
const Refusal kTrackOldRuntime = {"track.old_runtime",
                                  "This runtime is not known to tell where collections move objects (.NET 8 or later "
                                  "does).",
                                  "leave out --track"};
const Refusal kTrackBeside = {"track.other_profiler",
                              "Another profiler is active, and beside it objects are not followed.",
                              "leave out --track, or start the application without the other profiler"};
const Refusal kObserveOldRuntime = {"observe.old_runtime",
                                    "This runtime is not known to tell what it does to a collector that attached "
                                    "(.NET 8 or later does).",
                                    "update the application's runtime"};
const Refusal kObserveBeside = {"observe.other_profiler",
                                "Another profiler is active, and beside it nothing is observed.",
                                "start the application without the other profiler"};
const Refusal kObserveRefused = {"observe.refused", "The runtime refused what the observation needs.",
                                 "please report this"};
const Refusal kObserveStays = {
    "observe.stays",
    "Methods of this process were traced or its allocations counted, and since then its runtime lets no profiler go.",
    "the collector stays until the process ends; observations remain possible"};
const Refusal kObserveNoControl = {
    "observe.no_control",
    "Tracing methods makes the collector stay, and its control socket could not be made in the process.",
    "give the process a folder of its user in CAIRN_CONTROL_DIR or TMPDIR that can be written to"};
const Refusal kMethodsPattern = {"methods.pattern", "A pattern names no type and method.",
                                 "write Type.Method, with * for any text and ? for one character"};
const Refusal kMethodsNone = {"methods.none", "No method with a body in a loaded module matches.",
                              "names are Namespace.Type.Method, nested types joined by +, without type parameters; a "
                              "type that was not used yet may not be loaded, and load contexts that can be unloaded "
                              "are not searched"};
const Refusal kMethodsTooMany = {"methods.too_many", "More methods match than may be traced at once.",
                                 "narrow the pattern, or raise --max-methods"};
const Refusal kMethodsNotTraceable = {"methods.not_traceable", "None of the methods that match can be traced.",
                                      "pass --list to see why"};
const Refusal kMethodsBusy = {"methods.busy", "Methods of another runtime in this process are traced already.",
                              "try again when that trace has ended"};
const Refusal kMethodsLoadContexts = {
    "methods.load_contexts",
    "The process has load contexts that can be unloaded, and after a trace, which the collector cannot leave, it can "
    "never be captured again: the runtime might crash.",
    "capture it before, and pass --forgo-captures if that may be"};
const Refusal kBesideOldRuntime = {"attach.beside_old_runtime",
                                   "Another profiler is active, and beside it no capture is safe in this runtime "
                                   "(.NET 8 or later).",
                                   "start the application without the other profiler"};
const Refusal kBesideYoung = {"attach.other_profiler",
                              "Another profiler is active, and beside it only a full collection tells its roots.",
                              "pass --gc full"};
const Refusal kForkOldRuntime = {"fork.old_runtime", "A forked child cannot name the arrays of this runtime.",
                                 "pass --method pause"};
const Refusal kForkHugePages = {"fork.huge_pages",
                                "The process uses huge pages, of which a forked child's copies may run out.",
                                "pass --method pause"};
const Refusal kForkStrictOvercommit = {"fork.strict_overcommit",
                                       "The machine promises no more memory than it has (vm.overcommit_memory is 2), "
                                       "so the process cannot be forked safely.",
                                       "pass --method pause"};
const Refusal kForkOomGroup = {"fork.oom_group",
                               "Were a forked child killed for want of memory, the application would be killed with "
                               "it (memory.oom.group is 1).",
                               "pass --method pause"};
const Refusal kForkMemory = {"fork.memory", "The memory that is left would not bear what a fork makes double.",
                             "pass --method pause, raise the container's memory limit or free memory on the machine"};
const Refusal kForkFailed = {"fork.failed", "The system refused to fork the process.",
                             "pass --method pause, or raise the limit of processes (pids.max, RLIMIT_NPROC)"};
const Refusal kForkNoWait = {"fork.no_wait",
                             "The system forbids the process to wait for a forked child (a seccomp profile?).",
                             "pass --method pause"};
const Refusal kForkChildDied = {"fork.child_died", "The forked child ended before it had counted the objects.",
                                "try again, or pass --method pause"};
const Refusal kSpoolFull = {"spool.full",
                            "The memory set aside for the walk was too small, and a fork is not possible.",
                            "raise the container's memory limit, or free memory on the machine"};
const Refusal kBusy = {"capture.busy", "An earlier capture of this process has not ended yet.",
                       "try again in a moment"};
const Refusal kRuntimeTooOld = {
    "runtime.too_old",
    "The runtime lacks a profiling interface that the capture needs (.NET Core 3.0 or later has it).",
    "update the application's runtime"};
const Refusal kMemoryLimit = {"memory.limit", "The walk's buffers do not fit into the memory that is left.",
                              "raise the container's memory limit or free memory on the machine"};
const Refusal kMemoryRefused = {
    "memory.refused", "The system refused the target memory that the collector needs; it let go of the process.",
    "raise the container's memory limit or free memory on the machine"};
const Refusal kNoThread = {"target.no_thread", "The target cannot start another thread.",
                           "raise its limit of threads (pids.max, RLIMIT_NPROC)"};
const Refusal kNoDescriptors = {"target.no_descriptors",
                                "The target has no free file descriptors, and would not survive it.",
                                "raise its limit of open files (RLIMIT_NOFILE), or look for what it leaves open"};
const Refusal kPauseOverLimit = {"pause.over_limit", "The walk would pause the application longer than allowed.",
                                 "raise --max-pause or leave it out"};
const Refusal kGcTimeout = {"gc.timeout", "The collection did not come in time; nothing was captured.",
                            "try again when the application is less busy"};
const Refusal kGcRefused = {"gc.refused", "The runtime refused to collect.",
                            "try again; the application may be starting or exiting"};
const Refusal kGcMissed = {"gc.missed", "The collection ended without the callbacks of a blocking collection.",
                           "try again"};
const Refusal kNoneNatural = {"gc.none_natural",
                              "The application made no young collection of its own in time, and this process offers "
                              "no way to ask for one.",
                              "wait longer with --wait-natural, or pass --gc full"};
const Refusal kNoRoots = {"gc.no_roots", "The runtime did not report the roots of the collection.", "try again"};
const Refusal kNoBounds = {"gc.no_bounds", "The runtime did not report the bounds of its heap.", "try again"};
const Refusal kInternal = {"capture.internal", "The collector failed on its own account and let go of the process.",
                           "please report this"};

const Refusal* const kAllRefusals[] = {
    &kNoneNatural,
    &kLightNotAvailable,
    &kLightLoadContexts,
    &kResidentYoung,
    &kResidentLoadContexts,
    &kTrackLoadContexts,
    &kTrackOldRuntime,
    &kTrackBeside,
    &kObserveOldRuntime,
    &kObserveBeside,
    &kObserveRefused,
    &kObserveStays,
    &kObserveNoControl,
    &kMethodsPattern,
    &kMethodsNone,
    &kMethodsTooMany,
    &kMethodsNotTraceable,
    &kMethodsBusy,
    &kMethodsLoadContexts,
    &kBesideOldRuntime,
    &kBesideYoung,
    &kForkOldRuntime,
    &kForkHugePages,
    &kForkStrictOvercommit,
    &kForkOomGroup,
    &kForkMemory,
    &kForkFailed,
    &kForkNoWait,
    &kForkChildDied,
    &kSpoolFull,
    &kBusy,
    &kRuntimeTooOld,
    &kMemoryLimit,
    &kMemoryRefused,
    &kNoThread,
    &kNoDescriptors,
    &kPauseOverLimit,
    &kGcTimeout,
    &kGcRefused,
    &kGcMissed,
    &kNoRoots,
    &kNoBounds,
    &kInternal,
};
const size_t kRefusalCount = sizeof kAllRefusals / sizeof *kAllRefusals;

}  // namespace cairn::collector
