#include "viewer/cli/capture_options.h"

#include <fmt/format.h>

namespace cairn::cli {
namespace {

using std::chrono::milliseconds;

// Zero would mean "no limit", which is what leaving the option out says.
Status TakeMilliseconds(const char* option, const std::optional<milliseconds>& given, uint32_t& target) {
  if (!given) return {};
  if (given->count() < 1 || given->count() > UINT32_MAX)
    return Fail(ErrorKind::kUsage, "usage.bad_value",
                fmt::format("{} takes from 1 ms to 49 days, not {} ms", option, given->count()));
  target = static_cast<uint32_t>(given->count());
  return {};
}

}  // namespace

void CaptureOptions::Configure(CommandLine& line) {
  line.Choice<Gc>("--gc", gc_, {{"young", Gc::kYoung}, {"full", Gc::kFull}}, "the collection to walk after (young)");
  line.Choice<protocol::WalkMethod>("--method", request_.method,
                                    {{"auto", protocol::WalkMethod::kAuto},
                                     {"pause", protocol::WalkMethod::kPause},
                                     {"fork", protocol::WalkMethod::kFork}},
                                    "walk in the pause or in a forked child (auto)");
  line.Choice<protocol::StringCapture>("--strings", request_.strings,
                                       {{"none", protocol::StringCapture::kNone},
                                        {"hash", protocol::StringCapture::kHash},
                                        {"all", protocol::StringCapture::kAll}},
                                       "what to keep of string contents (hash)");
  line.Flag("--values", request_.values, "keep the values of primitive fields");
  ConfigureLimits(line);
}

void CaptureOptions::ConfigureLimits(CommandLine& line) {
  using presentation::BareNumber;
  line.Duration("--max-pause", max_pause_, BareNumber::kMilliseconds, "MS",
                "refuse beforehand what would pause longer");
  line.Duration("--wait-natural", wait_natural_, BareNumber::kMilliseconds, "MS",
                "wait for a collection of the application's own (3s)", milliseconds(3000));
  line.Flag("--light", request_.light, "leave concurrent GC alone; takes a full collection");
  line.Choice<protocol::SelfCheck>("--self-check", request_.self_check,
                                   {{"sample", protocol::SelfCheck::kSample}, {"full", protocol::SelfCheck::kFull}},
                                   "how much to compare with the profiling API (sample)");
  line.Text("--runtime", request_.runtime, "first|one=VERSION|many",
            "which runtime, where a process has several (first)");
  line.Text("--library", request_.library, "FILE", "the collector library, where it is not beside cairn");
  line.Duration("-t,--timeout", timeout_, BareNumber::kSeconds, "DURATION",
                "give up without a sign of life for so long (60s)");
}

// A young collection never turns into a full one by itself.
Status CaptureOptions::CheckCollection(const std::string& full_for) const {
  if (full_for.empty()) return {};
  if (gc_ == Gc::kYoung)
    return Fail(ErrorKind::kUsage, "usage.conflict",
                full_for + " takes a full collection, so --gc young does not go with it", "Leave out one of the two.");
  if (wait_natural_)
    return Fail(ErrorKind::kUsage, "usage.wait_natural",
                full_for + " takes a full collection, and --wait-natural waits for a young one",
                "Leave out one of the two.");
  return {};
}

Result<client::CaptureRequest> CaptureOptions::Request(const std::string& full_for) const {
  client::CaptureRequest request = request_;
  CAIRN_TRY(CheckCollection(request.light ? "--light" : full_for));
  request.gc = gc_ == Gc::kFull ? protocol::GcRequest::kFull : protocol::GcRequest::kYoung;
  if (request.runtime != "first" && request.runtime != "many" &&
      (!request.runtime.starts_with("one=") || request.runtime.size() == 4))
    return Fail(ErrorKind::kUsage, "usage.bad_value",
                fmt::format("--runtime takes first, one=VERSION or many, not '{}'", request.runtime));
  CAIRN_TRY(TakeMilliseconds("--max-pause", max_pause_, request.max_pause_ms));
  CAIRN_TRY(TakeMilliseconds("--wait-natural", wait_natural_, request.wait_natural_ms));
  if (timeout_ && timeout_->count() == 0)
    return Fail(ErrorKind::kUsage, "usage.bad_value", "--timeout takes a duration above zero");
  request.timeout = timeout_.value_or(request.timeout);
  return request;
}

}  // namespace cairn::cli
