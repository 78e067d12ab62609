#include "tests/viewer/presentation/session_sample.h"

#include <unistd.h>

#include <filesystem>
#include <stdexcept>

#include "snapshot-format/testing/snapshot_builder.h"

namespace cairn::presentation::testing {
namespace {

using snapshot::Generation;
using snapshot::RootKind;
using snapshot::testing::SnapshotBuilder;

void Fill(SnapshotBuilder& builder) {
  const uint32_t cache = builder.Class("Shop.Cache", {"_entries"});
  const uint32_t entries = builder.ReferenceArray("Shop.Order[]", "Shop.Order");
  const uint32_t order = builder.Class("Shop.Order", {"_customer", "_next"});
  const uint32_t customer = builder.Class("Shop.Customer");
  builder.TypeAt(order).module = builder.Module("Shop.dll");
  builder.Object("cache", cache, {"entries"});
  builder.Array("entries", entries, 8, {nullptr, nullptr, "order1", nullptr, nullptr, "order2"});
  builder.Object("order1", order, {"customer"});
  builder.Object("order2", order, {"customer"});
  builder.Object("customer", customer);
  builder.Range(Generation::kGen0);
  builder.Object("lost", order, {nullptr, "order1"});
  builder.Range(Generation::kFrozen);
  builder.Object("literal", customer);
  builder.Root(RootKind::kStatic, "cache", "Shop.Cache.Instance");
  snapshot::Root local;
  local.kind = RootKind::kLocal;
  local.name = "Shop.Program.Main";
  local.thread = builder.Thread("Main", 42, 1);
  local.certain = false;
  builder.AddRoot(local, "order2");
  builder.Root(RootKind::kHandleWeak, "lost", "");
}

}  // namespace

SessionSample::SessionSample() {
  static int number = 0;
  path = (std::filesystem::temp_directory_path() /
          ("cairn-session-sample-" + std::to_string(getpid()) + "-" + std::to_string(number++)))
             .string();
  SnapshotBuilder builder;
  Fill(builder);
  if (const auto written = builder.Write(path); !written) throw std::runtime_error(written.error().message);
  auto opened = session::SnapshotSession::Open(path);
  if (!opened) throw std::runtime_error(opened.error().message);
  session = std::move(*opened);
}

SessionSample::~SessionSample() {
  session.reset();
  std::filesystem::remove(path);
}

}  // namespace cairn::presentation::testing
