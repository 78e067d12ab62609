// page_costs SNAPSHOT [CACHE_FOLDER]: what the pages of `cairn view` cost one after the other: CPU time of the job (all
// threads) and what is resident afterwards, in bytes per object: memory of its own, and mapped files, which the system
// takes back when it needs the room. Decides nothing.

#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <thread>

#include "viewer/presentation/pages/page_loader.h"

namespace cairn::bench {
namespace {

using presentation::PagePointer;
using presentation::Place;
using presentation::SortKey;
using presentation::View;

double CpuSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// A line of /proc/self/status, in bytes.
uint64_t Status(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (word == name + ":" && status >> word) return std::stoull(word) * 1024;
  return 0;
}

class Costs {
 public:
  Costs(const std::string& path, session::SnapshotSession::Options options) : path_(path), loader_(std::move(options)) {
    if (auto session = session::SnapshotSession::Open(path)) objects_ = (*session)->GetSummary().totals.objects;
  }

  int Run() {
    if (objects_ == 0) return 3;
    Tell("opened", 0);
    Show("overview, first", Place::Of(View::kOverview, path_), true);
    Show("overview", Place::Of(View::kOverview, path_));
    Show("suspects", Place::Of(View::kSuspects, path_));
    // What is kept in the cache is written, and left to its file.
    for (const int seconds : {1, 2, 3, 6}) {
      std::this_thread::sleep_for(std::chrono::seconds(seconds));
      Tell("some seconds later: " + std::to_string(seconds * (seconds + 1) / 2), 0);
    }
    const Place objects = Place::Of(View::kObjects, path_);
    for (const char* column : {"retained", "address", "bytes", "type", "generation"})
      for (const bool ascending : {false, true})
        Show(std::string("objects by ") + column + (ascending ? ", ascending" : ""),
             objects.Sorted({{column, ascending}}));
    Show("treemap", Place::Of(View::kTreemap, path_));
    return failed_ ? 3 : 0;
  }

 private:
  void Show(const std::string& name, const Place& place, bool preview = false) {
    const double before = CpuSeconds();
    analysis::Work work;
    const auto page = preview ? loader_.Preview(place, work) : loader_.Load(place, work);
    if (!page) std::fprintf(stderr, "%s: %s\n", name.c_str(), page.error().message.c_str());
    failed_ |= !page;
    Tell(name, CpuSeconds() - before);
  }

  void Tell(const std::string& name, double cpu) const {
    const auto each = [&](const char* line) {
      return static_cast<double>(Status(line)) / static_cast<double>(objects_);
    };
    std::printf("%-28s %6.2f s of CPU, resident %5.1f B/object and %4.1f mapped, highest %5.1f\n", name.c_str(), cpu,
                each("RssAnon"), each("RssFile"), each("VmHWM"));
    std::fflush(stdout);
  }

  const std::string path_;
  presentation::PageLoader loader_;
  uint64_t objects_ = 0;
  bool failed_ = false;
};

}  // namespace
}  // namespace cairn::bench

int main(int count, char** arguments) {
  if (count < 2 || count > 3) {
    std::fputs("usage: page_costs SNAPSHOT [CACHE_FOLDER]\n", stderr);
    return 2;
  }
  cairn::session::SnapshotSession::Options options;
  if (count == 3) options.cache.folder = arguments[2];
  return cairn::bench::Costs(arguments[1], options).Run();
}
