#include "collector/roots/root_namer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "collector/abi/masks.h"
#include "tests/collector/roots/fake_functions.h"
#include "tests/collector/types/fake_runtime.h"

namespace cairn::collector {
namespace {

using protocol::RootKind;
using testing::FakeFunctions;
using testing::FakeRuntime;
using testing::FakeThreads;
using ::testing::IsEmpty;
using testing::kShop;

constexpr Token kMethod = abi::kTokenMethodDef | 1;
constexpr uint32_t kStack = static_cast<uint32_t>(abi::GcRootKind::kStack);
constexpr uint32_t kHandle = static_cast<uint32_t>(abi::GcRootKind::kHandle);

class RootNamerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(recorder.Map(16));
    ASSERT_TRUE(namer.Prepare());
  }
  void Record(uint64_t object, uint32_t kind, uint32_t flags, uint64_t id) {
    recorder.RecordRoots(1, &object, &kind, &flags, &id);
  }
  void AddMethod(FunctionId id, const std::string& name, Token owner, ClassId class_id,
                 std::vector<ClassId> arguments = {}) {
    const Token token = kMethod + static_cast<Token>(functions.rows.size());
    runtime.modules[kShop].methods[token] = {name, owner};
    functions.rows[id] = {class_id, kShop, token, std::move(arguments)};
  }
  std::vector<protocol::Root> Run() {
    namer.TakeFromPause(recorder.Roots());
    std::vector<protocol::Root> roots;
    EXPECT_TRUE(namer.NameRoots(recorder, &roots, &dependents));
    return roots;
  }

  FakeRuntime runtime;
  FakeFunctions functions;
  FakeThreads threads;
  ModuleTable modules{runtime};
  ProblemList problems;
  TypeNamer types{runtime, runtime, modules, problems};
  RootRecorder recorder;
  RootNamer namer{functions, threads, runtime, types, problems};
  std::vector<protocol::Dependent> dependents;
};

TEST_F(RootNamerTest, NamesLocalsByTheirMethod) {
  const Token program = runtime.Define("Shop.Program", FakeRuntime::kObjectRef);
  runtime.Load(100, program, FakeRuntime::kObject);
  AddMethod(0xF0, "Main", program, 100);
  AddMethod(0xF8, "Get", program, 100, {FakeRuntime::kInt32, FakeRuntime::kString});
  Record(0x1000, kStack, abi::kGcRootInterior, 0xF0);
  Record(0x2000, kStack, 0, 0xF8);
  Record(0x3000, kStack, 0, 0xF0);
  const std::vector<protocol::Root> roots = Run();
  ASSERT_EQ(roots.size(), 3u);
  EXPECT_EQ(roots[0].kind, RootKind::kLocal);
  EXPECT_EQ(roots[0].name, "Shop.Program.Main");
  EXPECT_TRUE(roots[0].interior);
  EXPECT_EQ(roots[0].source, 0u);
  EXPECT_EQ(roots[1].name, "Shop.Program.Get<System.Int32, System.String>");
  EXPECT_EQ(functions.asked.size(), 2u);  // three roots, two methods
}

TEST_F(RootNamerTest, NamesSharedCodeByTheDefinition) {
  const Token cache = runtime.Define("Shop.Cache`1", FakeRuntime::kObjectRef);
  AddMethod(0xF0, "Get", cache, 0);
  Record(0x1000, kStack, 0, 0xF0);
  EXPECT_EQ(Run().at(0).name, "Shop.Cache`1.Get");
}

TEST_F(RootNamerTest, NeverAsksForAFunctionThatWasNamedInThePause) {
  functions.unsafe[0xF0] = "(dynamic) Lambda";
  Record(0x1000, kStack, 0, 0xF0);
  EXPECT_EQ(Run().at(0).name, "(dynamic) Lambda");
  EXPECT_THAT(functions.asked, IsEmpty());
}

TEST_F(RootNamerTest, LeavesAFunctionAloneThatThePauseDidNotSee) {
  namer.TakeFromPause({});
  Record(0x1000, kStack, 0, 0xF0);
  std::vector<protocol::Root> roots;
  ASSERT_TRUE(namer.NameRoots(recorder, &roots, &dependents));
  EXPECT_EQ(roots.at(0).name, "");
  EXPECT_THAT(functions.asked, IsEmpty());
  EXPECT_EQ(problems.Problems().at(0).code, "roots.unnamed_function");
}

TEST_F(RootNamerTest, KeepsHandlesWithTheirAddressAndSkipsEmptyOnes) {
  Record(0, kHandle, abi::kGcRootWeakref, 0xA0);
  Record(0x1000, kHandle, abi::kGcRootPinning, 0xA8);
  const std::vector<protocol::Root> roots = Run();
  ASSERT_EQ(roots.size(), 1u);
  EXPECT_EQ(roots[0].kind, RootKind::kHandlePinned);
  EXPECT_EQ(roots[0].source, 0xA8u);
  EXPECT_TRUE(roots[0].pinning);
  EXPECT_EQ(roots[0].name, "");
}

TEST_F(RootNamerTest, ListsTheThreadsThatTheApiKnowsWhereTheListCannotBeRead) {
  threads.ids = {7, 0, 9};
  Run();
  std::vector<protocol::Thread> named;
  ASSERT_TRUE(namer.NameThreads(&named));
  ASSERT_EQ(named.size(), 2u);
  EXPECT_EQ(named[1].os_id, 9u);
}

// Where the list of threads cannot be read, the stacks of those known before the pause are looked at.
TEST_F(RootNamerTest, HandsTheAddressesOnStacksToTheClient) {
  volatile uint64_t on_stack = 0x0000123400000018;
  threads.ids = {static_cast<uint32_t>(getpid())};  // the thread that runs this
  ASSERT_TRUE(namer.Prepare());
  namer.TakeFromPause({});
  std::vector<protocol::Static> found;
  namer.ScanStacks();  // no heap
  ASSERT_TRUE(namer.AddStackCandidates(&found));
  EXPECT_THAT(found, IsEmpty());
  namer.AddHeapRange(on_stack - 8, on_stack + 8);
  namer.ScanStacks();
  ASSERT_TRUE(namer.AddStackCandidates(&found));
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].kind, RootKind::kLocal);
  EXPECT_EQ(found[0].thread, protocol::kNoId);
  EXPECT_LT(found[0].slot_address - (on_stack - 8), 16u);
}

TEST_F(RootNamerTest, PassesDependentsOn) {
  const uint64_t keys[] = {0x1000, 0x2000, 0}, values[] = {0x1008, 0, 0x3008};
  recorder.RecordDependents(3, keys, values);
  Run();
  ASSERT_EQ(dependents.size(), 1u);  // a handle without key or value holds nothing
  EXPECT_EQ(dependents[0].secondary, 0x1008u);
}

}  // namespace
}  // namespace cairn::collector
