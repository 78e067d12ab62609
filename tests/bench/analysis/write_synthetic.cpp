// write_synthetic FILE OBJECTS: a snapshot of a made-up heap of any size, to try commands on.

#include <cstdio>
#include <cstdlib>

#include "tests/bench/analysis/synthetic_heap.h"

int main(int count, char** arguments) {
  if (count != 3) {
    std::fputs("usage: write_synthetic FILE OBJECTS\n", stderr);
    return 2;
  }
  const auto written = cairn::bench::WriteSyntheticHeap(arguments[1], std::strtoull(arguments[2], nullptr, 10));
  if (!written) std::fprintf(stderr, "%s\n", written.error().message.c_str());
  return written ? 0 : 3;
}
