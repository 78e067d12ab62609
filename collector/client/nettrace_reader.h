#pragma once
// Reads the event stream that a runtime sends over its diagnostics socket ("nettrace", version 4), as it comes:
// blocks of events, and the metadata that tells which event is which. Stacks are passed over.
// Thread rule: one thread. Sizes in the stream are checked; a stream that is none ends with stream.nettrace.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "snapshot-format/file/result.h"

namespace cairn::client {

struct RuntimeEvent {
  std::string_view provider;
  uint32_t id = 0;
  std::span<const uint8_t> payload;
};

class NettraceReader {
 public:
  explicit NettraceReader(std::function<void(const RuntimeEvent&)> on_event) : on_event_(std::move(on_event)) {}

  // The next bytes of the stream; calls on_event for each event that they complete.
  Status Feed(std::span<const uint8_t> bytes);

 private:
  enum class Step { kDone, kWantsMore, kBad };
  struct Kind {
    std::string provider;
    uint32_t id = 0;
  };

  Step ReadOne();
  Step ReadStart();
  Step ReadObject();
  bool ReadBlock(const std::string& type, std::span<const uint8_t> block);
  bool TakeEvent(bool of_metadata, uint32_t metadata, std::span<const uint8_t> payload);
  bool TakeMetadata(std::span<const uint8_t> payload);
  void Consume(size_t bytes);

  std::function<void(const RuntimeEvent&)> on_event_;
  std::vector<uint8_t> pending_;
  uint64_t position_ = 0;  // of pending_ in the stream: blocks are aligned in it
  bool started_ = false, ended_ = false;
  std::unordered_map<uint32_t, Kind> kinds_;  // by metadata id
};

}  // namespace cairn::client
