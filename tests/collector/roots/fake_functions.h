#pragma once
// Methods and static slots made of tables.

#include <cstring>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "collector/roots/function_source.h"
#include "collector/roots/static_finder.h"
#include "collector/roots/thread_static_recorder.h"
#include "collector/roots/thread_table.h"

namespace cairn::collector::testing {

class FakeFunctions final : public FunctionSource {
 public:
  std::map<FunctionId, FunctionRow> rows;
  std::map<FunctionId, std::string> unsafe;
  std::map<std::pair<ModuleId, Token>, ClassId> loaded;  // by method
  std::vector<FunctionId> asked;                         // of Function, in order

  bool Function(FunctionId id, FunctionRow* row) override {
    asked.push_back(id);
    const auto found = rows.find(id);
    if (found == rows.end()) return false;
    *row = found->second;
    return true;
  }
  size_t UnsafeName(FunctionId id, char* name, size_t capacity) override {
    const auto found = unsafe.find(id);
    if (found == unsafe.end()) return 0;
    const size_t size = found->second.size() < capacity ? found->second.size() : capacity;
    std::memcpy(name, found->second.data(), size);
    return size;
  }
  std::vector<CodeRange> Code(FunctionId id) override {
    located.push_back(id);
    std::vector<CodeRange> ranges;
    for (const auto& [address, function] : code) {
      if (function == id) ranges.push_back({address, 1});
    }
    return ranges;
  }
  std::vector<FunctionId> located;  // of Code, in order
  std::map<uint64_t, FunctionId> code;
  std::vector<uint64_t> addresses_asked;  // of FunctionAt, in order
  FunctionId FunctionAt(uint64_t address) override {
    addresses_asked.push_back(address);
    const auto found = code.find(address);
    return found == code.end() ? 0 : found->second;
  }
  ClassId LoadedClass(ModuleId module, Token method) override {
    const auto found = loaded.find({module, method});
    return found == loaded.end() ? 0 : found->second;
  }
};

class FakeStatics final : public StaticSource {
 public:
  std::map<std::pair<ClassId, Token>, uint64_t> addresses;  // what the API says
  bool has_tables = false;
  std::map<ClassId, std::vector<StaticSlot>> slots;
  std::map<ClassId, ThreadStaticFields> thread_statics;
  std::map<ModuleId, std::vector<ClassId>> loaded;
  bool trusted = false;

  void TrustTables() override { trusted = true; }
  ThreadStaticFields ThreadStatics(ClassId id) override { return thread_statics[id]; }
  bool HasTables() override { return has_tables; }
  std::vector<ClassId> LoadedClasses(ModuleId module) override { return loaded[module]; }
  std::vector<StaticSlot> Slots(ClassId id) override { return slots[id]; }

  bool Address(ClassId id, Token field, uint64_t* address) override {
    const auto found = addresses.find({id, field});
    if (found == addresses.end()) return false;
    *address = found->second;
    return true;
  }
};

class FakeThreadStatics final : public ThreadStaticSource {
 public:
  bool can_ask = true;
  std::set<std::pair<ClassId, Token>> fields;
  std::vector<PausedThread> threads;
  std::map<std::pair<uint64_t, Token>, uint64_t> addresses;  // by thread and field
  size_t questions = 0;

  bool CanAskInPause() override { return can_ask; }
  bool IsThreadStatic(ClassId id, Token field) override { return fields.contains({id, field}); }
  size_t ThreadsInPause(std::span<PausedThread> found) override {
    const size_t count = threads.size() < found.size() ? threads.size() : found.size();
    for (size_t i = 0; i < count; ++i) found[i] = threads[i];
    return count;
  }
  bool AddressInThread(ClassId, Token field, uint64_t thread, uint64_t* address) override {
    ++questions;
    const auto found = addresses.find({thread, field});
    if (found == addresses.end()) return false;
    *address = found->second;
    return true;
  }
};

class FakeThreads final : public ThreadSource {
 public:
  std::vector<uint32_t> ids;
  const ManagedThreads* list = nullptr;
  std::vector<uint32_t> OsThreadIds() override { return ids; }
  const ManagedThreads* List() override { return list; }
};

}  // namespace cairn::collector::testing
