#pragma once
// The one wrapper around SQLite: every result of every call is checked here and told as a cairn::Error.
// Private to snapshot-format/file. Thread rule: one thread per Database.

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "snapshot-format/file/result.h"

namespace cairn::snapshot {

// Which way a failing call is told: a file that cannot be read is damaged, one that cannot be written is
// output.full or output.unwritable.
enum class Access : uint8_t { kRead, kWrite };

class Database {
 public:
  // `name` is a path, or a URI where `flags` has SQLITE_OPEN_URI. `shown` names the file in errors.
  static Result<Database> Open(const std::string& name, const std::string& shown, int flags, const std::string& vfs,
                               Access access);

  Status Execute(const std::string& sql);
  // Closes; every Statement must be gone.
  Status Close();
  // The error of the last failing call, `what` saying what was tried: "reading table types".
  Error LastError(int code, const std::string& what) const;
  sqlite3* Handle() const { return handle_.get(); }

 private:
  struct Closer {
    void operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
  };
  std::unique_ptr<sqlite3, Closer> handle_;
  std::string shown_;
  Access access_ = Access::kRead;
};

// A prepared statement. `database` must outlive it.
class Statement {
 public:
  static Result<Statement> Prepare(const Database& database, const std::string& sql, const std::string& what);

  // Parameters and columns count from 0. A failing bind is told by the next Step or Run.
  void BindInteger(int at, int64_t value);
  void BindReal(int at, double value);
  void BindText(int at, const std::string& text);  // `text` must live until the next Run
  void BindBlob(int at, std::span<const uint8_t> bytes);
  void BindNull(int at);
  // Executes a statement without rows and makes it ready for the next binds.
  Status Run();

  // True: a row is there.
  Result<bool> Step();
  Status Reset();
  // Makes it ready for the next binds whatever became of the last use.
  void Rewind() {
    sqlite3_reset(handle_.get());  // its result is that of the last Step, told already
    bind_code_ = SQLITE_OK;
  }
  int ColumnType(int at) const { return sqlite3_column_type(handle_.get(), at); }
  int64_t Integer(int at) const { return sqlite3_column_int64(handle_.get(), at); }
  double Real(int at) const { return sqlite3_column_double(handle_.get(), at); }
  // Text or blob, valid until the next Step.
  std::span<const uint8_t> Bytes(int at) const;

 private:
  struct Finalizer {
    void operator()(sqlite3_stmt* handle) const { sqlite3_finalize(handle); }
  };
  void Keep(int code) {
    if (bind_code_ == SQLITE_OK) bind_code_ = code;
  }
  std::unique_ptr<sqlite3_stmt, Finalizer> handle_;
  const Database* database_ = nullptr;
  std::string what_;
  int bind_code_ = SQLITE_OK;
};

}  // namespace cairn::snapshot
