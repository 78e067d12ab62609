#include "viewer/cli/conversion_output.h"

#include <fmt/format.h>

#include "viewer/presentation/quantity.h"
#include "viewer/presentation/visible_text.h"

namespace cairn::cli {

void PrintConversion(Console& console, const NamedSummaries& named, const std::string& output,
                     const convert::Converted& converted) {
  console.Did(output + " was written");
  if (console.format == OutputFormat::kJson) {
    presentation::JsonDocument document(console.Out());
    document.PutAll(presentation::CompletenessFields(named));
    document.Put("output", output);
    document.Put("objects", converted.objects);
    document.Put("lost", converted.lost);
    return document.Finish();
  }
  LabelIncomplete(console, named);
  console.Print(fmt::format("{}: {}\n", presentation::VisibleText(output),
                            presentation::Counted(converted.objects, "object", "objects")));
  for (const std::string& lost : converted.lost) console.Print(fmt::format("  lost: {}\n", lost));
}

}  // namespace cairn::cli
