#include "viewer/cli/locals_option.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "viewer/presentation/type_pattern.h"
#include "viewer/session/file_chunk_source.h"

namespace cairn::cli {
namespace {

Result<session::NameSelector> Selector(const std::string& text) {
  return presentation::TypePattern::Parse(text).map([](const presentation::TypePattern& pattern) {
    return session::NameSelector([pattern](std::span<const std::string> names) { return pattern.Select(names); });
  });
}

Status AddTo(std::vector<session::NameSelector>& selectors, const std::string& pattern) {
  auto selector = Selector(pattern);
  if (!selector) return tl::make_unexpected(std::move(selector).error());
  selectors.push_back(std::move(*selector));
  return {};
}

}  // namespace

void LocalsOption::Configure(CommandLine& line) {
  line.Texts("--ignore-locals", texts_, "WHOSE", "whose locals hold nothing: all, thread=ID|PATTERN, frame=PATTERN");
}

Status LocalsOption::Read() {
  for (const std::string& text : texts_) CAIRN_TRY(ReadOne(text));
  return {};
}

Status LocalsOption::ReadOne(const std::string& text) {
  constexpr std::string_view kThread = "thread=", kFrame = "frame=";
  if (text == "all") {
    locals_.all = true;
    return {};
  }
  if (text.starts_with(kFrame)) return AddTo(locals_.frames, text.substr(kFrame.size()));
  if (text.starts_with(kThread)) {
    const std::string whose = text.substr(kThread.size());
    uint32_t id = 0;
    const auto [end, error] = std::from_chars(whose.data(), whose.data() + whose.size(), id);
    if (error != std::errc() || end != whose.data() + whose.size()) return AddTo(locals_.threads, whose);
    locals_.managed_ids.push_back(id);
    return {};
  }
  return Fail(ErrorKind::kUsage, "usage.bad_value",
              fmt::format("--ignore-locals takes all, thread=ID, thread=PATTERN or frame=PATTERN, not '{}'", text),
              "As in: --ignore-locals 'frame=Xunit.*'");
}

Result<OpenedSession> LocalsOption::Open(const std::string& path) const {
  if (!IsGiven()) return OpenSession(path);
  auto reader = snapshot::SnapshotReader::Open(path, snapshot::Limits());
  if (!reader) return tl::make_unexpected(std::move(reader).error());
  auto source = session::FileChunkSource::Create(std::move(*reader));
  if (!source) return tl::make_unexpected(std::move(source).error());
  const std::vector<bool> left_out = session::RootsOf(locals_, (*source)->GetSummary());
  OpenedSession opened;
  opened.session = session::SnapshotSession::Over(session::WithoutRoots(std::move(*source), left_out), path, 0);
  opened.named.push_back({path, &opened.session->GetSummary(), {}});
  return opened;
}

}  // namespace cairn::cli
