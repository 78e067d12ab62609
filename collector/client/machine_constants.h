#pragma once
// How fast this machine walks and forks, learnt from captures and kept in the user's cache folder. The collector
// estimates its pause with it.

#include <cstdint>
#include <string>

#include "snapshot-format/file/model.h"

namespace cairn::client {

// What they usually are: 9.5 ns per object; 21–27 ms per GiB at pages of 4 KiB.
inline constexpr uint32_t kUsualWalkPsPerObject = 9500;
inline constexpr uint32_t kUsualForkNsPerMib = 23'500;

struct MachineConstants {
  uint32_t walk_ps_per_object = 0;        // 0: not known yet
  uint32_t fork_ns_per_resident_mib = 0;  // 0: not known yet

  // Not known where the file is missing or not ours to read.
  static MachineConstants Load(const std::string& cache_folder);
  // Takes in what one capture took; one too small to say anything changes nothing. True: something changed.
  bool Learn(const snapshot::Capture& capture, uint64_t objects);
  // Quietly does nothing where the folder cannot be written.
  void Save(const std::string& cache_folder) const;
};

}  // namespace cairn::client
