#include "viewer/ui/desktop/live_client.h"

#include "collector/client/capture_session.h"
#include "collector/client/process_list.h"

namespace cairn::ui {

Result<std::vector<presentation::ProcessRow>> LiveClient::Processes() {
  auto processes = client::ListProcesses();
  if (!processes) return tl::make_unexpected(std::move(processes).error());
  std::vector<presentation::ProcessRow> rows;
  for (const client::ProcessInfo& process : *processes)
    rows.push_back({process.pid, process.name, process.user, process.runtime, process.rss_bytes, process.attachable,
                    process.reason});
  return rows;
}

Result<std::string> LiveClient::Capture(const CaptureWish& wish, presentation::JobContext& context) {
  client::CaptureRequest request;
  request.target.pid = wish.pid;
  request.gc = wish.full ? protocol::GcRequest::kFull : protocol::GcRequest::kYoung;
  const auto tell = [&](const client::CaptureProgress& at) {
    context.Tell(at.text.empty() ? protocol::StateName(at.state) : at.text, at.done, at.total);
  };
  auto captured = client::Capture(request, tell, context.Cancelled());
  if (!captured) return tl::make_unexpected(std::move(captured).error());
  return std::move(captured->path);
}

}  // namespace cairn::ui
