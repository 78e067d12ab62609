#pragma once
// Builds small snapshots for tests, through the real encoder and the real writer:
//
//   SnapshotBuilder builder;
//   const uint32_t node = builder.Class("Node", {"next", "value"});
//   builder.Object("a", node, {"b"});            // a.next → b; slots that are not named are null
//   builder.Object("b", node, {nullptr, "a"});   // names may be used before their object exists
//   builder.Object("", node);                    // garbage
//   builder.Gap(64);                             // a Free object
//   builder.Root(RootKind::kStatic, "a", "Shop.Cache.Instance");
//   ASSERT_TRUE(builder.Write(path));
//
// Addresses, counts and totals follow from what was added: objects lie one after the other in the current
// range, in the order of the calls. The layout is that of .NET on x64 unless SetPointerSize says 4:
// MethodTable at 0, fields behind it, a header word counted in the size, at least 24 (12) bytes.
// A wrong use (an unknown name, a slot that is not there) is told by Write. Thread rule: one thread.

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "snapshot-format/file/model.h"
#include "snapshot-format/file/result.h"
#include "snapshot-format/file/snapshot_writer.h"
#include "snapshot-format/testing/object_encoder.h"

namespace cairn::snapshot::testing {

// An object of the builder; also its index in the snapshot, where objects are in address order.
struct ObjectHandle {
  uint32_t index = 0;
};

// What a slot, root or handle refers to: nothing, an object by name or handle, or a bare address.
class Target {
 public:
  Target() = default;
  Target(std::nullptr_t) {}
  Target(const char* name) : name_(name) {}
  Target(std::string name) : name_(std::move(name)) {}
  Target(ObjectHandle object) : object_(object.index), by_handle_(true) {}
  static Target Address(uint64_t address);

 private:
  friend class SnapshotBuilder;
  std::string name_;
  uint64_t address_ = 0;
  uint32_t object_ = 0;
  bool by_handle_ = false;
};

// A reference slot of a struct in an array: its name and its offset in the component.
struct ComponentSlot {
  std::string name;
  uint32_t offset = 0;
};

class SnapshotBuilder {
 public:
  SnapshotBuilder();

  // ---- before anything else ----
  SnapshotBuilder& SetPointerSize(uint8_t bytes);  // 4 or 8

  // ---- types; each returns the type id: 0, 1, 2 … ----
  // Reference fields first, in this order, then `data_bytes` of primitives as one field "data".
  uint32_t Class(const std::string& name, std::vector<std::string> references = {}, uint32_t data_bytes = 0);
  // T[] of references.
  uint32_t ReferenceArray(const std::string& name, const std::string& element = "System.Object");
  // T[] of structs, or of primitives where `slots` is empty.
  uint32_t StructArray(const std::string& name, uint32_t component_bytes, std::vector<ComponentSlot> slots = {});
  uint32_t String();  // System.String: 22 bytes and 2 per character
  // A type as a walk through the profiling API records it: every object has a size and a slot count.
  uint32_t ExplicitType(const std::string& name);
  // Any other type; fixed_slots and element_slots set the counts of the layout.
  uint32_t AddType(Type type, std::vector<Field> fields = {});
  Type& TypeAt(uint32_t type) { return types_.at(type); }  // to change module, base, kind …
  std::vector<Field>& FieldsAt(uint32_t type) { return fields_.at(type); }
  uint32_t Module(const std::string& name, bool collectible = false);
  // A primitive field of so many bytes behind the fields that are there, whose value is kept for every object of
  // the type. Before the type's first object. `element_type`: CorElementType.
  SnapshotBuilder& ValueField(uint32_t type, const std::string& name, uint32_t bytes = 4, uint8_t element_type = 0x08,
                              const std::string& type_name = "System.Int32");
  // Instances of `type` keep `allocator` alive.
  SnapshotBuilder& LoaderAllocator(uint32_t type, Target allocator);

  // ---- heap ----
  // Starts a new range, behind the last one; the first one is generation 2 and needs no call.
  SnapshotBuilder& Range(Generation generation, uint64_t start = 0);
  // `name` may be empty. `targets` fill the slots from 0 on.
  ObjectHandle Object(const std::string& name, uint32_t type, std::vector<Target> targets = {});
  // Of a type with components. `targets` as above.
  ObjectHandle Array(const std::string& name, uint32_t type, uint64_t length, std::vector<Target> targets = {});
  // Of an ExplicitType.
  ObjectHandle Explicit(const std::string& name, uint32_t type, uint64_t bytes, std::vector<Target> targets);
  // Sets one slot, late: for cycles between handles and for sparse arrays.
  SnapshotBuilder& Refer(ObjectHandle from, uint64_t slot, Target to);
  // A Free object of so many bytes, a multiple of the alignment, where the next object would have been.
  SnapshotBuilder& Gap(uint64_t bytes);

  // ---- contents ----
  // Of a ValueField; it is 0 else.
  SnapshotBuilder& Value(ObjectHandle object, const std::string& field, int64_t value);
  // Of the components of a string or array. From the first call on its type keeps hashes; 0: none.
  SnapshotBuilder& Hash(ObjectHandle object, uint64_t hash);
  // From the first call on its type keeps texts. The text of others is empty.
  SnapshotBuilder& Text(ObjectHandle object, const std::string& text, bool cut = false);
  // A string of a String() type with this text (ASCII): its length and a hash that equal texts share.
  ObjectHandle StringOf(const std::string& name, uint32_t type, const std::string& text);
  SnapshotBuilder& Method(uint64_t address, const std::string& name);

  // ---- roots ----
  SnapshotBuilder& Root(RootKind kind, Target object, const std::string& name = "");
  SnapshotBuilder& AddRoot(snapshot::Root root, Target object);  // with all its details
  SnapshotBuilder& Dependent(Target primary, Target secondary);
  uint32_t Thread(const std::string& name, uint32_t os_id = 1, uint32_t managed_id = 1);

  // ---- the rest of the summary ----
  snapshot::Process& Process() { return summary_.process; }
  snapshot::Capture& Capture() { return summary_.capture; }
  SnapshotBuilder& Problem(const std::string& code, const std::string& message, bool incomplete = true);

  // ---- known at once ----
  uint64_t AddressOf(Target object) const;  // 0: not known (yet)
  uint64_t ObjectCount() const { return objects_.size(); }

  // ---- to write what a correct program would not ----
  SnapshotBuilder& BeforeChunk(std::function<void(stream::ChunkHeader&)> change);
  SnapshotBuilder& BeforeFinish(std::function<void(Summary&)> change);

  // Writes the file, replacing one that is there. Returns its size. May be called again.
  Result<uint64_t> Write(const std::string& path, const std::string& vfs = "");
  // The summary that Write stores.
  Result<Summary> MakeSummary() const;

 private:
  struct BuiltObject {
    uint32_t type = 0;
    uint32_t range = 0;
    uint64_t address = 0, end = 0, length = 0, slots = 0;
    std::map<uint64_t, Target> targets;
    std::vector<int64_t> values;
    uint64_t hash = 0;
    std::string text;
    bool text_cut = false;
  };
  struct BuiltRoot {
    snapshot::Root root;
    Target object;
  };

  uint64_t MinimumSize() const { return 3ull * summary_.process.pointer_size; }
  ObjectHandle Place(const std::string& name, uint32_t type, uint64_t length, uint64_t explicit_slots,
                     std::vector<Target> targets);
  snapshot::Range& CurrentRange();
  Result<uint64_t> Resolve(const Target& target) const;
  Result<PlacedObject> Resolve(const BuiltObject& object) const;
  Status Encode(SnapshotWriter& writer) const;
  Status ResolveSummary(Summary& summary) const;
  void CountObjects(Summary& summary) const;

  Summary summary_;
  std::vector<Type> types_;
  std::vector<std::vector<Field>> fields_;
  std::vector<BuiltObject> objects_;
  std::map<std::string, uint32_t> names_;
  std::map<uint32_t, Target> loader_allocators_;
  std::map<uint32_t, uint32_t> data_end_;  // per type with value fields: where its last one ends
  std::vector<BuiltRoot> roots_;
  std::vector<std::pair<Target, Target>> dependents_;
  std::function<void(stream::ChunkHeader&)> before_chunk_;
  std::function<void(Summary&)> before_finish_;
  std::string misuse_;  // the first wrong use
};

}  // namespace cairn::snapshot::testing
