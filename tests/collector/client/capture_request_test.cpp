#include "collector/client/capture_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>
#include <filesystem>

#include "tests/collector/client/small_elf.h"
#include "tests/snapshot-format/temporary_folder.h"

namespace cairn::client {
namespace {

using ::testing::HasSubstr;

CaptureRequest Full() {
  CaptureRequest request;
  request.gc = protocol::GcRequest::kFull;
  return request;
}

std::string Code(const Status& status) { return status ? "" : status.error().code; }

TEST(CheckRequest, TakesContents) {
  EXPECT_EQ(Code(CheckRequest(Full())), "");
  CaptureRequest request;
  request = Full();
  request.values = true;
  EXPECT_EQ(Code(CheckRequest(request)), "");
  request = Full();
  request.strings = protocol::StringCapture::kAll;
  EXPECT_EQ(Code(CheckRequest(request)), "");
}

TEST(CheckPause, AForkIsJudgedByTheResidentSet) {
  CaptureRequest request = Full();
  request.method = protocol::WalkMethod::kFork;
  request.max_pause_ms = 40;
  constexpr uint64_t kGiB = uint64_t{1} << 30;
  EXPECT_EQ(Code(CheckPause(request, {}, kGiB)), "");  // 1024 * 23,500 ns = 24 ms
  EXPECT_EQ(Code(CheckPause(request, {}, 2 * kGiB)), "pause.over_limit");
  EXPECT_THAT(CheckPause(request, {}, 2 * kGiB).error().message, HasSubstr("48 ms"));
  MachineConstants slow;
  slow.fork_ns_per_resident_mib = 60'000;
  EXPECT_EQ(Code(CheckPause(request, slow, kGiB)), "pause.over_limit") << "61 ms";
  request.method = protocol::WalkMethod::kAuto;
  EXPECT_EQ(Code(CheckPause(request, slow, kGiB)), "") << "how much of it is heap is known in the pause only";
}

TEST(CheckRequest, TakesEveryCollection) {
  CaptureRequest request;  // young, the default
  EXPECT_EQ(Code(CheckRequest(request)), "");
  request.wait_natural_ms = 500;
  EXPECT_EQ(Code(CheckRequest(request)), "");
  request = CaptureRequest();
  request.light = true;
  EXPECT_EQ(Code(CheckRequest(request)), "");
}

TEST(CheckRequest, WrongUsage) {
  const auto usage = [](const CaptureRequest& request) {
    const Status status = CheckRequest(request);
    EXPECT_FALSE(status);
    EXPECT_EQ(status.error().kind, ErrorKind::kUsage);
    return Code(status);
  };
  CaptureRequest request = Full();
  request.timeout = milliseconds(0);
  EXPECT_EQ(usage(request), "usage.timeout");
  request = Full();
  request.wait_natural_ms = 10;
  EXPECT_EQ(usage(request), "usage.wait_natural");
  request = CaptureRequest();
  request.wait_natural_ms = 10;
  request.light = true;
  EXPECT_EQ(usage(request), "usage.wait_natural");
  for (const char* runtime : {"", "second", "one=", "ONE=10"}) {
    request = Full();
    request.runtime = runtime;
    EXPECT_EQ(usage(request), "usage.runtime") << runtime;
  }
}

TEST(CheckRuntime, MatchesWholeParts) {
  CaptureRequest request;
  const auto code = [&](const char* wanted, const char* version) {
    request.runtime = wanted;
    return Code(CheckRuntime(request, version));
  };
  EXPECT_EQ(code("first", "10.0.12"), "");
  EXPECT_EQ(code("many", "10.0.12"), "");
  EXPECT_EQ(code("one=10.0.12", "10.0.12"), "");
  EXPECT_EQ(code("one=10", "10.0.12"), "");
  EXPECT_EQ(code("one=1", "10.0.12"), "target.other_runtime");
  EXPECT_EQ(code("one=9", "10.0.12"), "target.other_runtime");
  EXPECT_EQ(code("one=9", ""), "target.other_runtime");
}

TEST(DefaultOutput, NamesProcessAndLocalTime) {
  setenv("TZ", "UTC-2", 1);  // two hours ahead of UTC
  tzset();
  // 1764453600 is 2025-11-29 22:00:00 UTC.
  EXPECT_EQ(DefaultOutput("Shop.Web", 42, 1764453600), "Shop.Web_42_20251130_000000.cairn");
  EXPECT_EQ(DefaultOutput("a/b c", 1, 1764453600), "a_b_c_1_20251130_000000.cairn");
  EXPECT_EQ(DefaultOutput("", 1, 1764453600), "process_1_20251130_000000.cairn");
  unsetenv("TZ");
  tzset();
}

TEST(CheckOutput, EachFaultHasItsCode) {
  snapshot::testing::TemporaryFolder folder;
  EXPECT_EQ(Code(CheckOutput(folder.File("a.cairn"), false)), "");
  EXPECT_EQ(Code(CheckOutput(folder.File("none/a.cairn"), false)), "output.no_folder");
  testing::WriteFile(folder.File("a.cairn"), "x");
  EXPECT_EQ(Code(CheckOutput(folder.File("a.cairn"), false)), "output.exists");
  EXPECT_EQ(CheckOutput(folder.File("a.cairn"), false).error().kind, ErrorKind::kUsage);
  EXPECT_EQ(Code(CheckOutput(folder.File("a.cairn"), true)), "");
  std::filesystem::create_directory(folder.File("d.cairn"));
  EXPECT_EQ(Code(CheckOutput(folder.File("d.cairn"), true)), "output.exists");
  std::filesystem::create_symlink("nowhere", folder.File("link.cairn"));
  EXPECT_EQ(Code(CheckOutput(folder.File("link.cairn"), false)), "output.exists");
}

TEST(MakeOptions, CarriesEveryChoice) {
  CaptureRequest request = Full();
  request.strings = protocol::StringCapture::kAll;
  request.self_check = protocol::SelfCheck::kFull;
  request.max_pause_ms = 77;
  request.timeout = milliseconds(5000);
  const std::vector<uint8_t> nonce(16, 0x5A);
  const protocol::Options options = MakeOptions(request, nonce, "/t/sock");
  EXPECT_EQ(options.size, sizeof options);
  EXPECT_EQ(options.magic, protocol::kOptionsMagic);
  EXPECT_EQ(options.gc, protocol::GcRequest::kFull);
  EXPECT_EQ(options.strings, protocol::StringCapture::kAll);
  EXPECT_EQ(options.self_check, protocol::SelfCheck::kFull);
  EXPECT_EQ(options.max_pause_ms, 77u);
  EXPECT_EQ(options.client_deadline_ms, 5000u);
  EXPECT_EQ(options.nonce[15], 0x5A);
  EXPECT_STREQ(options.socket_path, "/t/sock");
  EXPECT_EQ(options.wait_natural_ms, 0u);
  EXPECT_EQ(options.light, 0);
  request.timeout = milliseconds(600000);
  EXPECT_EQ(MakeOptions(request, nonce, "/t/sock").client_deadline_ms, 30000u);
}

TEST(MakeOptions, LightTakesAFullCollectionAndYoungMayWait) {
  const std::vector<uint8_t> nonce(16, 1);
  CaptureRequest request;
  request.wait_natural_ms = 1500;
  EXPECT_EQ(MakeOptions(request, nonce, "/s").gc, protocol::GcRequest::kYoung);
  EXPECT_EQ(MakeOptions(request, nonce, "/s").wait_natural_ms, 1500u);
  request.light = true;
  EXPECT_EQ(MakeOptions(request, nonce, "/s").gc, protocol::GcRequest::kFull);
  EXPECT_EQ(MakeOptions(request, nonce, "/s").light, 1);
}

}  // namespace
}  // namespace cairn::client
