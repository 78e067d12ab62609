#pragma once
// Where rendered bytes go.

#include <string>
#include <string_view>

namespace cairn::presentation {

class ByteSink {
 public:
  virtual ~ByteSink() = default;
  // False: nothing more is wanted (the reader left, the disk is full); what follows is dropped.
  virtual bool Write(std::string_view bytes) = 0;
};

class StringSink : public ByteSink {
 public:
  bool Write(std::string_view bytes) override {
    text_.append(bytes);
    return true;
  }
  const std::string& Text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace cairn::presentation
