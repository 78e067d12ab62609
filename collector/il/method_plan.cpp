#include "collector/il/method_plan.h"

#include <algorithm>

#include "collector/il/body_reader.h"
#include "collector/il/checked_writer.h"

namespace cairn::collector::il {

namespace {

// Tokens that no metadata has, for a body that is only tried.
constexpr abi::mdSignature kTriedEnter = 0x11FFFFF0, kTriedLeave = 0x11FFFFF1, kTriedLocals = 0x11FFFFF2;

class TriedSignatures final : public SignatureSource {
 public:
  explicit TriedSignatures(ModuleSignatures& module) : module_(module) {}
  bool SignatureOf(abi::mdToken token, Blob& signature) override {
    if (token == kTriedEnter) return Give(kEnterSignature, signature);
    if (token == kTriedLeave) return Give(kLeaveSignature, signature);
    return module_.SignatureOf(token, signature);
  }

 private:
  static bool Give(Blob known, Blob& signature) {
    signature = known;
    return true;
  }
  ModuleSignatures& module_;
};

std::string SentenceOf(Fault fault) { return std::string("Its body ") + WordsOf(fault) + "."; }

Fault ShapeOf(Blob signature, Blob locals, MethodShape& shape) {
  CallShape call;
  if (!ReadCallShape(signature, call) || !CountLocals(locals, shape.locals)) return Fault::kBadSignature;
  shape.arguments = call.arguments;
  shape.returns = call.returns;
  return Fault::kNone;
}

}  // namespace

void MethodPlan::Choose(const std::vector<std::string>& patterns, size_t most) {
  methods_.clear();
  for (FoundMethod& found : finder_.Find(patterns, most)) {
    PlannedMethod planned;
    planned.method = std::move(found);
    if (planned.method.why_not != nullptr) {
      planned.not_traced = planned.method.why_not;
    } else if (const Fault fault = Try(planned.method); fault != Fault::kNone) {
      planned.not_traced = SentenceOf(fault);
    }
    methods_.push_back(std::move(planned));
  }
}

size_t MethodPlan::TracedCount() const {
  return static_cast<size_t>(std::ranges::count_if(methods_, [](const auto& one) { return one.not_traced.empty(); }));
}

Fault MethodPlan::Read(ModuleSignatures& signatures, const FoundMethod& method, Original& original) const {
  const uint8_t* bytes = nullptr;
  uint32_t size = 0;
  if (abi::Failed(info_->GetILFunctionBody(method.module, method.token, &bytes, &size)) || bytes == nullptr) {
    return Fault::kTruncated;
  }
  const Fault fault = ReadBody({bytes, size}, original.body);
  if (fault != Fault::kNone) return fault;
  Blob signature, locals;
  if (!signatures.SignatureOf(method.token, signature)) return Fault::kBadSignature;
  if (original.body.locals != 0 && !signatures.SignatureOf(original.body.locals, locals)) return Fault::kBadSignature;
  original.signature.assign(signature.begin(), signature.end());
  original.locals.assign(locals.begin(), locals.end());
  // What a compiler wrote and this room does not understand is not rewritten.
  MethodShape shape;
  const Fault shaped = ShapeOf(original.signature, original.locals, shape);
  return shaped != Fault::kNone ? shaped : VerifyBody(original.body, shape, signatures);
}

Fault MethodPlan::Try(const FoundMethod& method) {
  ModuleSignatures signatures;
  if (!signatures.Open(*info_, method.module)) return Fault::kBadSignature;
  Original original;
  Fault fault = Read(signatures, method, original);
  if (fault != Fault::kNone) return fault;
  Wrapping wrapping;
  wrapping.enter_signature = kTriedEnter;
  wrapping.leave_signature = kTriedLeave;
  std::vector<uint8_t> locals, bytes;
  MethodBody wrapped;
  wrapped.locals = kTriedLocals;
  MethodShape shape;
  fault = WrappedLocals(original.signature, original.locals, wrapping.naming, locals);
  if (fault == Fault::kNone) fault = WrapBody(original.body, original.signature, original.locals, wrapping, wrapped);
  if (fault == Fault::kNone) fault = ShapeOf(original.signature, locals, shape);
  TriedSignatures tried(signatures);
  return fault != Fault::kNone ? fault : WriteChecked(wrapped, shape, tried, bytes);
}

void MethodPlan::Write(uint64_t first_key, uint64_t enter_address, uint64_t leave_address) {
  const abi::ModuleID core = finder_.CoreLibrary();
  std::unique_ptr<ModuleEditor> editor;
  abi::ModuleID edited = 0;
  Wrapping wrapping;
  for (size_t i = 0; i < methods_.size(); ++i) {
    PlannedMethod& planned = methods_[i];
    if (!planned.not_traced.empty()) continue;
    if (editor == nullptr || edited != planned.method.module) {
      editor = std::make_unique<ModuleEditor>();
      edited = planned.method.module;
      wrapping = {};
      if (!editor->Open(*info_, edited, core) || !editor->Prepare(wrapping)) wrapping.enter_signature = 0;
    }
    wrapping.key = first_key + i;
    wrapping.enter_address = enter_address;
    wrapping.leave_address = leave_address;
    const Fault fault = wrapping.enter_signature == 0 ? Fault::kBadToken : WriteOne(*editor, wrapping, planned);
    if (fault != Fault::kNone) planned.not_traced = SentenceOf(fault);
    if (fault == Fault::kNone) index_[{edited, planned.method.token}] = i;
  }
}

Fault MethodPlan::WriteOne(ModuleEditor& editor, const Wrapping& wrapping, PlannedMethod& planned) {
  Original original;
  Fault fault = Read(editor.Signatures(), planned.method, original);
  if (fault != Fault::kNone) return fault;
  std::vector<uint8_t> locals;
  MethodBody wrapped;
  MethodShape shape;
  fault = WrappedLocals(original.signature, original.locals, wrapping.naming, locals);
  if (fault == Fault::kNone && !editor.TokenOf(locals, wrapped.locals)) return Fault::kBadToken;
  if (fault == Fault::kNone) fault = WrapBody(original.body, original.signature, original.locals, wrapping, wrapped);
  if (fault == Fault::kNone) fault = ShapeOf(original.signature, locals, shape);
  return fault != Fault::kNone ? fault : WriteChecked(wrapped, shape, editor.Signatures(), planned.bytes);
}

const std::vector<uint8_t>* MethodPlan::BytesOf(abi::ModuleID module, abi::mdMethodDef method) const {
  const auto found = index_.find({module, method});
  return found == index_.end() ? nullptr : &methods_[found->second].bytes;
}

}  // namespace cairn::collector::il
