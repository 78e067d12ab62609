#pragma once
// Where the client looks: the real machine, or what a test laid out.

#include <sys/types.h>

#include <string>
#include <vector>

#include "collector/client/proc.h"

namespace cairn::client {

struct Machine {
  ProcFs proc;
  std::string own_tmp;                  // TMPDIR of this process, else /tmp
  std::string program_folder;           // where this program lies: the library is sought beside it
  std::vector<std::string> common_tmp;  // where libraries may have been placed, besides targets' own folders
  std::string cache_folder;             // of the user, for cairn; empty: nothing is kept
  uid_t uid = 0;                        // effective, of this process

  static Machine This();
};

// The file of this program, wherever a link to it may be, also where the loader was given its path.
std::string ProgramPath();

}  // namespace cairn::client
