#pragma once
// One flat array of plain values, zeroed. Large arrays come straight from the operating system: pages are
// taken when first touched, in huge pages where there are any, and go back when the array goes away.
// An array may also lie over values that somebody else keeps (Over): then it is only read.
// Thread rule: none; different elements may be written by different threads. Ownership: moves only.
// Throws std::bad_alloc.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

namespace cairn::analysis {

namespace memory {
void* Allocate(size_t bytes);                                 // zeroed
void* Grow(void* block, size_t old_bytes, size_t new_bytes);  // what is new is zeroed
void Free(void* block, size_t bytes) noexcept;
// What the C library's heap keeps of threads that are gone goes back to the system: buffers of decoding, which a
// later step would pay for on top of its arrays.
void GiveBack() noexcept;
}  // namespace memory

template <class T>
class FlatArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  FlatArray() = default;
  explicit FlatArray(size_t size)
      : data_(size ? static_cast<T*>(memory::Allocate(size * sizeof(T))) : nullptr), size_(size) {}
  FlatArray(FlatArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        keeper_(std::move(other.keeper_)) {}
  FlatArray& operator=(FlatArray&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(keeper_, other.keeper_);
    return *this;
  }
  // Over values that stay where they are as long as `keeper` does. Not to be written to, not to grow.
  static FlatArray Over(std::span<const T> values, std::shared_ptr<const void> keeper) {
    FlatArray array;
    array.data_ = const_cast<T*>(values.data());
    array.size_ = values.size();
    array.keeper_ = std::move(keeper);
    return array;
  }
  ~FlatArray() { Release(); }

  T& operator[](size_t i) { return data_[i]; }
  const T& operator[](size_t i) const { return data_[i]; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  size_t size() const { return size_; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }

  void Release() noexcept {
    if (!keeper_) memory::Free(data_, size_ * sizeof(T));
    keeper_.reset();
    data_ = nullptr;
    size_ = 0;
  }
  // Elements stay; new ones are zero. Pointers into the array are void afterwards.
  void Grow(size_t size) {
    data_ = static_cast<T*>(memory::Grow(data_, size_ * sizeof(T), size * sizeof(T)));
    size_ = size;
  }

 private:
  T* data_ = nullptr;
  size_t size_ = 0;
  std::shared_ptr<const void> keeper_;  // of values that are not its own
};

// A stack, or a log that is only appended to, over a FlatArray.
template <class T>
class FlatStack {
 public:
  void Push(const T& value) {
    if (size_ == items_.size()) items_.Grow(size_ ? size_ * 2 : 1024);
    items_[size_++] = value;
  }
  void Pop() { --size_; }
  T& Top() { return items_[size_ - 1]; }
  T& operator[](size_t i) { return items_[i]; }
  const T& operator[](size_t i) const { return items_[i]; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  void Clear() { size_ = 0; }
  void Release() {
    items_.Release();
    size_ = 0;
  }

 private:
  FlatArray<T> items_;
  size_t size_ = 0;
};

}  // namespace cairn::analysis
