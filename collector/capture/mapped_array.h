#pragma once
// A fixed array in a mapping of its own: zeroed, left out of forks unless asked, grown by replacing it. No malloc, so that
// it may be mapped inside the pause too.
// Ownership: unmaps when destroyed.

#include <cstddef>
#include <span>

#include "collector/walk/pages.h"

namespace cairn::collector {

template <class T>
class MappedArray {
 public:
  MappedArray() = default;
  ~MappedArray() { Free(); }
  MappedArray(const MappedArray&) = delete;
  MappedArray& operator=(const MappedArray&) = delete;

  // Room for `count` elements of zero bytes; what was there is gone. False: the system refused.
  bool Map(size_t count, bool in_children = false) {
    Free();
    uint8_t* memory = pages::Map(count * sizeof(T), in_children);
    if (memory == nullptr) return false;
    data_ = reinterpret_cast<T*>(memory);
    capacity_ = count;
    return true;
  }
  void Free() {
    if (data_ != nullptr) pages::Unmap(reinterpret_cast<uint8_t*>(data_), capacity_ * sizeof(T));
    data_ = nullptr;
    capacity_ = 0;
  }
  T* Data() const { return data_; }
  size_t Capacity() const { return capacity_; }
  T& operator[](size_t index) const { return data_[index]; }
  std::span<T> First(size_t count) const { return {data_, count}; }

 private:
  T* data_ = nullptr;
  size_t capacity_ = 0;
};

}  // namespace cairn::collector
