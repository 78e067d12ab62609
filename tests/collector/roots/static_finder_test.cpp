#include "collector/roots/static_finder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "tests/collector/roots/fake_functions.h"
#include "tests/collector/types/fake_runtime.h"

namespace cairn::collector {
namespace {

using testing::FakeFunctions;
using testing::FakeRuntime;
using testing::FakeStatics;
using ::testing::IsEmpty;
using testing::kShop;
using ::testing::UnorderedElementsAre;

constexpr uint8_t kObjectType = 0x1C, kI4 = 0x08, kVar = 0x13;
constexpr uint64_t kSlots = 0x7F0000000000;

class StaticFinderTest : public ::testing::Test {
 protected:
  // A static field of class `id` with the next free slot.
  void AddStatic(ClassId id, Token type_def, const std::string& name, uint8_t type = kObjectType, uint32_t more = 0) {
    const Token field = runtime.AddField(type_def, name, {type}, abi::kFieldStatic | more);
    statics.addresses[{id, field}] = kSlots + 8 * statics.addresses.size();
  }
  // A method of the type that is loaded, after one that is not.
  void AddMethod(Token type_def, ClassId id) {
    auto& methods = runtime.modules[kShop].methods;
    const Token first = abi::kTokenMethodDef | static_cast<Token>(methods.size() + 1);
    methods[first] = {"unused", type_def};
    methods[first + 1] = {"used", type_def};
    functions.loaded[{kShop, first + 1}] = id;
  }
  std::vector<std::string> Find(std::vector<ClassId> ids) {
    std::vector<protocol::Static> found;
    EXPECT_TRUE(finder.Find(ids, &found));
    std::vector<std::string> text;
    for (const auto& s : found) text.push_back(s.name + "@" + std::to_string((s.slot_address - kSlots) / 8));
    return text;
  }

  FakeRuntime runtime;
  FakeFunctions functions;
  FakeStatics statics;
  ModuleTable modules{runtime};
  ProblemList problems;
  TypeNamer types{runtime, runtime, modules, problems};
  StaticFinder finder{statics, functions, runtime, types, problems};
};

TEST_F(StaticFinderTest, LooksAtTypesBasesElementsArgumentsAndClassesWithMethods) {
  const Token base = runtime.Define("Shop.Base", FakeRuntime::kObjectRef);
  const Token leaf = runtime.Define("Shop.Leaf", base);
  const Token element = runtime.Define("Shop.Element", FakeRuntime::kObjectRef);
  const Token list = runtime.Define("Shop.List`1", FakeRuntime::kObjectRef);
  const Token argument = runtime.Define("Shop.Argument", FakeRuntime::kObjectRef);
  const Token helpers = runtime.Define("Shop.Helpers", FakeRuntime::kObjectRef);
  runtime.Load(100, base, FakeRuntime::kObject);
  runtime.Load(101, leaf, 100);
  runtime.Load(102, element, FakeRuntime::kObject);
  runtime.LoadArray(103, 0x12, 102);
  runtime.Load(104, argument, FakeRuntime::kObject);
  runtime.Load(105, list, FakeRuntime::kObject, {104});
  runtime.Load(106, helpers, FakeRuntime::kObject);
  AddMethod(helpers, 106);
  AddStatic(100, base, "Default");
  AddStatic(102, element, "Empty");
  AddStatic(104, argument, "Count");
  AddStatic(106, helpers, "<Cache>k__BackingField");
  EXPECT_THAT(Find({101, 103, 105}),
              UnorderedElementsAre("Shop.Base.Default@0", "Shop.Element.Empty@1", "Shop.Argument.Count@2",
                                   "Shop.Helpers.<Cache>k__BackingField@3"));
}

TEST_F(StaticFinderTest, SkipsWhatHasNoSlotOfItsOwn) {
  const Token c = runtime.Define("Shop.C", FakeRuntime::kObjectRef);
  runtime.Load(100, c, FakeRuntime::kObject);
  AddStatic(100, c, "Literal", kObjectType, abi::kFieldLiteral);
  AddStatic(100, c, "Rva", kObjectType, abi::kFieldHasFieldRVA);
  AddStatic(100, c, "Number", kI4);
  runtime.AddField(c, "instance", {kObjectType});
  const Token refused = runtime.AddField(c, "NotInitialised", {kObjectType}, abi::kFieldStatic);
  const Token bogus = runtime.AddField(c, "Bogus", {kObjectType}, abi::kFieldStatic);
  statics.addresses[{100, bogus}] = 0x18;  // an offset, not an address
  (void)refused;
  EXPECT_THAT(Find({100}), IsEmpty());
}

// Of a struct the API tells where it lies in its box; an enum is no struct, and lies in none.
TEST_F(StaticFinderTest, TellsTheBoxesOfStructsAndWhatMustBeInThem) {
  const Token money = runtime.Define("Shop.Money", FakeRuntime::kValueTypeRef);
  const Token colour = runtime.Define("Shop.Colour", FakeRuntime::kEnumRef);
  runtime.AddField(colour, "value__", {kI4});
  const Token c = runtime.Define("Shop.C", FakeRuntime::kObjectRef);
  runtime.Load(100, c, FakeRuntime::kObject);
  const auto signature = [](Token type_def) {
    return std::vector<uint8_t>{0x11, static_cast<uint8_t>((type_def & 0xFFFFFF) << 2)};
  };
  statics.addresses[{100, runtime.AddField(c, "Price", signature(money), abi::kFieldStatic)}] = kSlots;
  statics.addresses[{100, runtime.AddField(c, "Paint", signature(colour), abi::kFieldStatic)}] = kSlots + 8;
  std::vector<protocol::Static> found;
  const ClassId ids[] = {100};
  EXPECT_TRUE(finder.Find(ids, &found));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].name, "Shop.C.Price");
  EXPECT_EQ(found[0].slot_address, kSlots);
  EXPECT_EQ(found[0].boxed_type, "Shop.Money");
}

TEST_F(StaticFinderTest, LeavesGenericAndCollectibleTypesOut) {
  const Token list = runtime.Define("Shop.List`1", FakeRuntime::kObjectRef);
  runtime.Load(100, list, FakeRuntime::kObject, {FakeRuntime::kString});
  AddStatic(100, list, "Empty", kVar);
  AddStatic(100, list, "Sync");
  EXPECT_THAT(Find({100}), IsEmpty());
  const Token c = runtime.Define("Shop.C", FakeRuntime::kObjectRef);
  runtime.Load(101, c, FakeRuntime::kObject);
  AddStatic(101, c, "S");
  AddMethod(c, 101);
  runtime.modules[kShop].row.flags = abi::kModuleCollectible;
  StaticFinder fresh{statics, functions, runtime, types, problems};
  std::vector<protocol::Static> found;
  const ClassId ids[] = {101};
  EXPECT_TRUE(fresh.Find(ids, &found));
  EXPECT_THAT(found, IsEmpty());
}

class TablesTest : public StaticFinderTest {
 protected:
  void SetUp() override {
    statics.has_tables = true;
    known = runtime.Define("Shop.Known", FakeRuntime::kObjectRef);
    runtime.Load(100, known, FakeRuntime::kObject);
    AddStatic(100, known, "A");
    field = runtime.modules[kShop].fields_of[known][0];
    statics.slots[100] = {{field, kSlots, false}};
    statics.loaded[kShop] = {100};
  }
  Token known = 0, field = 0;
};

TEST_F(TablesTest, NamesInstantiationsStructsAndClassesWithoutInstances) {
  const Token list = runtime.Define("Shop.List`1", FakeRuntime::kObjectRef);
  const Token helpers = runtime.Define("Shop.Helpers", FakeRuntime::kObjectRef);
  runtime.Load(101, list, FakeRuntime::kObject, {FakeRuntime::kString});
  runtime.Load(102, helpers, FakeRuntime::kObject);
  statics.slots[101] = {{runtime.AddField(list, "Empty", {kVar, 0}, abi::kFieldStatic), kSlots + 8, false}};
  EXPECT_FALSE(statics.trusted);
  statics.slots[102] = {{runtime.AddField(helpers, "Now", {0x11, 4}, abi::kFieldStatic), kSlots + 16, true}};
  statics.loaded[kShop] = {100, 102, 999};  // 999 has no slots and is never asked about
  EXPECT_THAT(Find({100, 101}),
              UnorderedElementsAre("Shop.Known.A@0", "Shop.List<System.String>.Empty@1", "Shop.Helpers.Now@2"));
  EXPECT_THAT(problems.Problems(), IsEmpty());
  EXPECT_TRUE(statics.trusted);
}

TEST_F(TablesTest, FallsBackToTheApiWhereTheModuleDoesNotListTheClass) {
  statics.loaded[kShop] = {999};
  EXPECT_THAT(Find({100}), UnorderedElementsAre("Shop.Known.A@0"));
  EXPECT_FALSE(statics.trusted);
}

TEST_F(TablesTest, FallsBackToTheApiWhereTheTablesDiffer) {
  statics.slots[100] = {{field, kSlots + 64, false}};
  EXPECT_THAT(Find({100}), UnorderedElementsAre("Shop.Known.A@0"));
  EXPECT_EQ(problems.Problems().at(0).code, "statics.tables_differ");
}

TEST_F(TablesTest, FallsBackToTheApiWithoutEvidence) {
  statics.slots[100] = {};
  EXPECT_THAT(Find({100}), UnorderedElementsAre("Shop.Known.A@0"));
}

class ThreadStaticsTest : public TablesTest {
 protected:
  // One thread whose entry 1, of index 3, is an array of two slots.
  void SetUp() override {
    TablesTest::SetUp();
    arrays[3] = Address(slots);
    locals[2] = Address(arrays);
    thread[4] = Address(locals);
    store_pointer = Address(store);
    store[1] = Address(&thread[3]);
    const std::string text = R"({"types":{"ThreadStore":{"FirstThreadLink":8},"ThreadLocalData":
        {"NonCollectibleTlsArrayData":16},"Thread":{"Id":0,"PreemptiveGCDisabled":4,"OSId":8,"Frame":16,"LinkNext":24,"ThreadLocalDataPtr":32}},
        "globals":{"ThreadStore":[[0],""],"NumberOfTlsOffsetsNotUsedInNoncollectibleArray":["0x2",""]}})";
    list = std::make_unique<ManagedThreads>(ContractDescriptor{text, {Address(&store_pointer)}});
    source.list = list.get();
    source.ids = {77};
    ASSERT_TRUE(threads.Prepare(source));
    const RecordedRoot marker{Address(arrays), 0, 1, 0};  // a stack root
    threads.Record({&marker, 1});
    ASSERT_EQ(threads.SlotArrays().size(), 1u);
    finder.UseThreads(threads);
    thread_field = runtime.AddField(known, "PerThread", {kObjectType}, abi::kFieldStatic);
  }
  static uint64_t Address(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

  uint64_t slots[4] = {0, 2}, arrays[5] = {0, 2}, locals[8] = {}, thread[5] = {1, 77, 0, 0, 0}, store[2] = {};
  uint64_t store_pointer = 0;
  std::unique_ptr<ManagedThreads> list;
  testing::FakeThreads source;
  ThreadRecorder threads;
  Token thread_field = 0;
};

TEST_F(ThreadStaticsTest, NamesTheSlotsOfEachThread) {
  statics.thread_statics[100] = {3, {{thread_field, 24}}};
  std::vector<protocol::Static> found;
  const ClassId ids[] = {100};
  ASSERT_TRUE(finder.Find(ids, &found));
  ASSERT_EQ(found.size(), 3u);  // the array itself, the thread static, A
  EXPECT_EQ(found[0].name, "");
  EXPECT_EQ(found[0].slot_address, Address(&slots[2]));
  EXPECT_EQ(found[0].kind, protocol::RootKind::kThreadStatic);
  EXPECT_EQ(found[1].name, "Shop.Known.A");
  EXPECT_EQ(found[1].kind, protocol::RootKind::kStatic);
  EXPECT_EQ(found[2].name, "Shop.Known.PerThread");
  EXPECT_EQ(found[2].slot_address, Address(&slots[3]));
  EXPECT_EQ(found[2].thread, 0u);
}

TEST_F(ThreadStaticsTest, NamesNothingWhereTheTablesCannotBeRight) {
  statics.thread_statics[100] = {3, {{thread_field, 32}}};  // behind the second of two slots
  EXPECT_EQ(Find({100}).size(), 2u);
  EXPECT_EQ(problems.Problems().at(0).code, "statics.thread_tables_differ");
}

// A class with two thread statics, of which a method is loaded, and two threads that have set the first.
class RecordedThreadStaticsTest : public StaticFinderTest {
 protected:
  void SetUp() override {
    session = runtime.Define("Shop.Session", FakeRuntime::kObjectRef);
    runtime.Load(100, session, FakeRuntime::kObject);
    current = runtime.AddField(session, "Current", {kObjectType}, abi::kFieldStatic);
    shared = runtime.AddField(session, "Shared", {kObjectType}, abi::kFieldStatic);
    number = runtime.AddField(session, "Number", {kI4}, abi::kFieldStatic);
    AddMethod(session, 100);
    source.fields = {{100, current}, {100, number}};
    source.threads = {{501, 71}, {502, 72}};
    source.addresses = {{{501, current}, kSlots + 8}, {{502, current}, kSlots + 80}};
  }
  std::vector<protocol::Static> FoundIn(std::vector<protocol::Thread>* list) {
    std::vector<protocol::Static> found;
    EXPECT_TRUE(finder.Prepare(source, &recorder));
    recorder.Record(source);
    EXPECT_TRUE(finder.AddRecorded(recorder, list, &found));
    return found;
  }

  testing::FakeThreadStatics source;
  ThreadStaticRecorder recorder;
  Token session = 0, current = 0, shared = 0, number = 0;
};

TEST_F(RecordedThreadStaticsTest, AreNamedWithTheirThreads) {
  std::vector<protocol::Thread> threads = {{70, 0, "main"}, {72, 0, "two"}};
  const std::vector<protocol::Static> found = FoundIn(&threads);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].name, "Shop.Session.Current");
  EXPECT_EQ(found[0].kind, protocol::RootKind::kThreadStatic);
  EXPECT_EQ(found[0].slot_address, kSlots + 8);
  EXPECT_EQ(found[1].slot_address, kSlots + 80);
  EXPECT_EQ(found[1].thread, 1u);
  // The one that is gone by now is added.
  ASSERT_EQ(threads.size(), 3u);
  EXPECT_EQ(found[0].thread, 2u);
  EXPECT_EQ(threads[2].os_id, 71u);
}

TEST_F(RecordedThreadStaticsTest, AreThoseOfReferencesAndStructs) {
  std::vector<protocol::Thread> threads;
  FoundIn(&threads);
  ASSERT_EQ(recorder.Fields().size(), 1u);
  EXPECT_EQ(recorder.Fields()[0].field, current);
}

TEST_F(RecordedThreadStaticsTest, OfAStructGoAlongWithItsBox) {
  const Token money = runtime.Define("Shop.Money", FakeRuntime::kValueTypeRef);
  runtime.Load(105, money, FakeRuntime::kValueType);
  const uint8_t token = static_cast<uint8_t>((money & 0xFFFFFF) << 2);
  const Token price = runtime.AddField(session, "Price", {0x11, token}, abi::kFieldStatic);
  source.fields = {{100, price}};
  source.addresses = {{{501, price}, kSlots + 8}};
  std::vector<protocol::Thread> threads;
  const std::vector<protocol::Static> found = FoundIn(&threads);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].name, "Shop.Session.Price");
  EXPECT_EQ(found[0].boxed_type, "Shop.Money");
}

TEST_F(RecordedThreadStaticsTest, AreNotAskedForWhereTablesSayMore) {
  statics.has_tables = true;
  std::vector<protocol::Thread> threads;
  EXPECT_THAT(FoundIn(&threads), IsEmpty());
}

TEST_F(RecordedThreadStaticsTest, AreNotAskedForWhereTheRuntimeWouldStop) {
  source.can_ask = false;
  std::vector<protocol::Thread> threads;
  EXPECT_THAT(FoundIn(&threads), IsEmpty());
  EXPECT_EQ(problems.Problems().at(0).code, "statics.no_thread_statics");
}

TEST_F(RecordedThreadStaticsTest, OfTooManyThreadsAreCounted) {
  source.fields = {{100, current}, {100, shared}};
  source.threads.assign(ThreadStaticRecorder::kMaxQuestions / 2 + 3, {501, 71});
  std::vector<protocol::Thread> threads;
  EXPECT_EQ(FoundIn(&threads).size(), ThreadStaticRecorder::kMaxQuestions / 2);
  EXPECT_EQ(problems.Problems().at(0).code, "statics.too_many_threads");
  EXPECT_NE(problems.Problems().at(0).message.find("of 3 threads"), std::string::npos);
}

TEST_F(TablesTest, LeavesInstantiationsOverCollectibleTypesOut) {
  constexpr ModuleId kContext = 0x3000;
  runtime.modules[kContext].row.flags = abi::kModuleCollectible;
  runtime.modules[kContext].type_defs[abi::kTokenTypeDef | 2] = {"Plugin.Thing", 0, 0, 0};
  runtime.classes[103].row = {kContext, abi::kTokenTypeDef | 2, FakeRuntime::kObject, {}};
  const Token list = runtime.Define("Shop.List`1", FakeRuntime::kObjectRef);
  runtime.Load(101, list, FakeRuntime::kObject, {103});
  statics.slots[101] = {{runtime.AddField(list, "Empty", {kVar, 0}, abi::kFieldStatic), kSlots + 8, false}};
  EXPECT_THAT(Find({100, 101}), UnorderedElementsAre("Shop.Known.A@0"));
}

}  // namespace
}  // namespace cairn::collector
