#include "tests/hostile/small_snapshot.h"

#include "tests/snapshot-format/temporary_folder.h"

namespace cairn::hostile {

using snapshot::Generation;
using snapshot::RootKind;
using snapshot::testing::ObjectHandle;
using snapshot::testing::SnapshotBuilder;

SnapshotBuilder SmallSnapshot() {
  SnapshotBuilder builder;
  const uint32_t node = builder.Class("Shop.Node", {"next", "value"}, 8);
  const uint32_t nodes = builder.ReferenceArray("Shop.Node[]", "Shop.Node");
  const uint32_t entries = builder.StructArray("Shop.Entry[]", 24, {{"Key", 0}, {"Value", 8}});
  const uint32_t text = builder.String();
  builder.TypeAt(node).module = builder.Module("Shop.dll");
  builder.Object("a", node, {"b", "word"});
  builder.Text(builder.StringOf("word", text, "leak"), "leak");
  builder.Gap(48);
  builder.Object("b", node, {"a"});
  builder.Object("lost", node, {"lost"});
  builder.Array("list", nodes, 3, {"a", nullptr, "b"});
  builder.Array("map", entries, 3, {"a", "b", nullptr, nullptr, "list"});
  const uint32_t closed = builder.Class("Shop.Stream", {"buffer"});
  builder.ValueField(closed, "_closed", 1, 0x02, "System.Boolean");
  builder.Value(builder.Object("stream", closed, {"list"}), "_closed", 1);
  builder.Method(0x7F8000001000, "Shop.Prices.OnChanged");
  builder.Capture().strings = "all";
  builder.Capture().salt_id = "0123456789abcdef";
  builder.Range(Generation::kLoh);
  builder.Array("large", nodes, 20, {"a", "b"});
  builder.Range(Generation::kFrozen);
  builder.Array("literal", text, 1);
  builder.LoaderAllocator(entries, "a");
  builder.Thread("main", 10, 1);
  builder.Root(RootKind::kStatic, "map", "Shop.Cache.All");
  builder.AddRoot({.kind = RootKind::kLocal, .source = 0x7FFC0010, .name = "Main", .thread = 0, .certain = false},
                  "large");
  builder.Dependent("a", "stream");
  builder.Problem("walk.note", "a warning", false);
  return builder;
}

const std::string& ScratchFolder() {
  static const snapshot::testing::TemporaryFolder folder;
  static const std::string path = folder.File("");
  return path;
}

}  // namespace cairn::hostile
