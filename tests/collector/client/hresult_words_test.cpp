#include "collector/client/hresult_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace cairn::client {
namespace {

struct Case {
  uint32_t hresult;
  const char* code;
  const char* part;  // of the sentence
};

// Every number of the runtime's tables that an attach or a command of ours can bring.
constexpr Case kCases[] = {
    {0x80131384, "ipc.bad_encoding", "could not read the request"},
    {0x80131385, "ipc.unknown_command", "does not know the command"},
    {0x80131386, "ipc.unknown_magic", "does not speak this diagnostics protocol"},
    {0x80131387, "ipc.unknown_error", "diagnostics server failed"},
    {0x80131515, "attach.not_supported", "NativeAOT"},
    {0x80004005, "attach.failed", "without saying why"},
    {0x8013135B, "attach.not_yet", "still starting"},
    {0x80131371, "attach.shutting_down", "shutting down"},
    {0x80070057, "attach.invalid_argument", "refused an argument"},
    {0x8007007A, "ipc.environment_buffer", "did not fit"},
    {0x800000CB, "ipc.no_variable", "does not have that environment variable"},
    {0x8013136A, "attach.other_profiler", "Another profiler"},
    {0x80131368, "attach.not_attachable", "cannot be attached"},
    {0x80131375, "attach.cancelled", "left again"},
    {0x80131379, "attach.concurrent_gc", "background collection"},
    {0x80131376, "attach.concurrent_gc_fixed", "cannot be switched off"},
    {0x8013136F, "attach.startup_only", "loaded at start"},
    {0x80131372, "attach.startup_flags", "events"},
    {0x80131370, "attach.instrumented", "changed code"},
    {0x80131367, "attach.detaching", "still detaching"},
    {0x80131388, "attach.suspending", "suspended"},
    {0x80004002, "attach.no_interface", "no profiler for this runtime"},
    {0x80040111, "attach.no_class", "not the collector"},
    {0x8000FFFF, "attach.unexpected", "exception"},
    {0x8007000E, "attach.out_of_memory", "no memory"},
    {0x80070008, "target.no_thread", "limit of threads"},
    {0x8007007E, "attach.not_loaded", "could not load"},
    {0x8007007F, "attach.no_export", "not a profiler"},
    {0x800700C1, "attach.bad_format", "not one for this kind of process"},
};

TEST(HresultWords, EveryNumberHasItsSentenceAndRemedy) {
  std::set<std::string> codes, sentences;
  for (const Case& row : kCases) {
    const Error error = HresultError(row.hresult);
    EXPECT_EQ(error.code, row.code);
    EXPECT_EQ(error.kind, ErrorKind::kFailed);
    EXPECT_THAT(error.message, ::testing::HasSubstr(row.part));
    EXPECT_THAT(error.message, ::testing::EndsWith(" (" + HresultText(row.hresult) + ").")) << row.code;
    EXPECT_GT(error.hint.size(), 10u) << row.code;
    EXPECT_FALSE(DescribeHresult(row.hresult).name.empty()) << row.code;
    EXPECT_TRUE(codes.insert(error.code).second) << row.code << " is used twice";
    EXPECT_TRUE(sentences.insert(error.message).second) << row.code;
  }
}

TEST(HresultWords, TimeOutOfTheBackgroundCollectionNamesLight) {
  EXPECT_THAT(HresultError(kConcurrentGcTimeout).hint, ::testing::HasSubstr("--light"));
}

TEST(HresultWords, UnknownNumbersAreShown) {
  const Error error = HresultError(0x8BADF00D);
  EXPECT_EQ(error.code, "attach.unknown_reason");
  EXPECT_THAT(error.message, ::testing::HasSubstr("0x8BADF00D"));
  EXPECT_EQ(HresultText(7), "0x00000007");
}

}  // namespace
}  // namespace cairn::client
