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
  Take(finder_.Find(patterns, most));
}

size_t MethodPlan::Add(abi::ModuleID module, const std::vector<std::string>& patterns, size_t most) {
  const size_t first = methods_.size();
  Take(finder_.FindIn(module, patterns, most));
  for (size_t i = first; i < methods_.size(); ++i) {
    if (methods_[i].not_traced.empty()) index_[{module, methods_[i].method.token}] = i;
  }
  return first;
}

void MethodPlan::Take(std::vector<FoundMethod> found) {
  for (FoundMethod& one : found) {
    PlannedMethod planned;
    planned.method = std::move(one);
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

void MethodPlan::Write(const CallTarget& target) {
  std::unique_ptr<Edit> edit;
  for (size_t i = 0; i < methods_.size(); ++i) {
    PlannedMethod& planned = methods_[i];
    if (!planned.not_traced.empty()) continue;
    const abi::ModuleID module = planned.method.module;
    if (edit == nullptr || edit->module != module) edit = Open(module, target);
    const Fault fault = WriteIn(*edit, i, target);
    if (fault != Fault::kNone) planned.not_traced = SentenceOf(fault);
    if (fault == Fault::kNone) index_[{module, planned.method.token}] = i;
  }
}

bool MethodPlan::WriteNow(size_t index, const CallTarget& target) {
  PlannedMethod& planned = methods_[index];
  if (!planned.bytes.empty()) return true;
  if (!planned.not_traced.empty()) return false;
  const auto edit = Open(planned.method.module, target);
  const Fault fault = WriteIn(*edit, index, target);
  if (fault != Fault::kNone) planned.not_traced = SentenceOf(fault);
  return fault == Fault::kNone;
}

std::unique_ptr<MethodPlan::Edit> MethodPlan::Open(abi::ModuleID module, const CallTarget& target) const {
  auto edit = std::make_unique<Edit>();
  edit->module = module;
  const bool open = edit->editor.Open(*info_, module, finder_.CoreLibrary()) && edit->editor.Prepare(edit->wrapping);
  if (!open) edit->wrapping.enter_signature = 0;
  edit->wrapping.enter_address = target.enter_address;
  edit->wrapping.leave_address = target.leave_address;
  return edit;
}

Fault MethodPlan::WriteIn(Edit& edit, size_t index, const CallTarget& target) {
  edit.wrapping.key = target.first_key + index;
  return edit.wrapping.enter_signature == 0 ? Fault::kBadToken : WriteOne(edit.editor, edit.wrapping, methods_[index]);
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

size_t MethodPlan::IndexOf(abi::ModuleID module, abi::mdMethodDef method) const {
  const auto found = index_.find({module, method});
  return found == index_.end() ? kNone : found->second;
}

const std::vector<uint8_t>* MethodPlan::BytesOf(abi::ModuleID module, abi::mdMethodDef method) const {
  const size_t index = IndexOf(module, method);
  return index == kNone ? nullptr : &methods_[index].bytes;
}

}  // namespace cairn::collector::il
