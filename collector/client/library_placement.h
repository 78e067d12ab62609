#pragma once
// Puts the collector library where the target can read and execute it, under a name made of its content.
// The file stays for later captures; Clean removes it.

#include <cstdint>
#include <string>
#include <vector>

#include "collector/client/elf_file.h"
#include "collector/client/machine.h"
#include "collector/client/target.h"
#include "snapshot-format/file/result.h"

namespace cairn::client {

// The library's file: `wanted` if given, else beside the program or in ../lib/cairn or ../lib.
// Error library.missing.
Result<std::string> LocateLibrary(const Machine& machine, const std::string& wanted);

// Does it fit the target? Errors: library.unreadable, library.not_elf, library.wrong_architecture,
// library.wrong_libc.
Status CheckLibrary(const Machine& machine, const Target& target, const std::string& library);

// Can a process of this C library load it? Error library.wrong_libc.
Status CheckLibc(Libc libc, const ElfFile& elf, const std::string& library);

struct PlacedLibrary {
  std::string path;     // as the target sees it
  bool reused = false;  // it was there, with the same content
};

// The folder where PlaceLibrary would put it, as the target sees it; looks only. Errors as PlaceLibrary's.
Result<std::string> FindPlacement(const Machine& machine, const Target& target);

// Errors: library.unreadable, placement.unsafe (a folder that others may write or own), placement.noexec,
// placement.unwritable, placement.full.
Result<PlacedLibrary> PlaceLibrary(const Machine& machine, const Target& target, const std::string& library);

// "cairn-1000": the folder of placed libraries of a user, in a temporary folder.
std::string PlacementFolderName(uid_t uid);
// "libcairn_collector-0123456789abcdef.so"
std::string PlacedName(const std::string& content);
bool IsPlacedName(const std::string& name);

// Opens the user's folder below `folder_fd`, making it where `create`; an empty descriptor when it is not
// there and may not be made. Error placement.unsafe, placement.unwritable.
Result<UniqueFd> OpenPlacementFolder(const Machine& machine, int folder_fd, const std::string& path, bool create);

}  // namespace cairn::client
