#pragma once
// Reads well-formed XML as far as reports use it: elements, attributes, text, entities of five names. Throws at the
// first thing that is not.

#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::presentation::testing {

struct XmlElement {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::vector<XmlElement> children;
  std::string text;  // of the element itself

  std::vector<const XmlElement*> Named(std::string_view wanted) const {
    std::vector<const XmlElement*> found;
    if (name == wanted) found.push_back(this);
    for (const XmlElement& child : children)
      for (const XmlElement* inner : child.Named(wanted)) found.push_back(inner);
    return found;
  }
};

class XmlReader {
 public:
  static XmlElement Read(std::string_view text) {
    XmlReader reader(text);
    reader.SkipTo('<');
    while (reader.Starts("<?") || reader.Starts("<!DOCTYPE")) reader.SkipPast(">");
    reader.SkipTo('<');
    XmlElement root = reader.Element();
    reader.SkipTo('\0');
    return root;
  }

 private:
  explicit XmlReader(std::string_view text) : text_(text) {}

  bool Starts(std::string_view with) const { return text_.substr(at_).starts_with(with); }
  char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  [[noreturn]] void Wrong(const std::string& what) const {
    throw std::runtime_error(what + " at " + std::to_string(at_) + ": " + std::string(text_.substr(at_, 40)));
  }
  void Expect(std::string_view what) {
    if (!Starts(what)) Wrong("expected " + std::string(what));
    at_ += what.size();
  }
  // Only space may be before it.
  void SkipTo(char c) {
    while (Peek() != c) {
      if (std::string_view(" \n\t").find(Peek()) == std::string_view::npos || Peek() == '\0') Wrong("unexpected");
      ++at_;
    }
  }
  void SkipPast(std::string_view end) {
    const size_t found = text_.find(end, at_);
    if (found == std::string_view::npos) Wrong("no end");
    at_ = found + end.size();
    while (Peek() == '\n') ++at_;
  }
  std::string Name() {
    const size_t begin = at_;
    while (std::isalnum(static_cast<unsigned char>(Peek())) || Peek() == '-' || Peek() == ':' || Peek() == '_') ++at_;
    if (begin == at_) Wrong("no name");
    return std::string(text_.substr(begin, at_ - begin));
  }
  std::string TextUntil(char end) {
    std::string out;
    while (Peek() != end) {
      const auto c = static_cast<unsigned char>(Peek());
      if (at_ >= text_.size() || c == '<' || (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f) Wrong("bad character");
      out += c == '&' ? Entity() : text_[at_++];
    }
    return out;
  }
  char Entity() {
    constexpr std::pair<std::string_view, char> kEntities[] = {
        {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
    for (const auto& [name, c] : kEntities)
      if (Starts(name)) {
        at_ += name.size();
        return c;
      }
    Wrong("bad entity");
  }
  XmlElement Element() {
    XmlElement element;
    Expect("<");
    element.name = Name();
    while (Peek() == ' ') {
      ++at_;
      const std::string name = Name();
      Expect("=\"");
      if (!element.attributes.emplace(name, TextUntil('"')).second) Wrong("twice " + name);
      Expect("\"");
    }
    if (Starts("/>")) {
      at_ += 2;
      return element;
    }
    Expect(">");
    Content(element);
    return element;
  }
  void Content(XmlElement& element) {
    while (true) {
      element.text += TextUntil('<');
      if (Starts("</")) break;
      element.children.push_back(Element());
    }
    Expect("</");
    if (Name() != element.name) Wrong("not the end of " + element.name);
    Expect(">");
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace cairn::presentation::testing
