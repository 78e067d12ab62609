#pragma once
// Which fields tell the shape of an object, never its content: how full a collection is, whether something was
// disposed, how far an async method is, what code a delegate runs. Known by name and element type. Pure.

#include <cstdint>
#include <string_view>

namespace cairn::collector {

struct ShapeRule {
  bool wanted = false;
  uint32_t bytes = 0;
  bool is_code = false;
};

// `of_framework`: the field is declared by a module that comes with .NET, whose names mean what we think.
// `element_type`: CorElementType of the field's signature.
ShapeRule RuleFor(std::string_view field, uint8_t element_type, bool of_framework);

// Whether a module's name ("System.Collections.dll") is one of .NET's own.
bool IsFramework(std::string_view module);

// The field that holds a method's state machine, in the box that the framework makes of it; its state lies within.
inline constexpr std::string_view kStateMachineField = "StateMachine";
inline constexpr std::string_view kAsyncState = "<>1__state";

}  // namespace cairn::collector
