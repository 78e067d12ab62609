#pragma once
// How full names are written: "Shop.Cache<System.String, Shop.Order>+Entry[]". Pure.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace cairn::collector {

// `chain`: metadata names, outermost first ("Shop.Cache`2", "Entry"). Each takes as many arguments as its own
// suffix says; the last one takes what is left over.
std::string ComposeTypeName(std::span<const std::string_view> chain, std::span<const std::string_view> arguments);

// The suffix goes after the element's name: an Int32[] of Int32[,] is "System.Int32[,][]".
std::string ComposeArrayName(std::string_view element, uint32_t rank, bool multi_dimensional);

// "Cache`2" → 2, with `*stem` "Cache"; 0 and the whole name where there is no such suffix.
uint32_t SplitArity(std::string_view name, std::string_view* stem);

std::string UnknownTypeName(uint64_t class_id);  // "(unknown 0x7f…)"

}  // namespace cairn::collector
