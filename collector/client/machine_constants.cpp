#include "collector/client/machine_constants.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace cairn::client {
namespace {

constexpr uint64_t kFewestObjects = 500'000;
constexpr uint64_t kLeastResident = uint64_t{256} << 20;
constexpr double kMiB = 1 << 20;
constexpr const char* kFileName = "machine";

// A disturbed capture takes longer, none takes less time than the machine needs: down by half of the way, up by
// little, and by an eighth at most however long it took.
uint32_t Towards(uint32_t known, uint32_t usual, double measured) {
  if (measured < 1 || measured > 1e9) return known;
  const double from = known == 0 ? usual : known;
  const double to = std::min(measured, 2 * from);
  return static_cast<uint32_t>(from + (to - from) / (to < from ? 2 : 8));
}

// What was learnt of the way that was not taken is believed a little less each time. A busy day would else decide for
// ever: the way that it made look slow is never taken again, and so never found to be fast.
uint32_t Forgotten(uint32_t known, uint32_t usual) {
  return known <= usual ? known : known - (known - usual + 15) / 16;
}

}  // namespace

MachineConstants MachineConstants::Load(const std::string& cache_folder) {
  MachineConstants constants;
  std::ifstream file(std::filesystem::path(cache_folder) / kFileName);
  std::string name;
  uint32_t value = 0;
  while (file >> name >> value) {
    if (name == "walk_ps_per_object") constants.walk_ps_per_object = value;
    if (name == "fork_ns_per_resident_mib") constants.fork_ns_per_resident_mib = value;
  }
  return constants;
}

bool MachineConstants::Learn(const snapshot::Capture& capture, uint64_t objects) {
  const MachineConstants before = *this;
  const bool forked = capture.method == "fork";
  if (forked)
    walk_ps_per_object = Forgotten(walk_ps_per_object, kUsualWalkPsPerObject);
  else
    fork_ns_per_resident_mib = Forgotten(fork_ns_per_resident_mib, kUsualForkNsPerMib);
  const double resident = static_cast<double>(capture.memory.rss_bytes);
  if (forked && capture.memory.rss_bytes >= kLeastResident)
    fork_ns_per_resident_mib =
        Towards(fork_ns_per_resident_mib, kUsualForkNsPerMib, capture.pause_ms.fork_ms * 1e6 / (resident / kMiB));
  if (!forked && !capture.through_api && objects >= kFewestObjects)
    walk_ps_per_object = Towards(walk_ps_per_object, kUsualWalkPsPerObject,
                                 capture.pause_ms.walk_ms * 1e9 * capture.threads / static_cast<double>(objects));
  return before.walk_ps_per_object != walk_ps_per_object || before.fork_ns_per_resident_mib != fork_ns_per_resident_mib;
}

void MachineConstants::Save(const std::string& cache_folder) const {
  std::error_code ignored;
  if (cache_folder.empty()) return;
  std::filesystem::create_directories(cache_folder, ignored);
  const std::filesystem::path path = std::filesystem::path(cache_folder) / kFileName;
  const std::filesystem::path partial = path.string() + "." + std::to_string(getpid());
  {
    std::ofstream file(partial);
    file << "walk_ps_per_object " << walk_ps_per_object << "\nfork_ns_per_resident_mib " << fork_ns_per_resident_mib
         << "\n";
    if (!file) return;
  }
  std::filesystem::rename(partial, path, ignored);
}

}  // namespace cairn::client
