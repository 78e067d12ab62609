#pragma once
// What the runtime's answer to an attach means, in a sentence, and what to do about it.

#include <cstdint>
#include <string>

#include "snapshot-format/file/result.h"

namespace cairn::client {

inline constexpr uint32_t kConcurrentGcTimeout = 0x80131379;
inline constexpr uint32_t kAlreadyActive = 0x8013136A;
inline constexpr uint32_t kProfilerAlreadyActive = 0x8013136A;
inline constexpr uint32_t kCancelActivation = 0x80131375;
inline constexpr uint32_t kUnknownCommand = 0x80131385;

struct HresultWords {
  std::string name;      // "CORPROF_E_PROFILER_ALREADY_ACTIVE"; empty for an unknown one
  std::string code;      // the error code of ours: "attach.other_profiler"
  std::string sentence;  // ends with the number: "… (0x8013136A)."
  std::string remedy;
};

HresultWords DescribeHresult(uint32_t hresult);
// "0x8013136A"
std::string HresultText(uint32_t hresult);
Error HresultError(uint32_t hresult);

}  // namespace cairn::client
