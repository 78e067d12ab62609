#include "snapshot-format/sql/read_only_query.h"

#include <sqlite3.h>

#include <cctype>
#include <cstring>
#include <memory>
#include <string_view>

namespace cairn::sql {
namespace {

constexpr int kStepsBetweenLooks = 1000;
constexpr int kMaxTextBytes = 16 << 20;
constexpr int kMaxPatternBytes = 1000;  // LIKE takes the product of text and pattern

struct CloseConnection {
  void operator()(sqlite3* connection) const { sqlite3_close_v2(connection); }
};
struct Finalize {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};

// SQLite bounds memory per process, so what was allowed before comes back.
class MemoryBound {
 public:
  explicit MemoryBound(uint64_t bytes)
      : before_(sqlite3_hard_heap_limit64(sqlite3_memory_used() + static_cast<sqlite3_int64>(bytes))) {}
  MemoryBound(const MemoryBound&) = delete;
  ~MemoryBound() { sqlite3_hard_heap_limit64(before_); }

 private:
  sqlite3_int64 before_;
};

class Connection {
 public:
  Connection(const QueryLimits& limits, const std::function<bool()>& is_cancelled) : is_cancelled_(is_cancelled) {
    if (limits.time) deadline_ = std::chrono::steady_clock::now() + *limits.time;
    limits_ = limits;
  }

  Status Open(std::span<VirtualTable* const> tables) {
    sqlite3* opened = nullptr;
    const int code = sqlite3_open_v2(":memory:", &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY, nullptr);
    connection_.reset(opened);
    if (code != SQLITE_OK) return Failed(code);
    for (VirtualTable* table : tables) {
      CAIRN_TRY(AddTable(opened, *table, errors_));
      // Connected by its first use, which declares columns; later that would be refused.
      const std::string use = "SELECT 1 FROM " + table->Name() + " LIMIT 0";
      if (const int used = sqlite3_exec(opened, use.c_str(), nullptr, nullptr, nullptr); used != SQLITE_OK)
        return Failed(used);
    }
    return Restrict();
  }

  Status Run(const std::string& sql, ResultSink& sink) {
    auto statement = Prepare(sql);
    if (!statement) return tl::make_unexpected(std::move(statement).error());
    const int columns = sqlite3_column_count(statement->get());
    std::vector<std::string> names;
    for (int i = 0; i < columns; ++i) {
      const char* name = sqlite3_column_name(statement->get(), i);
      names.emplace_back(name ? name : "");
    }
    sink.Columns(names);
    std::vector<Value> cells(static_cast<size_t>(columns));
    while (true) {
      const int code = sqlite3_step(statement->get());
      if (code == SQLITE_DONE) return {};
      if (code != SQLITE_ROW) return Failed(code);
      for (int i = 0; i < columns; ++i) cells[static_cast<size_t>(i)] = Cell(statement->get(), i);
      if (!sink.Row(cells)) return {};
      // A row may be dear to make and to write, and SQLite itself looks only after many steps.
      if (Look(this) != 0) return Failed(SQLITE_INTERRUPT);
    }
  }

 private:
  using OwnedStatement = std::unique_ptr<sqlite3_stmt, Finalize>;

  Status Restrict() {
    sqlite3* connection = connection_.get();
    // Sorted and grouped rows stay in memory, under its bound, and never become files.
    if (const int code = sqlite3_exec(connection, "PRAGMA temp_store=MEMORY", nullptr, nullptr, nullptr);
        code != SQLITE_OK)
      return Failed(code);
    sqlite3_extended_result_codes(connection, 1);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
    sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, kMaxTextBytes);
    sqlite3_limit(connection, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_limit(connection, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, kMaxPatternBytes);
    sqlite3_limit(connection, SQLITE_LIMIT_WORKER_THREADS, 0);
    sqlite3_set_authorizer(connection, Authorize, this);
    sqlite3_progress_handler(connection, kStepsBetweenLooks, Look, this);
    return {};
  }

  static int Authorize(void* self, int action, const char*, const char* name, const char*, const char*) {
    switch (action) {
      case SQLITE_SELECT:
      case SQLITE_READ:
      case SQLITE_RECURSIVE:
        return SQLITE_OK;
      case SQLITE_FUNCTION:
        if (name == nullptr || sqlite3_stricmp(name, "load_extension") != 0) return SQLITE_OK;
        break;
      default:
        break;
    }
    static_cast<Connection*>(self)->refused_ = true;
    return SQLITE_DENY;
  }

  // Not 0: stop.
  static int Look(void* self) {
    auto& connection = *static_cast<Connection*>(self);
    if (connection.is_cancelled_()) return 1;
    connection.timed_out_ = connection.deadline_ && std::chrono::steady_clock::now() >= *connection.deadline_;
    return connection.timed_out_;
  }

  Result<OwnedStatement> Prepare(const std::string& sql) {
    sqlite3_stmt* prepared = nullptr;
    const char* rest = nullptr;
    const int code =
        sqlite3_prepare_v2(connection_.get(), sql.c_str(), static_cast<int>(sql.size()) + 1, &prepared, &rest);
    OwnedStatement statement(prepared);
    if (code != SQLITE_OK) return tl::make_unexpected(Failed(code).error());
    if (!statement) return Invalid("there is no statement in it");
    if (IsMore(rest)) return Invalid("there is more than one statement in it");
    if (!sqlite3_stmt_readonly(prepared) || sqlite3_column_count(prepared) == 0) return Refused("it gives no rows");
    if (sqlite3_bind_parameter_count(prepared) > 0) return Invalid("it has parameters, which nothing fills in");
    return statement;
  }

  // What follows the first statement, but for spaces and semicolons, is prepared to see whether it is more than
  // a comment.
  bool IsMore(const char* rest) {
    while (*rest && (std::isspace(static_cast<unsigned char>(*rest)) || *rest == ';')) ++rest;
    if (!*rest) return false;
    sqlite3_stmt* prepared = nullptr;
    const int code = sqlite3_prepare_v2(connection_.get(), rest, -1, &prepared, nullptr);
    const OwnedStatement statement(prepared);
    return code != SQLITE_OK || statement;
  }

  // As SQL writes it, so that it cannot be taken for a text: x'00ff'.
  static std::string BlobLiteral(std::string_view bytes) {
    constexpr char kDigits[] = "0123456789abcdef";
    std::string literal = "x'";
    literal.reserve(bytes.size() * 2 + 3);
    for (const char c : bytes) {
      const auto byte = static_cast<unsigned char>(c);
      literal += {kDigits[byte >> 4], kDigits[byte & 15]};
    }
    return literal + "'";
  }

  static Value Cell(sqlite3_stmt* statement, int column) {
    switch (sqlite3_column_type(statement, column)) {
      case SQLITE_INTEGER:
        return int64_t{sqlite3_column_int64(statement, column)};
      case SQLITE_FLOAT:
        return sqlite3_column_double(statement, column);
      case SQLITE_NULL:
        return {};
      default:
        break;
    }
    const auto* text = static_cast<const char*>(sqlite3_column_blob(statement, column));
    const auto size = static_cast<size_t>(sqlite3_column_bytes(statement, column));
    if (sqlite3_column_type(statement, column) == SQLITE_BLOB) return BlobLiteral({text, text ? size : 0});
    return LastingText{{text ? text : "", text ? size : 0}};
  }

  static tl::unexpected<Error> Invalid(const std::string& what) {
    return Fail(ErrorKind::kUsage, "query.invalid", "the SQL cannot be run: " + what,
                "cairn query --help shows tables, columns and an example.");
  }
  static tl::unexpected<Error> Refused(const std::string& what) {
    return Fail(
        ErrorKind::kUsage, "query.refused", "the SQL is refused: " + what,
        "A query is one SELECT over the tables of the snapshots. Nothing else is allowed: no writing, no ATTACH or "
        "PRAGMA, no tables of SQLite's own such as json_each (json_extract and other functions work).");
  }

  // SQLite's own words name what it was about to do, not what is wrong with that.
  static std::string WhyRefused(const std::string& reason) {
    constexpr std::string_view kTable = "vtable constructor failed: ";
    if (reason.starts_with(kTable)) return reason.substr(kTable.size()) + " is no table of the snapshots";
    return reason == "not authorized" ? "it does more than read" : reason;
  }

  Status Failed(int code) {
    if (!errors_.first) return errors_.first;
    const std::string reason = connection_ ? sqlite3_errmsg(connection_.get()) : sqlite3_errstr(code);
    switch (code & 0xFF) {
      case SQLITE_AUTH:
        return Refused(WhyRefused(reason));
      case SQLITE_TOOBIG:
        return Fail(ErrorKind::kFailed, "query.memory", "a value of the query is too large: " + reason,
                    "A text may have " + std::to_string(kMaxTextBytes >> 20) + " MiB.");
      case SQLITE_NOMEM:
        return Fail(ErrorKind::kFailed, "query.memory",
                    "the query needs more than " + std::to_string(limits_.memory_bytes >> 20) + " MiB",
                    "Let it sort, group or join less (WHERE, LIMIT), or allow more with --memory.");
      case SQLITE_INTERRUPT:
        if (timed_out_)
          return Fail(ErrorKind::kFailed, "query.timeout",
                      "the query took longer than " + std::to_string(limits_.time->count()) + " ms",
                      "Let it look at less, or allow more time with --timeout. A recursion may have no end.");
        return Fail(ErrorKind::kFailed, "cancelled", "The query was cancelled before it was done.");
      default:
        return refused_ ? Refused(WhyRefused(reason)) : Invalid(reason);
    }
  }

  const std::function<bool()>& is_cancelled_;
  QueryLimits limits_;
  std::optional<std::chrono::steady_clock::time_point> deadline_;
  TableErrors errors_;
  bool refused_ = false, timed_out_ = false;
  std::unique_ptr<sqlite3, CloseConnection> connection_;
};

}  // namespace

Status RunReadOnly(const std::string& sql, std::span<VirtualTable* const> tables, const QueryLimits& limits,
                   const std::function<bool()>& is_cancelled, ResultSink& sink) {
  const MemoryBound bound(limits.memory_bytes);
  Connection connection(limits, is_cancelled);
  CAIRN_TRY(connection.Open(tables));
  return connection.Run(sql, sink);
}

}  // namespace cairn::sql
