#include "snapshot-format/file/snapshot_database.h"

#include <filesystem>

#include "snapshot-format/file/file_header.h"

namespace cairn::snapshot {
namespace {

constexpr int kMaxValueBytes = 16 << 20;  // above any column and any text

// A path as an SQLite URI: everything but the plainest characters escaped.
std::string FileUri(const std::string& path) {
  constexpr char kHex[] = "0123456789ABCDEF";
  std::string uri = "file://";
  for (const char c : std::filesystem::absolute(path).string()) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' ||
                       c == '-' || c == '_' || c == '.';
    if (plain) {
      uri += c;
    } else {
      uri += {'%', kHex[byte >> 4], kHex[byte & 15]};
    }
  }
  return uri + "?mode=ro&immutable=1";
}

Status Harden(Database& database, const std::string& path) {
  const int code = sqlite3_db_config(database.Handle(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  if (code != SQLITE_OK) return tl::make_unexpected(database.LastError(code, "closing " + path + " to tricks"));
  sqlite3_limit(database.Handle(), SQLITE_LIMIT_LENGTH, kMaxValueBytes);
  return database.Execute(
      "PRAGMA trusted_schema=OFF;PRAGMA cell_size_check=ON;PRAGMA mmap_size=0;PRAGMA cache_size=-8192");
}

}  // namespace

Result<Database> OpenSnapshotDatabase(const std::string& path) {
  Result<Database> database = Database::Open(
      FileUri(path), path, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, "", Access::kRead);
  if (!database) return database;
  if (Status status = Harden(*database, path); !status) return tl::make_unexpected(status.error());
  return database;
}

}  // namespace cairn::snapshot
