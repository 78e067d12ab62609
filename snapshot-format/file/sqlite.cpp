#include "snapshot-format/file/sqlite.h"

#include <cerrno>
#include <cstring>

#include "snapshot-format/file/system_file.h"

namespace cairn::snapshot {
namespace {

bool IsDiskFull(int code, int system_error) {
  return (code & 0xFF) == SQLITE_FULL || system_error == ENOSPC || system_error == EDQUOT || system_error == EFBIG;
}

// What SQLite ran out of, as the errno of it; 0 for nothing.
int WhatRanOut(int code, int extended, int system_error) {
  if ((code & 0xFF) == SQLITE_NOMEM || extended == SQLITE_IOERR_NOMEM) return ENOMEM;
  const bool of_system = (code & 0xFF) == SQLITE_CANTOPEN || (code & 0xFF) == SQLITE_IOERR;
  return of_system ? system_error : 0;
}

}  // namespace

Result<Database> Database::Open(const std::string& name, const std::string& shown, int flags, const std::string& vfs,
                                Access access) {
  Database database;
  database.shown_ = shown;
  database.access_ = access;
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(name.c_str(), &handle, flags, vfs.empty() ? nullptr : vfs.c_str());
  database.handle_.reset(handle);
  if (code != SQLITE_OK) return tl::make_unexpected(database.LastError(code, "opening it"));
  sqlite3_extended_result_codes(handle, 1);
  return database;
}

Error Database::LastError(int code, const std::string& what) const {
  std::string reason = sqlite3_errstr(code);
  int system_error = 0, extended = code;
  if (handle_ != nullptr) {
    reason = sqlite3_errmsg(handle_.get());
    system_error = sqlite3_system_errno(handle_.get());
    extended = sqlite3_extended_errcode(handle_.get());
  }
  if (const auto exhausted = Exhausted(WhatRanOut(code, extended, system_error), shown_, what)) return *exhausted;
  if (access_ == Access::kRead) {
    return {ErrorKind::kDamaged, "snapshot.damaged", shown_ + " is damaged: " + what + " failed: " + reason,
            "Copy the file again from where it was written, or capture anew."};
  }
  if (IsDiskFull((code & 0xFF) == SQLITE_FULL ? SQLITE_FULL : code, (code & 0xFF) == SQLITE_IOERR ? system_error : 0)) {
    return {ErrorKind::kFailed, "output.full", "no space left for " + shown_ + " while " + what,
            "Free some space or choose another folder with --output."};
  }
  const std::string errno_text = system_error != 0 ? std::string(" (") + std::strerror(system_error) + ")" : "";
  return {ErrorKind::kFailed, "output.unwritable",
          shown_ + " cannot be written: " + what + " failed: " + reason + errno_text,
          "Choose another folder with --output."};
}

Status Database::Execute(const std::string& sql) {
  const int code = sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return tl::make_unexpected(LastError(code, "\"" + sql.substr(0, sql.find('(')) + "\""));
  return {};
}

Status Database::Close() {
  const int code = sqlite3_close(handle_.get());
  if (code != SQLITE_OK) return tl::make_unexpected(LastError(code, "closing it"));
  (void)handle_.release();
  return {};
}

Result<Statement> Statement::Prepare(const Database& database, const std::string& sql, const std::string& what) {
  Statement statement;
  statement.database_ = &database;
  statement.what_ = what;
  sqlite3_stmt* handle = nullptr;
  const int code = sqlite3_prepare_v3(database.Handle(), sql.c_str(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &handle, nullptr);
  statement.handle_.reset(handle);
  if (code != SQLITE_OK) return tl::make_unexpected(database.LastError(code, what));
  return statement;
}

void Statement::BindInteger(int at, int64_t value) { Keep(sqlite3_bind_int64(handle_.get(), at + 1, value)); }
void Statement::BindReal(int at, double value) { Keep(sqlite3_bind_double(handle_.get(), at + 1, value)); }
void Statement::BindText(int at, const std::string& text) {
  Keep(sqlite3_bind_text64(handle_.get(), at + 1, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8));
}
void Statement::BindBlob(int at, std::span<const uint8_t> bytes) {
  // A null pointer would bind NULL instead of an empty blob.
  const void* data = bytes.empty() ? static_cast<const void*>("") : bytes.data();
  Keep(sqlite3_bind_blob64(handle_.get(), at + 1, data, bytes.size(), SQLITE_STATIC));
}
void Statement::BindNull(int at) { Keep(sqlite3_bind_null(handle_.get(), at + 1)); }

Status Statement::Run() {
  const Result<bool> row = Step();
  if (!row) {
    Rewind();
    return tl::make_unexpected(row.error());
  }
  return Reset();
}

Result<bool> Statement::Step() {
  if (bind_code_ != SQLITE_OK)
    return tl::make_unexpected(database_->LastError(std::exchange(bind_code_, SQLITE_OK), what_));
  const int code = sqlite3_step(handle_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return tl::make_unexpected(database_->LastError(code, what_));
}

Status Statement::Reset() {
  const int code = sqlite3_reset(handle_.get());
  if (code != SQLITE_OK) return tl::make_unexpected(database_->LastError(code, what_));
  return {};
}

std::span<const uint8_t> Statement::Bytes(int at) const {
  const auto* data = static_cast<const uint8_t*>(sqlite3_column_blob(handle_.get(), at));
  const int size = sqlite3_column_bytes(handle_.get(), at);
  if (data == nullptr || size <= 0) return {};
  return {data, static_cast<size_t>(size)};
}

}  // namespace cairn::snapshot
