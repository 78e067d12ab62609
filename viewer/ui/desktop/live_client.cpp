#include "viewer/ui/desktop/live_client.h"

#include <algorithm>
#include <thread>

#include "collector/client/capture_session.h"
#include "collector/client/machine.h"
#include "collector/client/machine_constants.h"
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

// The walk is bounded by the objects that would fill the resident memory, the fork by its pages; what a capture on this
// machine has measured comes before what is usual.
PauseEstimate LiveClient::Estimate(const presentation::ProcessRow& process) {
  constexpr double kBytesPerObject = 44;  // small ones, as most heaps have them
  const auto constants = client::MachineConstants::Load(client::Machine::This().cache_folder);
  const auto known = [](uint32_t measured, uint32_t usual) { return static_cast<double>(measured ? measured : usual); };
  const double resident = static_cast<double>(process.rss_bytes);
  const double threads = std::max(std::thread::hardware_concurrency(), 1u);
  PauseEstimate estimate;
  estimate.walk_ms =
      resident / kBytesPerObject * known(constants.walk_ps_per_object, client::kUsualWalkPsPerObject) / threads / 1e9;
  estimate.fork_ms = resident / (1 << 20) * known(constants.fork_ns_per_resident_mib, client::kUsualForkNsPerMib) / 1e6;
  estimate.is_measured = constants.walk_ps_per_object != 0 || constants.fork_ns_per_resident_mib != 0;
  return estimate;
}

Result<std::string> LiveClient::Capture(const CaptureWish& wish, presentation::JobContext& context) {
  client::CaptureRequest request;
  request.target.pid = wish.pid;
  request.max_pause_ms = wish.max_pause_ms;
  request.gc = wish.full ? protocol::GcRequest::kFull : protocol::GcRequest::kYoung;
  const auto tell = [&](const client::CaptureProgress& at) {
    context.Tell(at.text.empty() ? protocol::StateName(at.state) : at.text, at.done, at.total);
  };
  auto captured = client::Capture(request, tell, context.Cancelled());
  if (!captured) return tl::make_unexpected(std::move(captured).error());
  return std::move(captured->path);
}

}  // namespace cairn::ui
