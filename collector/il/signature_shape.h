#pragma once
// What a call takes and returns, read from signatures of methods and of locals (ECMA-335, II.23.2). Pure; bounded.

#include <span>
#include <vector>

#include "collector/il/method_body.h"

namespace cairn::collector::il {

using Blob = std::span<const uint8_t>;

struct CallShape {
  uint32_t arguments = 0;  // "this" included
  bool has_this = false;   // one that the signature does not list
  bool returns = false;
  bool varargs = false;
  Blob return_type;  // without its modifiers; empty where nothing is returned
};

// A method's, a member reference's or a call site's.
bool ReadCallShape(Blob signature, CallShape& shape);

// How many locals a signature of locals lists. An empty one lists none.
bool CountLocals(Blob signature, uint32_t& count);

// The signature `before` (empty: no locals) with `types` behind what it lists.
bool ExtendLocals(Blob before, const std::vector<Blob>& types, std::vector<uint8_t>& after);

// A TypeDef or TypeRef as signatures name it.
void PutTypeToken(abi::mdToken token, std::vector<uint8_t>& signature);

// Where the verifier gets signatures from: a module's metadata.
class SignatureSource {
 public:
  // Of a MethodDef, MemberRef, MethodSpec (then of what it instantiates) or StandAloneSig. False: unknown.
  virtual bool SignatureOf(abi::mdToken token, Blob& signature) = 0;

 protected:
  ~SignatureSource() = default;
};

}  // namespace cairn::collector::il
