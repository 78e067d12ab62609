#include "viewer/analysis/dotnet/disposed_flag.h"

#include <gtest/gtest.h>

namespace cairn::analysis::dotnet {
namespace {

using snapshot::FieldKind;

constexpr uint32_t Slot(uint32_t offset) { return offset << 4; }  // as stream::UnpackedValueSlot takes it apart

bool IsFlag(const char* name, FieldKind kind = FieldKind::kPrimitive) {
  return FindDisposedFlag({}, {{name, 8, kind, 0x02, "System.Boolean"}}).there;
}

TEST(DisposedFlag, UsualNames) {
  for (const char* name : {"_disposed", "disposed", "m_isDisposed", "<IsDisposed>k__BackingField", "disposedValue",
                           "_disposeCalled", "<Shop.IPart.Disposed>k__BackingField", "__isDisposed"})
    EXPECT_TRUE(IsFlag(name)) << name;
  for (const char* name : {"_disposing", "isDisposable", "_disposedCount", "_inner._disposed", ""})
    EXPECT_FALSE(IsFlag(name)) << name;
  EXPECT_FALSE(IsFlag("_disposed", FieldKind::kReference));
}

TEST(DisposedFlag, WhichOfTheKeptValues) {
  snapshot::Type type;
  type.value_slots = {Slot(8), Slot(16)};
  const auto at = [&](uint32_t offset) {
    return FindDisposedFlag(type, {{"_count", 8, FieldKind::kPrimitive, 0x08, "System.Int32"},
                                   {"_disposed", offset, FieldKind::kPrimitive, 0x02, "System.Boolean"}});
  };
  EXPECT_EQ(at(16).value, 1u);
  EXPECT_TRUE(at(24).there);
  EXPECT_EQ(at(24).value, std::nullopt);  // not kept
  EXPECT_FALSE(FindDisposedFlag(type, {}).there);
}

TEST(DisposedFlag, StreamsSayThatTheyAreOpen) {
  snapshot::Type stream;
  stream.name = "System.IO.MemoryStream";
  stream.value_slots = {Slot(8)};
  const snapshot::Field open{"_isOpen", 8, FieldKind::kPrimitive, 0x02, "System.Boolean"};
  const DisposedFlag flag = FindDisposedFlag(stream, {open});
  EXPECT_EQ(flag.value, 0u);
  EXPECT_TRUE(flag.SaysDisposed(0));
  EXPECT_FALSE(flag.SaysDisposed(1));
  stream.name = "Shop.Stream";
  stream.base = "System.IO.MemoryStream";
  EXPECT_TRUE(FindDisposedFlag(stream, {open}).there);
  stream.base = "Shop.Door";
  EXPECT_FALSE(FindDisposedFlag(stream, {open}).there);
  const DisposedFlag usual =
      FindDisposedFlag(stream, {{"_disposed", 8, FieldKind::kPrimitive, 0x02, "System.Boolean"}});
  EXPECT_FALSE(usual.SaysDisposed(0));
  EXPECT_TRUE(usual.SaysDisposed(1));
}

}  // namespace
}  // namespace cairn::analysis::dotnet
