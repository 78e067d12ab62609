// Every method of large assemblies: what compilers write is read, trusted, written back byte by byte, and wrapped into
// something that is trusted too, or refused for its tail calls.

#include <gtest/gtest.h>

#include <algorithm>

#include "collector/il/body_reader.h"
#include "collector/il/body_wrapper.h"
#include "collector/il/body_writer.h"
#include "collector/il/checked_writer.h"
#include "tests/collector/il/assembly_file.h"

namespace cairn::collector::il {
namespace {

// Stands in for what the collector adds to a module's metadata; everything else is the assembly's.
class AddedSignatures final : public SignatureSource {
 public:
  static constexpr abi::mdToken kEnter = 0x11FFFFF0, kLeave = 0x11FFFFF1, kGetType = 0x0AFFFFF0,
                                kGetHandle = 0x0AFFFFF1, kGetValue = 0x0AFFFFF2;
  explicit AddedSignatures(AssemblyFile& assembly) : assembly_(assembly) {}
  bool SignatureOf(abi::mdToken token, Blob& signature) override {
    static constexpr uint8_t kGetter[] = {0x20, 0x00, 0x18};
    if (token == kEnter) signature = kEnterSignature;
    if (token == kLeave) signature = kLeaveSignature;
    if (token >= kGetType && token <= kGetValue) signature = kGetter;
    return !signature.empty() || assembly_.SignatureOf(token, signature);
  }

 private:
  AssemblyFile& assembly_;
};

Wrapping SomeWrapping(bool named) {
  using Added = AddedSignatures;
  Wrapping wrapping;
  wrapping.key = 0x1122334455667788;
  wrapping.enter_address = 0x7F0000001000;
  wrapping.leave_address = 0x7F0000002000;
  wrapping.enter_signature = Added::kEnter;
  wrapping.leave_signature = Added::kLeave;
  if (named) wrapping.naming = {Added::kGetType, Added::kGetHandle, Added::kGetValue, 0x01000077};
  return wrapping;
}

struct Tally {
  uint64_t bodies = 0, clauses = 0, switches = 0, tails = 0;
};

Blob LocalsOf(AssemblyFile& assembly, const MethodBody& body) {
  Blob locals;
  if (body.locals != 0) assembly.SignatureOf(body.locals, locals);
  return locals;
}

MethodShape ShapeOf(Blob signature, Blob locals) {
  CallShape call;
  MethodShape shape;
  EXPECT_TRUE(ReadCallShape(signature, call));
  EXPECT_TRUE(CountLocals(locals, shape.locals));
  shape.arguments = call.arguments;
  shape.returns = call.returns;
  return shape;
}

bool HasTailCall(const MethodBody& body) {
  return std::ranges::any_of(body.instructions, [](const Instruction& one) { return one.opcode == op::kTail; });
}

void CheckWrapped(AssemblyFile& assembly, uint32_t method, const MethodBody& body, bool named) {
  AddedSignatures signatures(assembly);
  const Blob signature = assembly.SignatureOfMethod(method), locals = LocalsOf(assembly, body);
  const Wrapping wrapping = SomeWrapping(named);
  std::vector<uint8_t> new_locals, bytes;
  ASSERT_EQ(WrappedLocals(signature, locals, wrapping.naming, new_locals), Fault::kNone);
  MethodBody wrapped;
  wrapped.locals = 0x11FFFFFF;
  const Fault refused = HasTailCall(body) ? Fault::kTailCall : Fault::kNone;
  ASSERT_EQ(WrapBody(body, signature, locals, wrapping, wrapped), refused);
  if (refused != Fault::kNone) return;
  const Fault fault = WriteChecked(wrapped, ShapeOf(signature, new_locals), signatures, bytes);
  ASSERT_EQ(fault, Fault::kNone) << WordsOf(fault);
  ASSERT_EQ(wrapped.clauses.size(), body.clauses.size() + 2);
}

void Count(const MethodBody& body, Tally& tally) {
  ++tally.bodies;
  tally.clauses += body.clauses.size();
  tally.switches += body.switches.size();
  for (const Instruction& instruction : body.instructions) tally.tails += instruction.opcode == op::kTail ? 1 : 0;
}

void CheckMethod(AssemblyFile& assembly, uint32_t method, Tally& tally) {
  const Blob bytes = assembly.BodyBytes(method);
  if (bytes.empty()) return;
  MethodBody body;
  const Fault read = ReadBody(bytes, body);
  ASSERT_EQ(read, Fault::kNone) << WordsOf(read);
  std::vector<uint8_t> written;
  ASSERT_EQ(WriteBody(body, written), Fault::kNone);
  ASSERT_TRUE(std::equal(written.begin(), written.end(), bytes.begin())) << "written differently";
  const Blob signature = assembly.SignatureOfMethod(method), locals = LocalsOf(assembly, body);
  const Fault verified = VerifyBody(body, ShapeOf(signature, locals), assembly);
  ASSERT_EQ(verified, Fault::kNone) << WordsOf(verified);
  Count(body, tally);
  CheckWrapped(assembly, method, body, true);
  CheckWrapped(assembly, method, body, false);
}

Tally CheckAssembly(const std::string& path) {
  AssemblyFile assembly(path);
  Tally tally;
  for (uint32_t method = 1; method <= assembly.MethodCount(); ++method) {
    CheckMethod(assembly, method, tally);
    if (testing::Test::HasFatalFailure()) {
      ADD_FAILURE() << "method " << method << " " << assembly.NameOfMethod(method) << " of " << path;
      break;
    }
  }
  return tally;
}

TEST(CompiledBodies, OfTheCoreLibraryAreReadVerifiedWrittenBackAndWrapped) {
  const Tally tally = CheckAssembly(FrameworkFolder() + "/System.Private.CoreLib.dll");
  EXPECT_GT(tally.bodies, 20000u);
  EXPECT_GT(tally.clauses, 500u);
  EXPECT_GT(tally.switches, 100u);
}

TEST(CompiledBodies, OfLibrariesWithQueriesAndDocumentsAreToo) {
  for (const char* name : {"System.Linq.dll", "System.Private.Xml.dll", "System.Text.Json.dll"}) {
    EXPECT_GT(CheckAssembly(FrameworkFolder() + "/" + name).bodies, 500u) << name;
  }
}

// Filters and "On Error" that C# never writes.
TEST(CompiledBodies, OfVisualBasicAreToo) {
  EXPECT_GT(CheckAssembly(FrameworkFolder() + "/Microsoft.VisualBasic.Core.dll").clauses, 50u);
}

TEST(CompiledBodies, OfTheCompilerAreToo) {
  EXPECT_GT(CheckAssembly(CompilerFolder() + "/Microsoft.CodeAnalysis.CSharp.dll").bodies, 20000u);
}

// The language with tail calls.
TEST(CompiledBodies, OfFSharpAreToo) { EXPECT_GT(CheckAssembly(FSharpFolder() + "/FSharp.Core.dll").tails, 100u); }

}  // namespace
}  // namespace cairn::collector::il
