#pragma once
// A number as JSON. JSON has none for what is not finite; such a one is a text there, as JavaScript writes it.

#include <cmath>

#include "viewer/presentation/render/json_document.h"

namespace cairn::presentation {

inline Json JsonNumber(double number) {
  if (std::isfinite(number)) return number;
  if (std::isnan(number)) return "NaN";
  return number < 0 ? "-Infinity" : "Infinity";
}

}  // namespace cairn::presentation
