#pragma once
// What the C# compiler made of a method, told by the names of the types it made: state machines of async methods and
// iterators, closures of lambdas.
// Thread rule: pure functions.

#include <optional>
#include <string>
#include <string_view>

namespace cairn::analysis::dotnet {

// Of a state machine, boxed or not:
//   "…+AsyncStateMachineBox<Shop.Worker+<RunAsync>d__5>"  → "Shop.Worker.RunAsync"
//   "Shop.Program+<<Main>$>d__0"                          → "Shop.Program.Main"
//   "Shop.A+<>c__DisplayClass1_0+<<Run>g__Step|0>d"       → "Shop.A.Run.Step"
//   "Shop.A+<>c+<<Run>b__0>d"                             → "Shop.A.Run (lambda)"
std::optional<std::string> StateMachineMethod(std::string_view type_name);

// Whether the state machine is that of an async method that waits: it was boxed.
bool IsAsyncBox(std::string_view type_name);

// The type whose method a lambda is in: "Shop.A" of "Shop.A+<>c__DisplayClass1_0" and of "Shop.A+<>c".
std::optional<std::string> ClosureOwner(std::string_view type_name);

}  // namespace cairn::analysis::dotnet
