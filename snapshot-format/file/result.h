#pragma once
// How every expected failure outside the target is told.

#include <string>
#include <utility>

// Before its definition: nobody may drop a Result, and the library does not say so itself.
namespace tl {
template <class T, class E>
class [[nodiscard]] expected;
}

#include <tl/expected.hpp>

namespace cairn {

// What the caller can do about it; each maps to one exit code of the contract.
enum class ErrorKind {
  kUsage,    // 2: the command was wrong
  kFailed,   // 3: it could not be done
  kDamaged,  // 4: the snapshot is incomplete or damaged
};

struct Error {
  ErrorKind kind = ErrorKind::kFailed;
  std::string code;     // stable, for scripts: "attach.other_profiler"
  std::string message;  // one sentence that names the file, the record, the offset
  std::string hint;     // what the user can do; may be empty
};

template <class T>
using Result = tl::expected<T, Error>;
using Status = Result<void>;

inline tl::unexpected<Error> Fail(ErrorKind kind, std::string code, std::string message, std::string hint = {}) {
  return tl::make_unexpected(Error{kind, std::move(code), std::move(message), std::move(hint)});
}

}  // namespace cairn

// Leaves the function with the error of `expression`, a Status.
#define CAIRN_TRY(expression)                                                                                         \
  do {                                                                                                                \
    if (auto cairn_status = (expression); !cairn_status) return tl::make_unexpected(std::move(cairn_status).error()); \
  } while (false)
