#include "viewer/cli/command.h"

namespace cairn::cli {

int ExitCodeOf(const Error& error) {
  switch (error.kind) {
    case ErrorKind::kUsage:
      return kExitUsage;
    case ErrorKind::kDamaged:
      return kExitIncomplete;
    case ErrorKind::kFailed:
      break;
  }
  return kExitFailed;
}

}  // namespace cairn::cli
