#include "viewer/analysis/radix_sort.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace cairn::analysis {
namespace {

constexpr unsigned kDigitBits = 11;
constexpr size_t kDigits = size_t{1} << kDigitBits;

struct WideItem {
  uint64_t key;
  uint32_t item;
};

// Sorts by `bits` bits of key_of(item), the lowest digit first.
template <class Item, class KeyOf>
bool SortItems(std::vector<Item>& items, unsigned bits, KeyOf key_of, const Work& work) {
  std::vector<Item> sorted(items.size());
  std::vector<size_t> first(kDigits);
  for (unsigned shift = 0; shift < bits; shift += kDigitBits) {
    if (work.Cancelled()) return false;
    const auto digit = [&](const Item& item) { return key_of(item) >> shift & (kDigits - 1); };
    std::fill(first.begin(), first.end(), 0);
    for (const Item& item : items) ++first[digit(item)];
    std::exclusive_scan(first.begin(), first.end(), first.begin(), size_t{0});
    for (const Item& item : items) sorted[first[digit(item)]++] = item;
    items.swap(sorted);
  }
  return !work.Cancelled();
}

// `keys` become the pairs that travel.
bool SortPacked(std::vector<uint64_t>& keys, unsigned bits, std::vector<uint32_t>& items, const Work& work) {
  for (size_t i = 0; i < items.size(); ++i) keys[i] = keys[i] << 32 | items[i];
  if (!SortItems(
          keys, bits, [](uint64_t pair) { return pair >> 32; }, work))
    return false;
  std::transform(keys.begin(), keys.end(), items.begin(), [](uint64_t pair) { return static_cast<uint32_t>(pair); });
  return true;
}

bool SortWide(std::vector<uint64_t>& keys, unsigned bits, std::vector<uint32_t>& items, const Work& work) {
  std::vector<WideItem> pairs(items.size());
  for (size_t i = 0; i < items.size(); ++i) pairs[i] = {keys[i], items[i]};
  keys = {};
  if (!SortItems(
          pairs, bits, [](const WideItem& pair) { return pair.key; }, work))
    return false;
  std::transform(pairs.begin(), pairs.end(), items.begin(), [](const WideItem& pair) { return pair.item; });
  return true;
}

}  // namespace

bool SortByKeys(std::vector<uint64_t> keys, bool ascending, std::vector<uint32_t>& items, const Work& work) {
  uint64_t all = ~uint64_t{0}, any = 0;
  for (const uint64_t key : keys) {
    all &= key;
    any |= key;
  }
  const uint64_t differing = all ^ any;
  if (differing == 0) return !work.Cancelled();
  const auto below = static_cast<unsigned>(std::countr_zero(differing));
  const auto bits = static_cast<unsigned>(std::bit_width(differing >> below));
  const uint64_t kept = ~uint64_t{0} >> (64 - bits);
  // Turned round for the other order: that way, too, equal ones stay as they are.
  const uint64_t turned = ascending ? 0 : kept;
  for (uint64_t& key : keys) key = (key >> below & kept) ^ turned;
  return bits <= 32 ? SortPacked(keys, bits, items, work) : SortWide(keys, bits, items, work);
}

}  // namespace cairn::analysis
