#include "collector/client/ipc_messages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/collector/client/fake_runtime.h"

namespace cairn::client {
namespace {

using testing::InfoPayload;
using testing::IpcMessage;

TEST(IpcMessages, AttachRequestByteForByte) {
  // {01020304-0506-0708-090A-0B0C0D0E0F10} as it lies in memory.
  const uint8_t clsid[] = {4, 3, 2, 1, 6, 5, 8, 7, 9, 10, 11, 12, 13, 14, 15, 16}, data[] = {0x41, 0x42};
  const auto request = AttachRequest(5000, clsid, "/p.so", data);
  ASSERT_TRUE(request);
  // 20 header + 4 time-out + 16 + (4 + 6 × 2) path + (4 + 2) data = 62.
  const std::vector<uint8_t> expected = {0x44, 0x4F, 0x54, 0x4E, 0x45, 0x54, 0x5F, 0x49, 0x50, 0x43, 0x5F, 0x56, 0x31,
                                         0x00, 0x3E, 0x00, 0x03, 0x01, 0x00, 0x00, 0x88, 0x13, 0x00, 0x00, 0x04, 0x03,
                                         0x02, 0x01, 0x06, 0x05, 0x08, 0x07, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F,
                                         0x10, 0x06, 0x00, 0x00, 0x00, 0x2F, 0x00, 0x70, 0x00, 0x2E, 0x00, 0x73, 0x00,
                                         0x6F, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x41, 0x42};
  EXPECT_EQ(*request, expected);
}

TEST(IpcMessages, PathsOfEveryScript) {
  const uint8_t clsid[16] = {};
  // é is one unit, € one, 😀 a pair; with "/" and the final 0: 6 units.
  const auto request = AttachRequest(1, clsid, "/\u00E9\u20AC\U0001F600", {});
  ASSERT_TRUE(request);
  const std::vector<uint8_t> path(request->begin() + 40, request->end() - 4);
  const std::vector<uint8_t> expected = {6, 0, 0, 0, 0x2F, 0, 0xE9, 0, 0xAC, 0x20, 0x3D, 0xD8, 0x00, 0xDE, 0, 0};
  EXPECT_EQ(path, expected);
}

TEST(IpcMessages, TooLongForOneMessage) {
  const uint8_t clsid[16] = {};
  const auto request = AttachRequest(1, clsid, std::string(40000, 'a'), {});
  ASSERT_FALSE(request);
  EXPECT_EQ(request.error().code, "ipc.too_large");
}

TEST(IpcMessages, AnswersAreChecked) {
  auto bad = [](std::vector<uint8_t> message) {
    const auto answer = ParseAnswer(message);
    return answer ? std::string("accepted") : answer.error().code;
  };
  auto message = IpcMessage(0xFF, 0x00, {1, 2, 3, 4});
  EXPECT_EQ(bad(message), "accepted");
  message[0] = 'X';
  EXPECT_EQ(bad(message), "ipc.bad_answer");
  EXPECT_EQ(bad(IpcMessage(0x04, 0x00, {})), "ipc.bad_answer");   // a request
  EXPECT_EQ(bad(IpcMessage(0xFF, 0x07, {})), "ipc.bad_answer");   // neither OK nor error
  EXPECT_EQ(bad(IpcMessage(0xFF, 0xFF, {1})), "ipc.bad_answer");  // an error without its number
  auto cut = IpcMessage(0xFF, 0x00, {1, 2, 3, 4});
  cut.pop_back();
  EXPECT_EQ(bad(cut), "ipc.bad_answer");
  EXPECT_EQ(bad({1, 2, 3}), "ipc.bad_answer");
  auto tiny = IpcMessage(0xFF, 0x00, {});
  tiny[14] = 19;  // less than the header
  EXPECT_EQ(bad(tiny), "ipc.bad_answer");
}

TEST(IpcMessages, ErrorAnswerCarriesItsNumber) {
  const auto answer = ParseAnswer(IpcMessage(0xFF, 0xFF, {0x79, 0x13, 0x13, 0x80}));
  ASSERT_TRUE(answer);
  EXPECT_FALSE(answer->ok);
  EXPECT_EQ(answer->hresult, 0x80131379u);
}

TEST(IpcMessages, ProcessInfoOfEveryVersion) {
  const auto third = ParseProcessInfo(ProcessInfoVersion::k3, InfoPayload(3));
  ASSERT_TRUE(third);
  EXPECT_EQ(third->pid, 7u);
  EXPECT_EQ(third->command_line, "dotnet /app/shop.dll");
  EXPECT_EQ(third->architecture, "x64");
  EXPECT_EQ(third->entry_assembly, "shop");
  EXPECT_EQ(third->version, "10.0.12");  // without the commit
  EXPECT_EQ(third->rid, "linux-x64");
  const auto second = ParseProcessInfo(ProcessInfoVersion::k2, InfoPayload(2));
  ASSERT_TRUE(second);
  EXPECT_EQ(second->version, "10.0.12");
  const auto first = ParseProcessInfo(ProcessInfoVersion::k1, InfoPayload(1));
  ASSERT_TRUE(first);
  EXPECT_EQ(first->os, "Linux");
  EXPECT_EQ(first->version, "");
}

TEST(IpcMessages, ProcessInfoCutAnywhereIsRefused) {
  const auto whole = InfoPayload(3);
  for (size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(ParseProcessInfo(ProcessInfoVersion::k3, std::span(whole).first(size))) << size;
}

TEST(IpcMessages, AStringThatClaimsTooMuchIsRefused) {
  auto payload = InfoPayload(1);
  payload[24] = 0xFF;  // count of the command line: behind pid and cookie
  payload[27] = 0xFF;
  EXPECT_FALSE(ParseProcessInfo(ProcessInfoVersion::k1, payload));
}

}  // namespace
}  // namespace cairn::client
