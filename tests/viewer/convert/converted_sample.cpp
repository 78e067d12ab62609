#include "tests/viewer/convert/converted_sample.h"

#include <stdexcept>

namespace cairn::convert::testing {

using snapshot::Generation;
using snapshot::RootKind;
using snapshot::testing::SnapshotBuilder;

namespace {

void AddObjects(SnapshotBuilder& builder) {
  const uint32_t cache = builder.Class("Shop.Cache", {"entries", "spare"});
  const uint32_t entry = builder.StructArray("Shop.Entry[]", 16, {{"Key", 0}, {"Value", 8}});
  const uint32_t text = builder.String();
  const uint32_t order = builder.Class("Shop.Order", {"lines"}, 8);
  const uint32_t lines = builder.ReferenceArray("System.Object[]");
  const uint32_t plugin = builder.Class("Plugin.Thing");
  const uint32_t allocator = builder.Class("System.Reflection.LoaderAllocator");
  const uint32_t shop = builder.Module("Shop.dll");
  for (const uint32_t type : {cache, entry, order}) builder.TypeAt(type).module = shop;
  builder.Range(Generation::kGen2, 0x10000);
  builder.Object("cache", cache, {"entries", nullptr});
  builder.Array("entries", entry, 3, {"text", "order3", nullptr, nullptr, nullptr, "order4"});
  builder.Gap(48);
  builder.Array("text", text, 2);
  builder.Object("order3", order, {"lines"});
  builder.Object("order4", order);
  builder.Array("lines", lines, 4, {nullptr, nullptr, "text", "order4"});
  builder.Range(Generation::kGen0, 0x20000);
  builder.Object("garbage", order);
  builder.Range(Generation::kLoh, 0x30000);
  builder.Object("plugin", plugin);
  builder.Object("allocator", allocator);
  builder.Range(Generation::kFrozen, 0x40000);
  builder.Array("frozen", text, 0);
  builder.LoaderAllocator(plugin, "allocator");
  builder.Dependent("order3", "lines");
}

void AddRoots(SnapshotBuilder& builder) {
  builder.Root(RootKind::kStatic, "cache", "Shop.Cache.Instance");
  builder.Root(RootKind::kStatic, "plugin", "Shop.Plugin");
  builder.Root(RootKind::kThreadStatic, "order3", "Shop.Current");
  snapshot::Root local;
  local.kind = RootKind::kLocal;
  local.name = "Shop.Main";
  local.thread = builder.Thread("Main", 7, 1);
  builder.AddRoot(local, "order4");
  builder.Root(RootKind::kHandleStrong, "cache");
  builder.Root(RootKind::kHandlePinned, "entries");
  builder.Root(RootKind::kHandleWeak, "garbage");
}

}  // namespace

std::unique_ptr<session::SnapshotSession> OpenSession(const std::string& path) {
  auto session = session::SnapshotSession::Open(path);
  if (!session) throw std::runtime_error(session.error().message);
  return std::move(*session);
}

ConvertedSample::ConvertedSample() {
  SnapshotBuilder builder;
  builder.Process() = {4242, "Shop", "dotnet Shop.dll", "10.0.12", "server", "x64", 8, 3};
  builder.Capture().captured_at = "2026-01-02T03:04:05Z";
  builder.Capture().memory.rss_bytes = 1000;
  AddObjects(builder);
  AddRoots(builder);
  const std::string path = folder.File("sample.cairn");
  if (const auto written = builder.Write(path); !written) throw std::runtime_error(written.error().message);
  session = OpenSession(path);
}

}  // namespace cairn::convert::testing
