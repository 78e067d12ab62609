// The files of `cairn check`: rules, known leaks, baselines. Any text is read, or refused.

#include "viewer/check/baseline.h"
#include "viewer/check/rules_reader.h"
#include "viewer/cli/check_inputs.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace cairn;
  static const check::Words words = cli::CheckWords();
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] % 3 == 0) (void)check::ParseRules(text, "rules.toml", words);
  if (data[0] % 3 == 1) (void)check::ParseKnownLeaks(text, "known.toml", words);
  if (data[0] % 3 == 2) (void)check::ParseBaseline(text, "baseline.toml");
  return 0;
}
