#include "collector/client/heap_meter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <thread>

#include "collector/client/nettrace_reader.h"

namespace cairn::client {
namespace {

using ::testing::ElementsAre;

// Writes an event stream the way a runtime does.
class StreamWriter {
 public:
  StreamWriter() {
    Text("Nettrace");
    Number<uint32_t>(20);
    Text("!FastSerialization.1");
    Begin("Trace");
    bytes.resize(bytes.size() + 48);
    bytes.push_back(6);
  }
  void Block(const std::string& type, const std::vector<uint8_t>& body, bool compressed) {
    Begin(type);
    Number(static_cast<uint32_t>(body.size() + 20));
    while (bytes.size() % 4 != 0) bytes.push_back(0);
    Number<uint16_t>(20);  // a header with two times
    Number<uint16_t>(compressed ? 1 : 0);
    bytes.resize(bytes.size() + 16);
    bytes.insert(bytes.end(), body.begin(), body.end());
    bytes.push_back(6);
  }
  std::vector<uint8_t> bytes;

 private:
  void Begin(const std::string& type) {
    bytes.insert(bytes.end(), {5, 5, 1});
    Number<uint32_t>(4);
    Number<uint32_t>(4);
    Number(static_cast<uint32_t>(type.size()));
    Text(type);
    bytes.push_back(6);
  }
  void Text(const std::string& text) { bytes.insert(bytes.end(), text.begin(), text.end()); }
  template <class T>
  void Number(T value) {
    const auto* from = reinterpret_cast<const uint8_t*>(&value);
    bytes.insert(bytes.end(), from, from + sizeof value);
  }
};

template <class T>
void Put(std::vector<uint8_t>& bytes, T value) {
  const auto* from = reinterpret_cast<const uint8_t*>(&value);
  bytes.insert(bytes.end(), from, from + sizeof value);
}

// Metadata `number` is event `id` of the provider "Ab".
std::vector<uint8_t> Metadata(uint32_t number, uint32_t id) {
  std::vector<uint8_t> payload;
  Put(payload, number);
  for (const char16_t unit : {u'A', u'b', u'\0'}) Put(payload, unit);
  Put(payload, id);
  Put(payload, uint16_t{0});  // no name
  return payload;
}

// One compressed event: all it may say about itself.
std::vector<uint8_t> Compressed(uint8_t metadata, const std::vector<uint8_t>& payload) {
  std::vector<uint8_t> blob = {1 | 2 | 4 | 8 | 16 | 32 | 128, metadata, 1, 0x80, 1, 2, 3, 4, 0xFF, 1};
  blob.resize(blob.size() + 32);
  blob.push_back(static_cast<uint8_t>(payload.size()));
  blob.insert(blob.end(), payload.begin(), payload.end());
  return blob;
}

std::vector<uint8_t> Plain(uint32_t metadata, const std::vector<uint8_t>& payload) {
  std::vector<uint8_t> blob;
  Put(blob, static_cast<uint32_t>(76 + payload.size()));
  Put(blob, metadata | 0x80000000);
  blob.resize(blob.size() + 68);
  Put(blob, static_cast<uint32_t>(payload.size()));
  blob.insert(blob.end(), payload.begin(), payload.end());
  while (blob.size() % 4 != 0) blob.push_back(0);
  return blob;
}

std::vector<uint8_t> Joined(std::initializer_list<std::vector<uint8_t>> parts) {
  std::vector<uint8_t> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

std::vector<uint8_t> SmallStream() {
  StreamWriter stream;
  stream.Block("MetadataBlock", Joined({Compressed(0, Metadata(1, 4)), Compressed(0, Metadata(2, 9))}), true);
  stream.Block("StackBlock", {1, 2, 3}, false);
  // the second says nothing of itself but its time: it is of the same kind and length
  stream.Block("EventBlock", Joined({Compressed(1, {7}), {0, 5, 8}, Compressed(2, {1, 2})}), true);
  stream.Block("EventBlock", Joined({Plain(1, {3, 3, 3}), Plain(5, {4}), Plain(2, {})}), false);
  stream.bytes.push_back(1);
  return stream.bytes;
}

struct Seen {
  std::vector<std::string> events;
  NettraceReader reader{[this](const RuntimeEvent& event) {
    std::string text = std::string(event.provider) + std::to_string(event.id) + ":";
    for (const uint8_t byte : event.payload) text += std::to_string(byte);
    events.push_back(text);
  }};
};

TEST(NettraceReader, ReadsBothFormsOfBlocks) {
  Seen seen;
  ASSERT_TRUE(seen.reader.Feed(SmallStream()));
  // metadata 5 was never told
  EXPECT_THAT(seen.events, ElementsAre("Ab4:7", "Ab4:8", "Ab9:12", "Ab4:333", "Ab9:"));
}

TEST(NettraceReader, ReadsByteByByte) {
  Seen seen;
  for (const uint8_t byte : SmallStream()) ASSERT_TRUE(seen.reader.Feed({&byte, 1}));
  EXPECT_EQ(seen.events.size(), 5u);
}

TEST(NettraceReader, RefusesWhatIsNoStream) {
  Seen other;
  const std::vector<uint8_t> text(64, 'x');
  const auto refused = other.reader.Feed(text);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, "stream.nettrace");
}

// Whatever byte is changed: never more than wrong events, and nothing is read past the end.
TEST(NettraceReader, SurvivesEveryChangedByte) {
  const std::vector<uint8_t> good = SmallStream();
  for (size_t at = 0; at < good.size(); ++at)
    for (const uint8_t other : {0x00, 0x7F, 0x80, 0xFF}) {
      std::vector<uint8_t> bad = good;
      bad[at] = other;
      Seen seen;
      (void)seen.reader.Feed(bad);
      EXPECT_LE(seen.events.size(), good.size());
    }
}

TEST(HeapBytes, SumsTheGenerations) {
  std::vector<uint8_t> payload;
  for (uint64_t size : {1, 10, 100, 1000}) {
    Put(payload, size);
    Put(payload, uint64_t{1} << 40);  // promoted: not counted
  }
  payload.resize(94, 0xEE);
  EXPECT_EQ(HeapBytesOf(payload), 1111u);
  Put(payload, uint64_t{10000});  // pinned objects, from version 2 on
  Put(payload, uint64_t{1} << 40);
  EXPECT_EQ(HeapBytesOf(payload), 11111u);
  EXPECT_EQ(HeapBytesOf(std::span(payload).first(93)), std::nullopt);
}

TEST(CollectTracing, IsAsTheRuntimeReadsIt) {
  const auto message = CollectTracingRequest(1, {"AB", 0x11, 4});
  // 20 header, 4 megabytes, 4 format, 1 no rundown, 4 one provider; 8 keywords, 4 level, 4+6 name, 4 no arguments
  ASSERT_EQ(message.size(), 59u);
  EXPECT_EQ(message[14], 59);
  EXPECT_EQ(message[16], 2);
  EXPECT_EQ(message[17], 3);
  const std::vector<uint8_t> wanted = {1, 0, 0, 0, 1, 0, 0, 0, 0, 1,   0, 0,   0, 0x11, 0, 0, 0, 0, 0, 0,
                                       0, 4, 0, 0, 0, 3, 0, 0, 0, 'A', 0, 'B', 0, 0,    0, 0, 0, 0, 0};
  EXPECT_EQ(std::vector<uint8_t>(message.begin() + 20, message.end()), wanted);
}

}  // namespace
}  // namespace cairn::client
