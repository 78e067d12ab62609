// The other profiler of the end-to-end tests. It is loaded at start or attached, as the main one, and counts the
// collections it is told of in the first eight bytes of a file: FAKE_PROFILER_FILE, or the client data of the attach.
// Once there is a file of that name and ".leave", it detaches.

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>

#include "collector/abi/callback_base.h"
#include "collector/abi/masks.h"
#include "collector/abi/profiler_info.h"

namespace cairn::e2e {
namespace {

using namespace cairn::collector::abi;  // NOLINT: this file is one small COM object

constexpr useconds_t kLookEveryUs = 50'000;
constexpr uint32_t kDetachWithinMs = 1000;

class FakeProfiler final : public CallbackBase {
 public:
  HRESULT CAIRN_STDCALL Initialize(IUnknown* runtime) override {
    const char* path = std::getenv("FAKE_PROFILER_FILE");
    return Start(runtime, path == nullptr ? "" : path);
  }
  HRESULT CAIRN_STDCALL InitializeForAttach(IUnknown* runtime, void* data, uint32_t size) override {
    return Start(runtime, std::string(static_cast<const char*>(data), size));
  }
  HRESULT CAIRN_STDCALL GarbageCollectionFinished() override {
    if (collections_ != nullptr) ++*collections_;
    return kOk;
  }

 private:
  using Counter = std::atomic<uint64_t>;

  HRESULT Start(IUnknown* runtime, const std::string& path) {
    info_ = ComPtr<ICorProfilerInfo5>::From(runtime);
    if (!info_) return kNoInterface;
    Map(path);
    if (!path.empty()) std::thread([this, path] { LeaveWhenTold(path + ".leave"); }).detach();
    return info_->SetEventMask2(kMonitorNone, kHighBasicGc);
  }

  void Map(const std::string& path) {
    const int file = path.empty() ? -1 : open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0 || ftruncate(file, sizeof(Counter)) != 0) return;
    void* mapped = mmap(nullptr, sizeof(Counter), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (mapped != MAP_FAILED) collections_ = static_cast<Counter*>(mapped);
  }

  void LeaveWhenTold(const std::string& sign) {
    while (access(sign.c_str(), F_OK) != 0) usleep(kLookEveryUs);
    ICorProfilerInfo3* runtime = info_.Get();  // the runtime's own reference keeps it until the detach
    info_.Reset();
    runtime->RequestProfilerDetach(kDetachWithinMs);
  }

  ComPtr<ICorProfilerInfo5> info_;
  Counter* collections_ = nullptr;
};

class Factory final : public IClassFactory {
 public:
  HRESULT CAIRN_STDCALL QueryInterface(const GUID& iid, void** object) override {
    if (iid != IUnknown::kIid && iid != IClassFactory::kIid) return kNoInterface;
    *object = this;
    return kOk;
  }
  uint32_t CAIRN_STDCALL AddRef() override { return 1; }
  uint32_t CAIRN_STDCALL Release() override { return 1; }
  HRESULT CAIRN_STDCALL CreateInstance(IUnknown*, const GUID& iid, void** object) override {
    static FakeProfiler* const profiler = new FakeProfiler;  // lives as long as the process
    return profiler->QueryInterface(iid, object);
  }
  HRESULT CAIRN_STDCALL LockServer(Bool) override { return kOk; }
};

}  // namespace
}  // namespace cairn::e2e

extern "C" __attribute__((visibility("default"))) cairn::collector::abi::HRESULT DllGetClassObject(
    const cairn::collector::abi::GUID&, const cairn::collector::abi::GUID& iid, void** object) {
  static cairn::e2e::Factory factory;
  return factory.QueryInterface(iid, object);
}
