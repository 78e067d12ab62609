#include "viewer/presentation/quantity.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

namespace cairn::presentation {
namespace {

struct Unit {
  std::string_view name;  // lower case
  double factor;
};

constexpr Unit kSizeUnits[] = {
    {"", 1},      {"b", 1},        {"kb", 1e3},        {"mb", 1e6},           {"gb", 1e9},
    {"tb", 1e12}, {"kib", 1024.0}, {"mib", 1048576.0}, {"gib", 1073741824.0}, {"tib", 1099511627776.0}};
constexpr Unit kDurationUnits[] = {{"ms", 1}, {"s", 1e3}, {"m", 60e3}, {"min", 60e3}, {"h", 3600e3}, {"d", 86400e3}};

// Below 2^63, so that rounding cannot overflow an integer.
constexpr double kLargestValue = 9.0e18;
// About a century: keeps every sum of durations far from overflow.
constexpr double kLargestDurationMs = 3.2e12;

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

struct NumberAndUnit {
  double number;
  std::string unit;  // lower case
};

// Splits "1.5 GiB"; nothing where it does not start with digits.
std::optional<NumberAndUnit> Split(std::string_view text) {
  if (text.empty() || text[0] < '0' || text[0] > '9') return std::nullopt;
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (error != std::errc() || !std::isfinite(number)) return std::nullopt;
  std::string_view rest(end, static_cast<size_t>(text.data() + text.size() - end));
  while (!rest.empty() && rest[0] == ' ') rest.remove_prefix(1);
  return NumberAndUnit{number, Lower(rest)};
}

template <size_t N>
std::optional<double> Scaled(const NumberAndUnit& value, const Unit (&units)[N]) {
  for (const Unit& unit : units)
    if (unit.name == value.unit) return value.number * unit.factor;
  return std::nullopt;
}

std::optional<uint64_t> Digits(std::string_view text) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::vector<std::string_view> SplitAt(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  size_t at;
  while ((at = text.find(separator)) != std::string_view::npos) {
    parts.push_back(text.substr(0, at));
    text.remove_prefix(at + 1);
  }
  parts.push_back(text);
  return parts;
}

// "hh:mm:ss" or "d.hh:mm:ss", in milliseconds.
std::optional<double> ClockDuration(std::string_view text) {
  double days = 0;
  const auto parts = SplitAt(text, ':');
  if (parts.size() != 3) return std::nullopt;
  std::string_view hours_text = parts[0];
  if (const size_t dot = hours_text.find('.'); dot != std::string_view::npos) {
    const auto d = Digits(hours_text.substr(0, dot));
    if (!d) return std::nullopt;
    days = static_cast<double>(*d);
    hours_text.remove_prefix(dot + 1);
  }
  const auto hours = Digits(hours_text), minutes = Digits(parts[1]), seconds = Digits(parts[2]);
  if (!hours || !minutes || !seconds || *minutes > 59 || *seconds > 59) return std::nullopt;
  return days * 86400e3 + static_cast<double>(*hours) * 3600e3 + static_cast<double>(*minutes * 60 + *seconds) * 1e3;
}

std::optional<double> UnitDuration(std::string_view text, BareNumber bare) {
  auto value = Split(text);
  if (!value) return std::nullopt;
  if (value->unit.empty()) value->unit = bare == BareNumber::kSeconds ? "s" : "ms";
  return Scaled(*value, kDurationUnits);
}

std::string Grouped(const std::string& digits) {
  std::string grouped;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) grouped += ',';
    grouped += digits[i];
  }
  return grouped;
}

}  // namespace

Result<uint64_t> ParseSize(std::string_view text) {
  const auto value = Split(text);
  const auto bytes = value ? Scaled(*value, kSizeUnits) : std::nullopt;
  if (!bytes || *bytes > kLargestValue)
    return Fail(ErrorKind::kUsage, "usage.bad_size", fmt::format("'{}' is not a size", text),
                "Write a size as 200MB, 1.5GiB or a number of bytes.");
  return static_cast<uint64_t>(std::llround(*bytes));
}

Result<std::chrono::milliseconds> ParseDuration(std::string_view text, BareNumber bare) {
  const auto ms = text.find(':') != std::string_view::npos ? ClockDuration(text) : UnitDuration(text, bare);
  if (!ms || *ms > kLargestDurationMs)
    return Fail(ErrorKind::kUsage, "usage.bad_duration", fmt::format("'{}' is not a duration", text),
                "Write a duration as 250ms, 30s, 5m or 00:00:30.");
  return std::chrono::milliseconds(std::llround(*ms));
}

std::string GroupedCount(uint64_t count) { return Grouped(fmt::format("{}", count)); }

std::string GroupedDifference(int64_t difference) {
  if (difference == 0) return "0";
  // Negated as unsigned, so that the smallest value has no overflow.
  const uint64_t size = difference < 0 ? 0 - static_cast<uint64_t>(difference) : static_cast<uint64_t>(difference);
  return fmt::format("{}{}", difference < 0 ? '-' : '+', GroupedCount(size));
}

std::string Counted(uint64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", GroupedCount(count), count == 1 ? one : many);
}

std::string HumanBytes(uint64_t bytes) {
  constexpr std::array kNames = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  auto value = static_cast<double>(bytes);
  size_t unit = 0;
  // 1023.95 would be printed as "1024.0".
  while (value >= 1023.95 && unit + 1 < kNames.size()) {
    value /= 1024;
    ++unit;
  }
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.1f} {}", value, kNames[unit]);
}

std::string FullBytes(uint64_t bytes) {
  if (bytes < 1024) return fmt::format("{} {}", bytes, bytes == 1 ? "byte" : "bytes");
  return fmt::format("{} ({} bytes)", HumanBytes(bytes), GroupedCount(bytes));
}

std::string Milliseconds(double ms) {
  if (!std::isfinite(ms)) return "unknown";
  if (ms < 10) return fmt::format("{:.2f} ms", ms);
  if (ms < 1000) return fmt::format("{:.1f} ms", ms);
  return fmt::format("{} ms", GroupedCount(static_cast<uint64_t>(std::llround(std::fmin(ms, kLargestValue)))));
}

std::string Percentage(uint64_t part, uint64_t whole) {
  if (whole == 0) return "-";
  return fmt::format("{:.1f} %", 100 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string HexAddress(uint64_t address) { return fmt::format("{:#x}", address); }

}  // namespace cairn::presentation
