#include "collector/walk/sample_check.h"

namespace cairn::collector {
namespace {

constexpr uint64_t kMostSampledSlots = 1u << 16;

uint64_t SlotsOf(const ObjectView& view) {
  const HotType& type = *view.type;
  return type.component_size != 0 ? view.length * type.slot_count : type.slot_count;
}

// The non-null slots of one object in slot order, as raw reading finds them.
template <unsigned kPointerSize>
class RawReferences {
 public:
  explicit RawReferences(const ObjectView& view) : type_(*view.type), object_(view.address) {
    if (type_.slot_count == 0) return;
    left_ = type_.slot_count;
    if (type_.component_size == 0) return;
    component_ = type_.elements_offset;
    left_ *= view.length;
  }

  bool Next(ObjectInspector::Reference& reference) {
    while (left_ != 0) {
      --left_;
      reference.offset = component_ + type_.slots[slot_];
      reference.target = LoadPointer<kPointerSize>(object_ + reference.offset);
      if (++slot_ == type_.slot_count) {
        slot_ = 0;
        component_ += type_.component_size;
      }
      if (reference.target != 0) return true;
    }
    return false;
  }

 private:
  const HotType& type_;
  uint64_t object_;
  uint64_t left_ = 0;
  uint64_t component_ = 0;
  uint32_t slot_ = 0;
};

template <unsigned kPointerSize>
struct Comparison {
  RawReferences<kPointerSize> raw;
  bool same = true;

  // The LoaderAllocator edge of a collectible object lies in no slot.
  static void Visit(void* context, ObjectInspector::Reference said) {
    auto& self = *static_cast<Comparison*>(context);
    if (said.offset == ObjectInspector::kNoOffset) return;
    ObjectInspector::Reference read{};
    const bool found = self.raw.Next(read);
    self.same = self.same && found && read.offset == said.offset && read.target == said.target;
  }
};

}  // namespace

template <unsigned kPointerSize>
void SampleCheck<kPointerSize>::Run(uint64_t count) {
  const uint64_t end = range_.start + range_.length;
  uint64_t at = range_.start, objects = 0, slots = 0;
  ObjectView view;
  for (; at < end && (count == 0 || objects < count); at += view.step, ++objects) {
    uint64_t value = 0;
    const WalkFault fault = reader_.HasRoom(at) ? reader_.Read(at, view, value) : reader_.Leave(at, value);
    if (fault == WalkFault::kZeroMethodTable && range_.generation == stream::Generation::kFrozen) break;
    ++report_.objects;
    if (fault != WalkFault::kNone) return report_.Differ(at, fault == WalkFault::kOverrun ? "size" : "type");
    if (!SameSize(view)) return report_.Differ(at, "size");  // where the next object lies is disputed
    if (!SameClass(view)) report_.Differ(at, "class");
    slots += SlotsOf(view);
    // A sample is to cost little, and the runtime cannot be asked for a few of an array's references.
    const bool is_long = count != 0 && SlotsOf(view) > kMostSampledSlots;
    if (!is_long && !SameReferences(view)) report_.Differ(at, "references");
  }
  Expect(objects, slots, at - range_.start);
}

template <unsigned kPointerSize>
void SampleCheck<kPointerSize>::Expect(uint64_t objects, uint64_t slots, uint64_t checked_bytes) {
  if (checked_bytes == 0) return;
  const double times = static_cast<double>(range_.length) / static_cast<double>(checked_bytes);
  report_.expected_objects += static_cast<uint64_t>(static_cast<double>(objects) * times);
  report_.expected_slots += static_cast<uint64_t>(static_cast<double>(slots) * times);
}

// The runtime raises the size of the smallest objects, so only the steps have to agree.
template <unsigned kPointerSize>
bool SampleCheck<kPointerSize>::SameSize(const ObjectView& view) {
  const uint64_t said = inspector_.Size(view.address);
  return said != 0 && stream::AlignUp(said, range_.alignment) == view.step;
}

template <unsigned kPointerSize>
bool SampleCheck<kPointerSize>::SameClass(const ObjectView& view) {
  const uint64_t said = inspector_.ClassId(view.address);
  WalkedType& type = types_.Walked(*view.type);
  if (type.is_free) return said == 0;
  if (said == view.method_table) return true;
  if (said == 0) return type.collectible;  // its context is being unloaded
  const MethodTableHead head{type.flags, type.base_size};
  if (!head.IsArray() || (type.class_id != 0 && type.class_id != said)) return false;
  type.class_id = said;
  return true;
}

template <unsigned kPointerSize>
bool SampleCheck<kPointerSize>::SameReferences(const ObjectView& view) {
  if (view.type->is_free) return true;
  Comparison<kPointerSize> comparison{RawReferences<kPointerSize>(view)};
  if (!inspector_.References(view.address, &Comparison<kPointerSize>::Visit, &comparison)) return false;
  ObjectInspector::Reference unsaid{};
  return comparison.same && !comparison.raw.Next(unsaid);
}

template class SampleCheck<4>;
template class SampleCheck<8>;

}  // namespace cairn::collector
