#include "viewer/session/load_contexts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snapshot-format/testing/snapshot_builder.h"
#include "tests/snapshot-format/temporary_folder.h"

namespace cairn::session {
namespace {

using snapshot::RootKind;
using snapshot::testing::SnapshotBuilder;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

//   static Host.Loaded → list(System.Object[] of 8: 88) → things 1 … 4 (Plugin.Thing, 24 each) → (loader allocator)
//   handle-strong      → context (Host.PluginContext, derived from AssemblyLoadContext)
//   nothing            → old (a LoaderAllocator without types that have objects)
class Contexts : public ::testing::Test {
 protected:
  Contexts() {
    const uint32_t allocator = builder_.Class("System.Reflection.LoaderAllocator", {"m_scout"});
    const uint32_t base = builder_.Class("System.Runtime.Loader.AssemblyLoadContext", {"_name"});
    const uint32_t derived = builder_.Class("Host.PluginContext", {"_name"});
    builder_.TypeAt(derived).base = "System.Runtime.Loader.AssemblyLoadContext";
    builder_.TypeAt(derived).base_type = base;
    const uint32_t standard = builder_.Class("System.Runtime.Loader.DefaultAssemblyLoadContext");
    builder_.TypeAt(standard).base = "System.Runtime.Loader.AssemblyLoadContext";
    const uint32_t thing = builder_.Class("Plugin.Thing");
    builder_.TypeAt(thing).module = builder_.Module("Plugin.dll", true);
    const uint32_t list = builder_.ReferenceArray("System.Object[]");
    builder_.Object("allocator", allocator);
    builder_.Object("old", allocator);
    builder_.Object("context", derived);
    builder_.Object("default", standard);
    for (int i = 1; i <= 4; ++i) builder_.Object("thing" + std::to_string(i), thing);
    builder_.Object("garbage", thing);
    builder_.Array("list", list, 8, {"thing1", "thing2", "thing3", "thing4"});
    builder_.LoaderAllocator(thing, "allocator");
    builder_.Root(RootKind::kStatic, "list", "Host.Loaded");
    builder_.Root(RootKind::kHandleStrong, "context");
    builder_.Root(RootKind::kHandleStrong, "default");
  }

  std::vector<LoadContext> Find(uint64_t holders = 3) {
    if (const auto written = builder_.Write(folder_.File("a.cairn")); !written)
      throw std::runtime_error(written.error().message);
    auto session = SnapshotSession::Open(folder_.File("a.cairn"));
    if (!session) throw std::runtime_error(session.error().message);
    session_ = std::move(*session);
    auto found = FindLoadContexts(*session_, holders, work_);
    if (!found) throw std::runtime_error(found.error().message);
    return *found;
  }

  snapshot::testing::TemporaryFolder folder_;
  SnapshotBuilder builder_;
  std::unique_ptr<SnapshotSession> session_;
  analysis::Work work_;
};

TEST_F(Contexts, AllocatorsAndContextsButTheDefaultOne) {
  const auto found = Find();
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].object.value, 0u);  // the most bytes of its types
  EXPECT_EQ(found[0].kind, LoadContext::Kind::kLoaderAllocator);
  EXPECT_THAT(found[0].assemblies, ElementsAre("Plugin.dll"));
  EXPECT_EQ(found[0].totals.objects, 4u);  // garbage does not count
  EXPECT_EQ(found[0].totals.bytes, 4u * 24);
  EXPECT_TRUE(found[0].reachable);
  EXPECT_EQ(found[1].object.value, 2u);
  EXPECT_EQ(found[1].kind, LoadContext::Kind::kAssemblyLoadContext);
  EXPECT_EQ(found[2].object.value, 1u);
  EXPECT_FALSE(found[2].reachable);
}

TEST_F(Contexts, HoldersOfOneShapeAreOne) {
  const auto found = Find();
  ASSERT_EQ(found[0].holders.size(), 1u);  // four elements of one array
  const RootPath& path = found[0].holders[0];
  EXPECT_EQ(path.root.Name(), "Host.Loaded");
  ASSERT_EQ(path.steps.size(), 3u);
  EXPECT_EQ(path.steps[1].field, "[0]");
  EXPECT_EQ(path.steps[2].field, "(loader allocator)");
  EXPECT_THAT(found[2].holders, IsEmpty());
}

TEST_F(Contexts, EveryShapeOfHolderUpToTheLimit) {
  builder_.Root(RootKind::kStatic, "thing2", "Host.Second");
  builder_.Root(RootKind::kHandleStrong, "allocator");
  const auto found = Find();
  ASSERT_EQ(found[0].holders.size(), 3u);
  EXPECT_EQ(found[0].holders[0].root.Name(), "Host.Second");
  EXPECT_EQ(found[0].holders[1].root.Name(), "Host.Loaded");
  // not unloaded yet: the shortest, but it says nothing of who uses it
  EXPECT_EQ(found[0].holders[2].root.kind, RootKind::kHandleStrong);
  EXPECT_TRUE(IsUnloadHandle(found[0].holders[2]));
  EXPECT_EQ(Find(2)[0].holders.size(), 2u);
}

TEST_F(Contexts, ItsOwnStaticsAreNotWhyItIsThere) {
  builder_.Root(RootKind::kStatic, "thing3", "Plugin.Thing.Instance");
  const auto found = Find(1);
  ASSERT_EQ(found[0].holders.size(), 1u);
  EXPECT_EQ(found[0].holders[0].root.Name(), "Host.Loaded");
  EXPECT_EQ(Find(2)[0].holders[1].root.Name(), "Plugin.Thing.Instance");
}

TEST_F(Contexts, NoPartnerWhereItIsNotCertain) {
  for (const LoadContext& context : Find()) EXPECT_FALSE(context.partner.Valid());  // two allocators, one context
}

TEST_F(Contexts, NamesWhereTextsWereCaptured) {
  builder_.Capture().strings = "all";
  const auto name = builder_.StringOf("", builder_.String(), "plugins");
  builder_.Refer({2}, 0, name);  // the context's _name
  const auto found = Find();
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[1].name, "plugins");
  EXPECT_EQ(found[0].name, "");  // a LoaderAllocator has none
}

TEST_F(Contexts, PartnersWhereThereIsOneOfEach) {
  SnapshotBuilder plain;
  plain.Object("allocator", plain.Class("System.Reflection.LoaderAllocator"));
  plain.Object("context", plain.Class("System.Runtime.Loader.AssemblyLoadContext", {"_name"}));
  ASSERT_TRUE(plain.Write(folder_.File("c.cairn")));
  auto session = SnapshotSession::Open(folder_.File("c.cairn"));
  ASSERT_TRUE(session);
  const auto found = FindLoadContexts(**session, 3, work_);
  ASSERT_TRUE(found);
  ASSERT_EQ(found->size(), 2u);
  EXPECT_EQ((*found)[0].partner, (*found)[1].object);
  EXPECT_EQ((*found)[1].partner, (*found)[0].object);
}

TEST_F(Contexts, NoneWhereNothingIsCollectible) {
  SnapshotBuilder plain;
  plain.Object("a", plain.Class("Node"));
  ASSERT_TRUE(plain.Write(folder_.File("b.cairn")));
  auto session = SnapshotSession::Open(folder_.File("b.cairn"));
  ASSERT_TRUE(session);
  const auto found = FindLoadContexts(**session, 3, work_);
  ASSERT_TRUE(found);
  EXPECT_THAT(*found, IsEmpty());
}

}  // namespace
}  // namespace cairn::session
