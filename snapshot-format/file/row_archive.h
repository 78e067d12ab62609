#pragma once
// Two archives that a row description (rows.h) walks: one binds a row's values, one reads them back and
// checks each against its type and limit. Both feed the table's digest. Private to snapshot-format/file.

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "snapshot-format/file/limits.h"
#include "snapshot-format/file/model.h"
#include "snapshot-format/file/row_digest.h"
#include "snapshot-format/file/sqlite.h"

namespace cairn::snapshot {

inline std::span<const uint8_t> AsBytes(const std::string& text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

// `text`, or where it is longer than any reader accepts, its start and a note that says so.
std::string WithinLimit(const std::string& text);

class RowBinder {
 public:
  RowBinder(Statement& statement, RowDigest& digest) : statement_(statement), digest_(digest) {}

  template <std::integral T>
  void operator()(const char*, const T& value) {
    Integer(static_cast<int64_t>(value));
  }
  template <class T>
  requires std::is_enum_v<T>
  void operator()(const char*, const T& value, unsigned) { Integer(static_cast<int64_t>(value)); }
  // A number that is none (NaN, infinite) is written as 0: SQLite would store NULL for it.
  void operator()(const char*, const double& value);
  void operator()(const char*, const std::string& text);
  void operator()(const char*, const std::optional<uint64_t>& value);
  void Id(const char*, const uint32_t& id);
  void Offsets(const char*, const std::vector<uint32_t>& offsets, uint32_t count);
  // Writes the row.
  Status Run();

 private:
  void Integer(int64_t value) {
    digest_.Integer(value);
    statement_.BindInteger(at_++, value);
  }
  void Null();

  Statement& statement_;
  RowDigest& digest_;
  int at_ = 0;
  // What SQLite holds by pointer until Run.
  std::vector<std::string> texts_;
  std::vector<std::vector<uint8_t>> blobs_;
};

class RowParser {
 public:
  RowParser(const Statement& statement, RowDigest& digest, const Limits& limits)
      : statement_(statement), digest_(digest), limits_(limits) {}

  template <std::integral T>
  void operator()(const char* name, T& value) {
    const int64_t stored = Integer(name);
    if constexpr (sizeof(T) < 8) {
      if (stored < 0 || static_cast<uint64_t>(stored) > std::numeric_limits<T>::max())
        return Wrong(name, "is out of range");
    }
    value = static_cast<T>(stored);
  }
  template <class T>
  requires std::is_enum_v<T>
  void operator()(const char* name, T& value, unsigned count) {
    const int64_t stored = Integer(name);
    if (stored < 0 || stored >= static_cast<int64_t>(count)) return Wrong(name, "is no known kind");
    value = static_cast<T>(stored);
  }
  void operator()(const char* name, double& value);
  void operator()(const char* name, std::string& text);
  void operator()(const char* name, std::optional<uint64_t>& value);
  void Id(const char* name, uint32_t& id);
  void Offsets(const char* name, std::vector<uint32_t>& offsets, uint32_t& count);

  // What is wrong with the row so far; empty for nothing.
  const std::string& WhatIsWrong() const { return wrong_; }

 private:
  int64_t Integer(const char* name);
  bool Expect(const char* name, int type);
  void Wrong(const char* name, const char* what) {
    if (wrong_.empty()) wrong_ = std::string("column ") + name + " " + what;
  }

  const Statement& statement_;
  RowDigest& digest_;
  const Limits& limits_;
  int at_ = 0;
  std::string wrong_;
};

}  // namespace cairn::snapshot
