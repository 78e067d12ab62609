#include "collector/capture/walk_estimate.h"

#include <algorithm>

namespace cairn::collector {

namespace {

constexpr double kSmallObjectBytes = 44;
constexpr double kSpoolBytesPerObject = 7;  // measured: 4.6 to 6.8, hashes of strings apart
constexpr double kNsWorthAThread = 3e6;
constexpr double kMiB = 1 << 20;

double WalkNs(const WalkConstants& constants, const WalkSize& size) {
  return std::max(constants.ns_per_object * static_cast<double>(size.objects),
                  constants.ns_per_slot * static_cast<double>(size.slots));
}

// Constants travel as whole numbers; 0 means that nothing was measured. One that is far off is not believed.
double Believable(double value, double usual) { return value >= usual / 10 && value <= usual * 10 ? value : usual; }

}  // namespace

WalkConstants WalkConstants::From(const protocol::Options& options) {
  WalkConstants constants;
  constants.ns_per_object = Believable(options.walk_ps_per_object / 1000.0, constants.ns_per_object);
  constants.fork_ns_per_resident_mib = Believable(options.fork_ns_per_resident_mib, constants.fork_ns_per_resident_mib);
  return constants;
}

WalkSize LargestWalk(uint64_t resident_bytes) {
  return {static_cast<uint64_t>(static_cast<double>(resident_bytes) / kSmallObjectBytes), 0, resident_bytes};
}

WalkEstimate Estimate(const WalkConstants& constants, const WalkSize& size, unsigned threads, bool count_first) {
  WalkEstimate estimate;
  estimate.pause_ns = static_cast<uint64_t>(WalkNs(constants, size) / std::max(threads, 1u));
  double fork = constants.fork_ns_per_resident_mib * static_cast<double>(size.resident_bytes) / kMiB;
  if (count_first) fork += constants.ns_per_object * kHeaderShare * static_cast<double>(size.objects);
  estimate.fork_ns = static_cast<uint64_t>(fork);
  return estimate;
}

WalkChoice Choose(const WalkEstimate& estimate, protocol::WalkMethod asked, bool fork_is_safe, uint64_t limit_ns) {
  const bool may_pause = asked != protocol::WalkMethod::kFork && (limit_ns == 0 || estimate.pause_ns <= limit_ns);
  const bool may_fork =
      asked != protocol::WalkMethod::kPause && fork_is_safe && (limit_ns == 0 || estimate.fork_ns <= limit_ns);
  if (!may_pause && !may_fork) return WalkChoice::kNeitherInTime;
  if (!may_fork) return WalkChoice::kPause;
  return may_pause && estimate.pause_ns <= estimate.fork_ns ? WalkChoice::kPause : WalkChoice::kFork;
}

uint64_t SpoolBelowFork(const WalkConstants& constants, const WalkEstimate& estimate) {
  return static_cast<uint64_t>(static_cast<double>(estimate.fork_ns) / constants.ns_per_object * kSpoolBytesPerObject);
}

unsigned WorthwhileThreads(const WalkConstants& constants, const WalkSize& size, unsigned cpus) {
  const auto worthwhile = static_cast<uint64_t>(WalkNs(constants, size) / kNsWorthAThread);
  return static_cast<unsigned>(std::clamp<uint64_t>(worthwhile, 1, std::max(cpus, 1u)));
}

}  // namespace cairn::collector
