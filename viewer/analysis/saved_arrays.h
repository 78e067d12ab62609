#pragma once
// The arrays of a result, in an order of its own: what a cache keeps, and what the result is made from again. Arrays
// that come back may hold anything; whoever takes them checks that no index leads out of them.
// Thread rule: one thread.

#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "viewer/analysis/flat_array.h"

namespace cairn::analysis {

using Bytes = std::span<const uint8_t>;

// Raise it whenever the same snapshot would give other arrays: by another order, another answer, another meaning.
inline constexpr uint32_t kSavedVersion = 3;

// Ownership: observes the result; keeps what had to be put together.
class ArrayList {
 public:
  template <class T>
  void Add(std::span<const T> values) {
    static_assert(std::has_unique_object_representations_v<T>);
    arrays_.emplace_back(reinterpret_cast<const uint8_t*>(values.data()), values.size_bytes());
  }
  template <class T>
  void Add(const FlatArray<T>& values) {
    Add(values, values.size());
  }
  // Only its first `count`.
  template <class T>
  void Add(const FlatArray<T>& values, size_t count) {
    flat_.push_back(arrays_.size());
    Add(std::span<const T>(values.data(), count));
  }
  template <class T>
  void AddCopy(std::vector<T> values) {
    const auto own = std::make_shared<const std::vector<T>>(std::move(values));
    Add(std::span<const T>(*own));
    own_.push_back(own);
  }
  const std::vector<Bytes>& Arrays() const { return arrays_; }
  // Which of them are a FlatArray's (see memory::LieOverFile).
  const std::vector<size_t>& Flat() const { return flat_; }

 private:
  std::vector<Bytes> arrays_;
  std::vector<size_t> flat_;
  std::vector<std::shared_ptr<const void>> own_;
};

class ArrayTaker {
 public:
  // `keeper` keeps the arrays where they are.
  ArrayTaker(std::span<const Bytes> arrays, std::shared_ptr<const void> keeper)
      : arrays_(arrays), keeper_(std::move(keeper)) {}

  // False where there is none, or it is no array of T.
  template <class T>
  [[nodiscard]] bool Take(FlatArray<T>& out) {
    std::span<const T> values;
    if (!Next(values)) return false;
    out = FlatArray<T>::Over(values, keeper_);
    return true;
  }
  template <class T>
  [[nodiscard]] bool TakeCopy(std::vector<T>& out) {
    std::span<const T> values;
    if (!Next(values)) return false;
    out.assign(values.begin(), values.end());
    return true;
  }
  bool AtEnd() const { return next_ == arrays_.size(); }

 private:
  template <class T>
  bool Next(std::span<const T>& out) {
    if (next_ == arrays_.size()) return false;
    const Bytes bytes = arrays_[next_++];
    if (bytes.size() % sizeof(T) != 0 || reinterpret_cast<uintptr_t>(bytes.data()) % alignof(T) != 0) return false;
    out = {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
    return true;
  }

  std::span<const Bytes> arrays_;
  std::shared_ptr<const void> keeper_;
  size_t next_ = 0;
};

}  // namespace cairn::analysis
