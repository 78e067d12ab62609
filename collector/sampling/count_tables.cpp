#include "collector/sampling/count_tables.h"

#include <pthread.h>

#include "collector/walk/pages.h"

namespace cairn::collector {

CountTables* CountTables::Make() {
  pthread_key_t key{};
  if (pthread_key_create(&key, OnThreadExit) != 0) return nullptr;
  auto* tables = new CountTables;
  tables->key_ = key;
  return tables;
}

CountTable* CountTables::Mine() {
  void* mine = pthread_getspecific(key_);
  return mine != nullptr ? static_cast<CountTable*>(mine) : Claim();
}

CountTable* CountTables::Claim() {
  for (auto& slot : tables_) {
    CountTable* table = slot.load(std::memory_order_acquire);
    if (table == nullptr) {
      CountTable* made = CountTable::Map();
      if (made == nullptr) return nullptr;
      // Another thread may have been faster; then its table is tried like any other.
      if (slot.compare_exchange_strong(table, made))
        table = made;
      else
        pages::Unmap(reinterpret_cast<uint8_t*>(made), sizeof(CountTable));
    }
    auto free = CountTable::State::kFree;
    if (!table->state.compare_exchange_strong(free, CountTable::State::kOwned)) continue;
    if (pthread_setspecific(key_, table) == 0) return table;
    table->state.store(CountTable::State::kFree);
    return nullptr;
  }
  return nullptr;
}

void CountTables::OnThreadExit(void* table) { static_cast<CountTable*>(table)->state.store(CountTable::State::kLeft); }

bool CountTables::ForEach(const std::function<bool(size_t, CountTable&, bool)>& read) {
  for (size_t i = 0; i < kMostThreads; ++i) {
    CountTable* table = tables_[i].load(std::memory_order_acquire);
    if (table == nullptr) return true;  // slots are filled in order
    const CountTable::State state = table->state.load();
    if (state == CountTable::State::kFree) continue;
    const bool has_ended = state == CountTable::State::kLeft;
    if (!read(i, *table, has_ended)) return false;
    if (!has_ended) continue;
    table->Clear();
    table->state.store(CountTable::State::kFree);
  }
  return true;
}

void CountTables::Clear() {
  for (auto& slot : tables_)
    if (CountTable* table = slot.load(std::memory_order_acquire)) table->Clear();
}

}  // namespace cairn::collector
