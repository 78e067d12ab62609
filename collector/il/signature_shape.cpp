#include "collector/il/signature_shape.h"

#include "collector/abi/element_types.h"
#include "collector/il/byte_source.h"

namespace cairn::collector::il {

namespace {

using abi::ElementType;

constexpr int kMaxDepth = 64;
constexpr uint32_t kMaxParameters = 0xFFFF;

bool SkipType(ByteSource& source, int depth);

bool SkipTypes(ByteSource& source, uint32_t count, int depth) {
  for (uint32_t i = 0; i < count; ++i) {
    if (!SkipType(source, depth)) return false;
  }
  return true;
}

bool SkipArrayShape(ByteSource& source) {
  source.Compressed();  // rank
  for (int list = 0; list < 2; ++list) {
    const uint32_t count = source.Compressed();
    for (uint32_t i = 0; i < count && source.Ok(); ++i) source.Compressed();
  }
  return source.Ok();
}

bool SkipMethod(ByteSource& source, int depth) {
  const uint8_t convention = source.U8();
  if ((convention & abi::kSignatureGeneric) != 0) source.Compressed();
  const uint32_t count = source.Compressed();
  return count <= kMaxParameters && SkipTypes(source, count + 1, depth);
}

bool SkipType(ByteSource& source, int depth) {
  if (depth > kMaxDepth) return false;
  const uint8_t element = source.U8();
  switch (static_cast<ElementType>(element)) {
    case ElementType::kPointer:
    case ElementType::kByRef:
    case ElementType::kSzArray:
    case ElementType::kPinned:
    case ElementType::kSentinel:
      return SkipType(source, depth + 1);
    case ElementType::kModifierRequired:
    case ElementType::kModifierOptional:
      source.Compressed();
      return SkipType(source, depth + 1);
    case ElementType::kValueType:
    case ElementType::kClass:
    case ElementType::kVar:
    case ElementType::kMVar:
      source.Compressed();
      return source.Ok();
    case ElementType::kArray:
      return SkipType(source, depth + 1) && SkipArrayShape(source);
    case ElementType::kGenericInst: {
      if (!SkipType(source, depth + 1)) return false;
      const uint32_t count = source.Compressed();
      return count <= kMaxParameters && SkipTypes(source, count, depth + 1);
    }
    case ElementType::kFnPtr:
      return SkipMethod(source, depth + 1);
    default:
      return source.Ok() && element >= 0x01 && element <= 0x1C && element != 0x17 && element != 0x1A;
  }
}

bool IsModifier(uint8_t element) {
  return element == static_cast<uint8_t>(ElementType::kModifierRequired) ||
         element == static_cast<uint8_t>(ElementType::kModifierOptional);
}

// The type at the front of `blob`, without its modifiers; what lies behind it stays in `blob`.
bool TakeType(Blob& blob, Blob& type) {
  while (!blob.empty() && IsModifier(blob.front())) {
    ByteSource modifier(blob.subspan(1));
    modifier.Compressed();
    if (!modifier.Ok()) return false;
    blob = blob.subspan(1 + modifier.Position());
  }
  ByteSource source(blob);
  if (!SkipType(source, 0)) return false;
  type = blob.first(source.Position());
  blob = blob.subspan(source.Position());
  return true;
}

void PutCompressed(uint32_t value, std::vector<uint8_t>& out) {
  if (value >= 0x4000) {
    out.push_back(static_cast<uint8_t>(0xC0 | value >> 24));
    out.push_back(static_cast<uint8_t>(value >> 16));
  }
  if (value >= 0x80) out.push_back(static_cast<uint8_t>((value >= 0x4000 ? 0 : 0x80) | value >> 8));
  out.push_back(static_cast<uint8_t>(value));
}

}  // namespace

bool ReadCallShape(Blob signature, CallShape& shape) {
  shape = CallShape{};
  ByteSource source(signature);
  const uint8_t convention = source.U8();
  const uint8_t kind = convention & abi::kSignatureKindMask;
  if (kind > abi::kSignatureVarArg && kind != abi::kSignatureUnmanaged) return false;
  shape.varargs = kind == abi::kSignatureVarArg;
  shape.has_this = (convention & abi::kSignatureHasThis) != 0 && (convention & abi::kSignatureExplicitThis) == 0;
  if ((convention & abi::kSignatureGeneric) != 0) source.Compressed();
  const uint32_t count = source.Compressed();
  if (!source.Ok() || count > kMaxParameters) return false;
  Blob rest = signature.subspan(source.Position());
  Blob type;
  if (!TakeType(rest, type)) return false;
  shape.returns = type.front() != static_cast<uint8_t>(ElementType::kVoid);
  if (shape.returns) shape.return_type = type;
  shape.arguments = count + (shape.has_this ? 1 : 0);
  ByteSource parameters(rest);
  return SkipTypes(parameters, count, 0);
}

bool CountLocals(Blob signature, uint32_t& count) {
  count = 0;
  if (signature.empty()) return true;
  ByteSource source(signature);
  if (source.U8() != abi::kSignatureLocals) return false;
  count = source.Compressed();
  return source.Ok() && count <= kMaxParameters;
}

bool ExtendLocals(Blob before, const std::vector<Blob>& types, std::vector<uint8_t>& after) {
  uint32_t count = 0;
  if (!CountLocals(before, count)) return false;
  after.assign(1, abi::kSignatureLocals);
  PutCompressed(static_cast<uint32_t>(count + types.size()), after);
  if (!before.empty()) {
    ByteSource head(before.subspan(1));
    head.Compressed();
    const Blob old = before.subspan(1 + head.Position());
    after.insert(after.end(), old.begin(), old.end());
  }
  for (const Blob& type : types) after.insert(after.end(), type.begin(), type.end());
  return true;
}

// The table is in the low bits.
void PutTypeToken(abi::mdToken token, std::vector<uint8_t>& signature) {
  const bool reference = token >> 24 == 0x01;
  PutCompressed((token & 0xFFFFFF) << 2 | (reference ? abi::kCodedTypeRef : abi::kCodedTypeDef), signature);
}

}  // namespace cairn::collector::il
