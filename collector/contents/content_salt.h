#pragma once
// The salt of this process: random, made at its first use, the same for every capture, so that equal contents of two
// snapshots have equal hashes. It is never written or sent.
// Thread rule: any thread, outside the pause.

#include <string>

#include "collector/contents/content_hash.h"

namespace cairn::collector {

// False: the system gives no random numbers, and there can be no hashes.
bool ReadContentSalt(ContentSalt* salt);

// 16 random hex digits made with the salt, which tell nothing of it but that it is the same. Empty without a salt.
std::string ContentSaltId();

}  // namespace cairn::collector
