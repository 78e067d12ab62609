#pragma once
// Puts two calls around a method's body: one before it, one whenever it is left, with what kind of exception it is left
// by. Pure. May throw std::bad_alloc.
//
//     start = enter(key); exception = 0
//     try {
//       try { body; "ret" → result = …; exception = 0; leave END }
//       filter { exception = its object's type; go on looking }     the handler itself never runs
//     } finally { leave(key, start, exception) }
//     END: ret result
//
// A filter, not a handler, notes the exception: it does not change what other filters see, where an unhandled one is
// reported, or the stack in the exception. Without the tokens that it needs, a fault handler notes that there was one.
// A body with a "tail." call is refused: in a protected region it would be an ordinary one, and a method that recurses
// through it, as often as it likes, would run out of stack.

#include "collector/il/signature_shape.h"

namespace cairn::collector::il {

// Members of the framework, as tokens of the module that the method lies in.
struct TypeNaming {
  abi::mdToken object_get_type = 0;   // instance Type Object.GetType()
  abi::mdToken type_get_handle = 0;   // instance RuntimeTypeHandle Type.get_TypeHandle()
  abi::mdToken handle_get_value = 0;  // instance native int RuntimeTypeHandle.get_Value()
  abi::mdToken handle_type = 0;       // RuntimeTypeHandle: TypeDef or TypeRef
  bool IsKnown() const { return handle_type != 0; }
};

struct Wrapping {
  uint64_t key = 0;
  uint64_t enter_address = 0, leave_address = 0;
  abi::mdSignature enter_signature = 0, leave_signature = 0;  // StandAloneSig of kEnterSignature, kLeaveSignature
  TypeNaming naming;
};

// Unmanaged, C calling convention: int64 enter(int64 key), void leave(int64 key, int64 start, int64 exception). What
// enter answers is kept by the call and given to leave. The exception: 0 for none, kUnknownException for one whose
// type is not told, else the ClassID of its type.
inline constexpr uint8_t kEnterSignature[] = {0x01, 0x01, 0x0A, 0x0A};
inline constexpr uint8_t kLeaveSignature[] = {0x01, 0x03, 0x01, 0x0A, 0x0A, 0x0A};
inline constexpr uint64_t kUnknownException = 1;

// The locals that the wrapped body has; its token must be in `wrapped.locals` before the body is written.
// `method`: the method's own signature; `locals`: that of its locals, empty without any.
Fault WrappedLocals(Blob method, Blob locals, const TypeNaming& naming, std::vector<uint8_t>& signature);

Fault WrapBody(const MethodBody& body, Blob method, Blob locals, const Wrapping& wrapping, MethodBody& wrapped);

}  // namespace cairn::collector::il
