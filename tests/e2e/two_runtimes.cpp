// two_runtimes (RUNTIME APPLICATION OUTPUT)…: each application, on the libcoreclr.so of the folder RUNTIME, all of them
// in this one process, which no host of .NET's would do. Each writes to its OUTPUT; "READY" here when all have written
// that.

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

namespace {

struct Job {
  std::string runtime, application, output;
};

using Initialize = int(const char*, const char*, int, const char**, const char**, void**, unsigned*);
using Execute = int(void*, unsigned, int, const char**, const char*, unsigned*);

std::string Assemblies(const Job& job) {
  std::string list = job.application;
  for (const auto& entry : std::filesystem::directory_iterator(job.runtime))
    if (entry.path().extension() == ".dll") list += ":" + entry.path().string();
  return list;
}

void Run(const Job& job) {
  void* library = dlopen((job.runtime + "/libcoreclr.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    return;
  }
  const auto initialize = reinterpret_cast<Initialize*>(dlsym(library, "coreclr_initialize"));
  const auto execute = reinterpret_cast<Execute*>(dlsym(library, "coreclr_execute_assembly"));
  const std::string assemblies = Assemblies(job);
  const char* names[] = {"TRUSTED_PLATFORM_ASSEMBLIES", "NATIVE_DLL_SEARCH_DIRECTORIES",
                         "System.Globalization.Invariant"};
  const char* values[] = {assemblies.c_str(), job.runtime.c_str(), "true"};
  void* host = nullptr;
  unsigned domain = 0, code = 0;
  int result = initialize("/proc/self/exe", "two", 3, names, values, &host, &domain);
  if (result == 0) result = execute(host, domain, 0, nullptr, job.application.c_str(), &code);
  std::fprintf(stderr, "%s: %x, %u\n", job.runtime.c_str(), static_cast<unsigned>(result), code);
}

bool IsReady(const std::string& path) {
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return text.find("READY") != std::string::npos;
}

}  // namespace

int main(int count, char** arguments) {
  const int standard = dup(STDOUT_FILENO);
  for (int i = 1; i + 2 < count; i += 3) {
    const Job job{arguments[i], arguments[i + 1], arguments[i + 2]};
    // The runtime takes the standard output that it finds when it first writes.
    dup2(open(job.output.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0644), STDOUT_FILENO);
    std::thread(Run, job).detach();
    while (!IsReady(job.output)) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  dprintf(standard, "PID\t%d\nREADY\n", getpid());
  for (;;) pause();
}
