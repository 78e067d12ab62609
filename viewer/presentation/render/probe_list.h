#pragma once
// The doctor's findings for reading: one line each, the remedy below.

#include "viewer/presentation/render/byte_sink.h"
#include "viewer/presentation/render/text_style.h"
#include "viewer/presentation/tables/probe_table.h"

namespace cairn::presentation {

void WriteProbeList(const ProbeTable& table, TextStyle style, ByteSink& sink);

}  // namespace cairn::presentation
