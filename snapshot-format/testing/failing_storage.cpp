#include "snapshot-format/testing/failing_storage.h"

#include <sqlite3.h>

#include <cstring>

namespace cairn::snapshot::testing {
namespace {

// A file of ours: SQLite's part, our part, then the real file in the same allocation.
struct FailingFile {
  sqlite3_file base;
  struct Counter* counter;
  sqlite3_file* Real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
};

struct Counter {
  sqlite3_vfs* real = nullptr;
  sqlite3_io_methods methods = {};
  FailingStorage::Failure failure{};
  uint64_t fail_at = 0;
  uint64_t writes = 0;
};

FailingFile* Ours(sqlite3_file* file) { return reinterpret_cast<FailingFile*>(file); }
sqlite3_file* Real(sqlite3_file* file) { return Ours(file)->Real(); }

int Write(sqlite3_file* file, const void* data, int size, sqlite3_int64 offset) {
  Counter& counter = *Ours(file)->counter;
  if (counter.writes++ >= counter.fail_at) {
    return counter.failure == FailingStorage::Failure::kDiskFull ? SQLITE_FULL : SQLITE_IOERR_WRITE;
  }
  return Real(file)->pMethods->xWrite(Real(file), data, size, offset);
}

sqlite3_io_methods MakeMethods() {
  sqlite3_io_methods m = {};
  m.iVersion = 1;
  m.xClose = [](sqlite3_file* f) { return Real(f)->pMethods->xClose(Real(f)); };
  m.xRead = [](sqlite3_file* f, void* p, int n, sqlite3_int64 at) {
    return Real(f)->pMethods->xRead(Real(f), p, n, at);
  };
  m.xWrite = Write;
  m.xTruncate = [](sqlite3_file* f, sqlite3_int64 n) { return Real(f)->pMethods->xTruncate(Real(f), n); };
  m.xSync = [](sqlite3_file* f, int flags) { return Real(f)->pMethods->xSync(Real(f), flags); };
  m.xFileSize = [](sqlite3_file* f, sqlite3_int64* n) { return Real(f)->pMethods->xFileSize(Real(f), n); };
  m.xLock = [](sqlite3_file* f, int level) { return Real(f)->pMethods->xLock(Real(f), level); };
  m.xUnlock = [](sqlite3_file* f, int level) { return Real(f)->pMethods->xUnlock(Real(f), level); };
  m.xCheckReservedLock = [](sqlite3_file* f, int* out) { return Real(f)->pMethods->xCheckReservedLock(Real(f), out); };
  m.xFileControl = [](sqlite3_file* f, int op, void* p) { return Real(f)->pMethods->xFileControl(Real(f), op, p); };
  m.xSectorSize = [](sqlite3_file* f) { return Real(f)->pMethods->xSectorSize(Real(f)); };
  m.xDeviceCharacteristics = [](sqlite3_file* f) { return Real(f)->pMethods->xDeviceCharacteristics(Real(f)); };
  return m;
}

int Open(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* out_flags) {
  auto* counter = static_cast<Counter*>(vfs->pAppData);
  const int code = counter->real->xOpen(counter->real, name, Real(file), flags, out_flags);
  Ours(file)->counter = counter;
  // SQLite closes a file only where it has methods.
  Ours(file)->base.pMethods = code == SQLITE_OK ? &counter->methods : nullptr;
  return code;
}

}  // namespace

struct FailingStorage::Impl {
  Counter counter;
  sqlite3_vfs vfs = {};
  std::string name;
};

FailingStorage::FailingStorage(Failure failure, uint64_t fail_at) : impl_(std::make_unique<Impl>()) {
  static uint64_t number = 0;
  impl_->name = "cairn-failing-" + std::to_string(number++);
  impl_->counter = {sqlite3_vfs_find(nullptr), MakeMethods(), failure, fail_at, 0};
  impl_->vfs = *impl_->counter.real;  // everything but opening is the system's
  impl_->vfs.zName = impl_->name.c_str();
  impl_->vfs.pNext = nullptr;
  impl_->vfs.szOsFile = static_cast<int>(sizeof(FailingFile)) + impl_->counter.real->szOsFile;
  impl_->vfs.pAppData = &impl_->counter;
  impl_->vfs.xOpen = Open;
  sqlite3_vfs_register(&impl_->vfs, 0);
}

FailingStorage::~FailingStorage() { sqlite3_vfs_unregister(&impl_->vfs); }

const std::string& FailingStorage::Vfs() const { return impl_->name; }
uint64_t FailingStorage::Writes() const { return impl_->counter.writes; }

}  // namespace cairn::snapshot::testing
