#include "collector/types/signature_reader.h"

#include "collector/abi/metadata_constants.h"
#include "collector/types/element_type.h"

namespace cairn::collector {
namespace {

constexpr unsigned kMaxDepth = 64;
constexpr uint32_t kMaxRank = 32;

class Reader {
 public:
  explicit Reader(Signature bytes) : bytes_(bytes) {}

  bool Byte(uint8_t* value) {
    if (at_ >= bytes_.size()) return false;
    *value = bytes_[at_++];
    return true;
  }
  bool Peek(uint8_t* value) const {
    if (at_ >= bytes_.size()) return false;
    *value = bytes_[at_];
    return true;
  }
  bool Number(uint32_t* value);
  bool TypeToken(Token* token);
  bool Type(SignatureType* type, unsigned depth);

 private:
  bool SkipModifiers();
  bool Child(SignatureType* type, unsigned depth);
  bool Array(SignatureType* type, unsigned depth);
  bool GenericInstance(SignatureType* type, unsigned depth);
  bool SkipMethod(unsigned depth);

  Signature bytes_;
  size_t at_ = 0;
};

// One, two or four bytes, told by the leading bits.
bool Reader::Number(uint32_t* value) {
  uint8_t first = 0;
  if (!Byte(&first)) return false;
  if ((first & 0x80) == 0) {
    *value = first;
    return true;
  }
  const unsigned more = (first & 0x40) == 0 ? 1 : 3;
  if (more == 3 && (first & 0x20) != 0) return false;
  *value = first & (more == 1 ? 0x3F : 0x1F);
  for (unsigned i = 0; i < more; ++i) {
    uint8_t next = 0;
    if (!Byte(&next)) return false;
    *value = *value << 8 | next;
  }
  return true;
}

bool Reader::TypeToken(Token* token) {
  constexpr Token kTables[] = {abi::kTokenTypeDef, abi::kTokenTypeRef, abi::kTokenTypeSpec};  // by coded kind
  uint32_t coded = 0;
  if (!Number(&coded) || (coded & 3) == 3) return false;
  *token = kTables[coded & 3] | coded >> 2;
  return true;
}

bool Reader::SkipModifiers() {
  uint8_t next = 0;
  while (Peek(&next) && (next == element::kModReqd || next == element::kModOpt)) {
    Token ignored = 0;
    ++at_;
    if (!TypeToken(&ignored)) return false;
  }
  return true;
}

bool Reader::Child(SignatureType* type, unsigned depth) { return Type(&type->children.emplace_back(), depth + 1); }

// Type rank count sizes… count lower-bounds…
bool Reader::Array(SignatureType* type, unsigned depth) {
  if (!Child(type, depth) || !Number(&type->number) || type->number == 0 || type->number > kMaxRank) return false;
  for (unsigned list = 0; list < 2; ++list) {
    uint32_t count = 0;
    if (!Number(&count) || count > type->number) return false;
    for (uint32_t i = 0, ignored = 0; i < count; ++i) {
      if (!Number(&ignored)) return false;
    }
  }
  return true;
}

bool Reader::GenericInstance(SignatureType* type, unsigned depth) {
  uint32_t count = 0;
  if (!Byte(&type->element) || (type->element != element::kClass && type->element != element::kValueType)) return false;
  if (!TypeToken(&type->token) || !Number(&count) || count > bytes_.size()) return false;
  for (uint32_t i = 0; i < count; ++i) {
    if (!Child(type, depth)) return false;
  }
  return true;
}

// The signature behind a function pointer: only its length matters.
bool Reader::SkipMethod(unsigned depth) {
  uint8_t convention = 0;
  uint32_t ignored = 0, parameters = 0;
  if (!Byte(&convention)) return false;
  if ((convention & abi::kSignatureGeneric) != 0 && !Number(&ignored)) return false;
  if (!Number(&parameters) || parameters > bytes_.size()) return false;
  for (uint32_t i = 0; i <= parameters; ++i) {
    SignatureType skipped;
    if (!Type(&skipped, depth + 1)) return false;
  }
  return true;
}

bool Reader::Type(SignatureType* type, unsigned depth) {
  if (depth > kMaxDepth || !SkipModifiers() || !Byte(&type->element)) return false;
  switch (type->element) {
    case element::kClass:
    case element::kValueType:
      return TypeToken(&type->token);
    case element::kVar:
    case element::kMVar:
      return Number(&type->number);
    case element::kPtr:
    case element::kByRef:
    case element::kSzArray:
      return Child(type, depth);
    case element::kArray:
      return Array(type, depth);
    case element::kGenericInst:
      return GenericInstance(type, depth);
    case element::kFnPtr:
      return SkipMethod(depth);
    default:
      return !element::WellKnownName(type->element).empty();
  }
}

}  // namespace

bool ReadFieldSignature(Signature signature, SignatureType* type) {
  Reader reader(signature);
  uint8_t convention = 0;
  return reader.Byte(&convention) && (convention & abi::kSignatureKindMask) == abi::kSignatureField &&
         reader.Type(type, 0);
}

bool ReadTypeSignature(Signature signature, SignatureType* type) { return Reader(signature).Type(type, 0); }

}  // namespace cairn::collector
