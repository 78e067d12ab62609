#pragma once
// Reads CSV back by the letter of RFC 4180, to check what was written.

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::presentation::testing {

// Records of fields. Throws where a record does not end with CRLF or a quote stands inside a bare field.
inline std::vector<std::vector<std::string>> ReadCsv(std::string_view text) {
  std::vector<std::vector<std::string>> records;
  size_t at = 0;
  while (at < text.size()) {
    std::vector<std::string>& record = records.emplace_back();
    for (bool more = true; more;) {
      std::string& field = record.emplace_back();
      if (text.substr(at, 1) == "\"") {
        for (++at;; ++at) {
          if (at >= text.size()) throw std::runtime_error("a quoted field has no end");
          if (text[at] == '"' && text.substr(at + 1, 1) != "\"") break;
          if (text[at] == '"') ++at;
          field += text[at];
        }
        ++at;
      } else {
        for (; at < text.size() && text[at] != ',' && text[at] != '\r' && text[at] != '\n'; ++at) {
          if (text[at] == '"') throw std::runtime_error("a quote inside a bare field");
          field += text[at];
        }
      }
      more = text.substr(at, 1) == ",";
      if (more) ++at;
    }
    if (text.substr(at, 2) != "\r\n") throw std::runtime_error("a record does not end with CRLF");
    at += 2;
  }
  return records;
}

}  // namespace cairn::presentation::testing
