#pragma once
// The part of COM that the profiling API stands on. On Linux it is the plain C++ ABI: a vtable without
// destructors, in declaration order.

#include <cstdint>
#include <cstring>

#include "collector/abi/hresults.h"

// Calling convention of every method and plain callback. It matters on 32-bit Windows only.
#if defined(_WIN32)
#define CAIRN_STDCALL __stdcall
#else
#define CAIRN_STDCALL
#endif

namespace cairn::collector::abi {

using Bool = int32_t;  // 0 or 1
#if defined(_WIN32)
using WChar = wchar_t;
#else
using WChar = char16_t;
#endif
static_assert(sizeof(WChar) == 2);

struct GUID {
  uint32_t data1;
  uint16_t data2;
  uint16_t data3;
  uint8_t data4[8];
  friend constexpr bool operator==(const GUID&, const GUID&) = default;
};
static_assert(sizeof(GUID) == 16 && alignof(GUID) == 4);

// A GUID from its 16 bytes in memory.
inline GUID GuidFromBytes(const uint8_t (&bytes)[16]) {
  GUID guid;
  std::memcpy(&guid, bytes, sizeof guid);
  return guid;
}

// Slots 0 to 2.
class IUnknown {
 public:
  static constexpr GUID kIid = {0x00000000, 0x0000, 0x0000, {0xC0, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x46}};

  virtual HRESULT CAIRN_STDCALL QueryInterface(const GUID& iid, void** object) = 0;
  virtual uint32_t CAIRN_STDCALL AddRef() = 0;
  virtual uint32_t CAIRN_STDCALL Release() = 0;

 protected:
  ~IUnknown() = default;
};

// Slots 3 to 4.
class IClassFactory : public IUnknown {
 public:
  static constexpr GUID kIid = {0x00000001, 0x0000, 0x0000, {0xC0, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x46}};

  virtual HRESULT CAIRN_STDCALL CreateInstance(IUnknown* outer, const GUID& iid, void** object) = 0;
  virtual HRESULT CAIRN_STDCALL LockServer(Bool lock) = 0;

 protected:
  ~IClassFactory() = default;
};

// Owns one reference. Thread rule: as for a raw pointer.
template <class T>
class ComPtr {
 public:
  ComPtr() = default;
  ComPtr(const ComPtr& other) : pointer_(other.pointer_) {
    if (pointer_ != nullptr) pointer_->AddRef();
  }
  ComPtr(ComPtr&& other) noexcept : pointer_(other.Detach()) {}
  ComPtr& operator=(ComPtr other) noexcept {
    T* mine = pointer_;
    pointer_ = other.pointer_;
    other.pointer_ = mine;
    return *this;
  }
  ~ComPtr() { Reset(); }

  // Takes over a reference that the caller owns.
  static ComPtr Adopt(T* pointer) {
    ComPtr result;
    result.pointer_ = pointer;
    return result;
  }
  // Asks `unknown` for T; empty when it is null or refuses.
  static ComPtr From(IUnknown* unknown) {
    ComPtr result;
    void* object = nullptr;
    if (unknown != nullptr && Succeeded(unknown->QueryInterface(T::kIid, &object))) {
      result.pointer_ = static_cast<T*>(object);
    }
    return result;
  }

  T* Get() const { return pointer_; }
  T* operator->() const { return pointer_; }
  explicit operator bool() const { return pointer_ != nullptr; }
  // For calls that hand out a reference. Drops the present one.
  T** Out() {
    Reset();
    return &pointer_;
  }
  T* Detach() {
    T* pointer = pointer_;
    pointer_ = nullptr;
    return pointer;
  }
  void Reset() {
    if (T* pointer = Detach()) pointer->Release();
  }

 private:
  T* pointer_ = nullptr;
};

}  // namespace cairn::collector::abi
