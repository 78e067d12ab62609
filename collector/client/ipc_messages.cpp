#include "collector/client/ipc_messages.h"

#include <cstring>

#include "collector/client/byte_cursor.h"

namespace cairn::client {
namespace {

constexpr char kMagic[14] = "DOTNET_IPC_V1";
constexpr uint8_t kProfilerSet = 0x03, kAttachProfiler = 0x01;
constexpr uint8_t kEventPipeSet = 0x02, kCollectTracing2 = 0x03;
constexpr uint8_t kProcessSet = 0x04;
constexpr uint8_t kServerSet = 0xFF, kServerOk = 0x00, kServerError = 0xFF;

// UTF-8 to UTF-16; bytes that are no UTF-8 become U+FFFD.
std::u16string Utf16(const std::string& text) {
  std::u16string units;
  for (size_t i = 0; i < text.size();) {
    const auto lead = static_cast<uint8_t>(text[i++]);
    const int more = lead < 0x80 ? 0 : lead >> 5 == 6 ? 1 : lead >> 4 == 14 ? 2 : lead >> 3 == 30 ? 3 : -1;
    uint32_t point = more < 0 ? 0xFFFD : more == 0 ? lead : lead & (0x3F >> more);
    for (int k = 0; k < more; ++k) {
      if (i >= text.size() || (static_cast<uint8_t>(text[i]) & 0xC0) != 0x80) {
        point = 0xFFFD;
        break;
      }
      point = point << 6 | (static_cast<uint8_t>(text[i++]) & 0x3F);
    }
    if (point >= 0x10000) {
      units += static_cast<char16_t>(0xD800 + ((point - 0x10000) >> 10));
      units += static_cast<char16_t>(0xDC00 + ((point - 0x10000) & 0x3FF));
    } else {
      units += static_cast<char16_t>(point);
    }
  }
  return units;
}

void AppendUtf8(std::string& text, uint32_t point) {
  if (point < 0x80) {
    text += static_cast<char>(point);
    return;
  }
  const int more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
  text += static_cast<char>((0xF00 >> more & 0xFF) | point >> (6 * more));
  for (int k = more - 1; k >= 0; --k) text += static_cast<char>(0x80 | (point >> (6 * k) & 0x3F));
}

std::string Utf8(const std::u16string& units) {
  std::string text;
  for (size_t i = 0; i < units.size(); ++i) {
    const uint32_t unit = units[i];
    const bool pair = unit >> 10 == 0x36 && i + 1 < units.size() && units[i + 1] >> 10 == 0x37;
    if (pair)
      AppendUtf8(text, 0x10000 + ((unit & 0x3FF) << 10 | (units[++i] & 0x3FF)));
    else
      AppendUtf8(text, unit >> 11 == 0x1B ? 0xFFFD : unit);
  }
  return text;
}

class Payload {
 public:
  template <class T>
  void Number(T value) {
    Bytes({reinterpret_cast<const uint8_t*>(&value), sizeof value});
  }
  void Bytes(std::span<const uint8_t> bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
  void Text(const std::string& text) {
    const std::u16string units = Utf16(text);
    Number(static_cast<uint32_t>(units.size() + 1));
    for (const char16_t unit : units) Number(static_cast<uint16_t>(unit));
    Number(uint16_t{0});
  }
  const std::vector<uint8_t>& Get() const { return bytes_; }

 private:
  std::vector<uint8_t> bytes_;
};

std::vector<uint8_t> Message(uint8_t set, uint8_t command, std::span<const uint8_t> payload) {
  Payload message;
  message.Bytes({reinterpret_cast<const uint8_t*>(kMagic), sizeof kMagic});
  message.Number(static_cast<uint16_t>(kIpcHeaderBytes + payload.size()));
  message.Number(set);
  message.Number(command);
  message.Number(uint16_t{0});
  message.Bytes(payload);
  return message.Get();
}

class Cursor : public ByteCursor {
 public:
  using ByteCursor::ByteCursor;

  std::string Text() {
    const uint32_t count = Number<uint32_t>();
    ByteCursor text(Bytes(uint64_t{count} * 2));
    std::u16string units;
    while (!text.AtEnd()) units += static_cast<char16_t>(text.Number<uint16_t>());
    if (!units.empty()) units.pop_back();  // the final 0 is counted
    return Utf8(units);
  }
};

tl::unexpected<Error> BadAnswer(const std::string& what) {
  return Fail(ErrorKind::kFailed, "ipc.bad_answer", "The process answered what no .NET runtime answers: " + what + ".",
              "Is another program listening on its diagnostics socket?");
}

}  // namespace

std::vector<uint8_t> ProcessInfoRequest(ProcessInfoVersion version) {
  return Message(kProcessSet, static_cast<uint8_t>(version), {});
}

Result<std::vector<uint8_t>> AttachRequest(uint32_t timeout_ms, std::span<const uint8_t> clsid,
                                           const std::string& library, std::span<const uint8_t> client_data) {
  Payload payload;
  payload.Number(timeout_ms);
  payload.Bytes(clsid);
  payload.Text(library);
  payload.Number(static_cast<uint32_t>(client_data.size()));
  payload.Bytes(client_data);
  if (kIpcHeaderBytes + payload.Get().size() > kMaxIpcMessage)
    return Fail(ErrorKind::kFailed, "ipc.too_large", "The library's path is too long for an attach request.",
                "Set TMPDIR of the target to a shorter folder.");
  return Message(kProfilerSet, kAttachProfiler, payload.Get());
}

std::vector<uint8_t> CollectTracingRequest(uint32_t buffer_megabytes, const EventProvider& provider) {
  constexpr uint32_t kNettrace = 1, kProviders = 1, kNoArguments = 0;
  Payload payload;
  payload.Number(buffer_megabytes);
  payload.Number(kNettrace);
  payload.Number(uint8_t{0});  // no rundown
  payload.Number(kProviders);
  payload.Number(provider.keywords);
  payload.Number(provider.level);
  payload.Text(provider.name);
  payload.Number(kNoArguments);
  return Message(kEventPipeSet, kCollectTracing2, payload.Get());
}

Result<size_t> AnswerSize(std::span<const uint8_t> header) {
  if (header.size() < kIpcHeaderBytes || std::memcmp(header.data(), kMagic, sizeof kMagic) != 0)
    return BadAnswer("the header's magic is wrong");
  if (header[16] != kServerSet) return BadAnswer("the command set is not that of answers");
  const size_t size = header[14] | header[15] << 8;
  if (size < kIpcHeaderBytes) return BadAnswer("the size is smaller than the header");
  return size;
}

Result<IpcAnswer> ParseAnswer(std::span<const uint8_t> message) {
  const auto size = AnswerSize(message);
  if (!size) return tl::make_unexpected(size.error());
  if (*size != message.size()) return BadAnswer("its size is not what the header says");
  if (message[17] != kServerOk && message[17] != kServerError) return BadAnswer("it is neither OK nor an error");
  IpcAnswer answer;
  answer.ok = message[17] == kServerOk;
  answer.payload.assign(message.begin() + kIpcHeaderBytes, message.end());
  if (answer.payload.size() == 4) answer.hresult = Cursor(answer.payload).Number<uint32_t>();
  if (!answer.ok && answer.payload.size() < 4) return BadAnswer("an error without a number");
  if (!answer.ok) answer.hresult = Cursor(answer.payload).Number<uint32_t>();
  return answer;
}

Result<RuntimeInfo> ParseProcessInfo(ProcessInfoVersion version, std::span<const uint8_t> payload) {
  Cursor in(payload);
  RuntimeInfo info;
  uint32_t layout = 0;
  if (version == ProcessInfoVersion::k3) layout = in.Number<uint32_t>();
  info.pid = in.Number<uint64_t>();
  in.Skip(16);  // the runtime's cookie
  info.command_line = in.Text();
  info.os = in.Text();
  info.architecture = in.Text();
  if (version != ProcessInfoVersion::k1) {
    info.entry_assembly = in.Text();
    info.version = in.Text();
    // "10.0.12+commit" or "10.0.12 @Commit: …": the number is what is wanted.
    info.version.resize(std::min(info.version.find_first_of("+ "), info.version.size()));
  }
  if (layout >= 1) info.rid = in.Text();
  if (!in.Ok()) return BadAnswer("its process information is cut");
  return info;
}

}  // namespace cairn::client
