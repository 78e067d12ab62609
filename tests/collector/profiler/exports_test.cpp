// What the library shows and needs, and the steps by which the runtime gets at the profiler.

#include <gmock/gmock.h>

#include <cstdio>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include "tests/collector/profiler/loaded_library.h"

namespace cairn::collector {
namespace {

std::vector<std::string> Lines(const std::string& command) {
  std::vector<std::string> lines;
  FILE* pipe = popen((command + " " CAIRN_COLLECTOR_LIBRARY).c_str(), "r");
  char line[1024];
  while (pipe != nullptr && fgets(line, sizeof line, pipe) != nullptr) lines.emplace_back(line);
  EXPECT_EQ(pclose(pipe), 0) << command;
  return lines;
}

TEST(ExportsTest, ShowsTwoSymbols) {
  std::vector<std::string> names;
  for (const std::string& line : Lines("nm -D --defined-only")) {
    std::istringstream words(line);
    std::string address, kind, name;
    words >> address >> kind >> name;
    names.push_back(kind + " " + name);
  }
  EXPECT_THAT(names, ::testing::UnorderedElementsAre("T DllGetClassObject", "T DllCanUnloadNow"));
}

TEST(ExportsTest, NeedsTheCLibraryOnly) {
  std::vector<std::string> needed;
  for (const std::string& line : Lines("readelf -d")) {
    if (line.find("(NEEDED)") == std::string::npos) continue;
    const size_t open = line.find('[');
    needed.push_back(line.substr(open + 1, line.find(']') - open - 1));
  }
  EXPECT_THAT(needed, ::testing::ElementsAre("libc.so.6"));
}

// "2.17" of "... (GLIBC_2.17) clock_gettime"; nothing where a line names no version.
std::vector<int> GlibcVersion(const std::string& line) {
  constexpr const char* kPrefix = "GLIBC_";
  const size_t at = line.find(kPrefix);
  if (at == std::string::npos) return {};
  std::istringstream numbers(line.substr(at + std::strlen(kPrefix)));
  std::vector<int> version;
  for (int number = 0; numbers >> number;) {
    version.push_back(number);
    if (numbers.get() != '.') break;
  }
  return version;
}

// What the oldest system that is promised has; the versions that musl ignores.
TEST(ExportsTest, TakesNothingNewerThanGlibc217) {
  const std::vector<int> oldest_promised = {2, 17};
  size_t versioned = 0;
  for (const std::string& line : Lines("objdump -T")) {
    const std::vector<int> version = GlibcVersion(line);
    if (version.empty()) continue;
    ++versioned;
    EXPECT_LE(version, oldest_promised) << line;
  }
  EXPECT_GT(versioned, 50u);
}

TEST(ExportsTest, StaysLoadedAndBindsAtOnce) {
  std::string flags;
  for (const std::string& line : Lines("readelf -d")) {
    if (line.find("FLAGS") != std::string::npos) flags += line;
  }
  EXPECT_THAT(flags, ::testing::HasSubstr("NODELETE"));
  EXPECT_THAT(flags, ::testing::HasSubstr("NOW"));
}

TEST(ExportsTest, KnowsItsClassOnly) {
  void* object = nullptr;
  const GetClassObject get = FindGetClassObject();
  ASSERT_NE(get, nullptr);
  abi::GUID other = CollectorClsid();
  other.data1 ^= 1;
  EXPECT_EQ(get(other, abi::IClassFactory::kIid, &object), abi::kClassNotAvailable);
  EXPECT_EQ(get(CollectorClsid(), abi::ICorProfilerCallback::kIid, &object), abi::kNoInterface);
  EXPECT_EQ(get(CollectorClsid(), abi::IClassFactory::kIid, nullptr), abi::kPointer);
}

// One for each runtime that holds one; what was let go is taken again, so that captures cost no memory.
TEST(ExportsTest, GivesAProfilerThatNobodyHolds) {
  abi::ICorProfilerCallback11* first = CreateProfiler();
  abi::ICorProfilerCallback11* second = CreateProfiler();
  EXPECT_NE(first, second);
  second->Release();
  EXPECT_EQ(CreateProfiler(), second);
  void* object = nullptr;
  abi::IClassFactory* factory = nullptr;
  ASSERT_EQ(FindGetClassObject()(CollectorClsid(), abi::IClassFactory::kIid, reinterpret_cast<void**>(&factory)),
            abi::kOk);
  EXPECT_EQ(factory->CreateInstance(nullptr, abi::IClassFactory::kIid, &object), abi::kNoInterface);
  EXPECT_EQ(factory->CreateInstance(nullptr, abi::IClassFactory::kIid, &object), abi::kNoInterface);
  factory->Release();
  abi::Bool notification_only = 1;
  EXPECT_EQ(first->LoadAsNotificationOnly(&notification_only), abi::kOk);
  EXPECT_EQ(notification_only, 0);
  first->Release();
  second->Release();
}

TEST(ExportsTest, AnotherClassOnlyListens) {
  abi::ICorProfilerCallback11* beside = CreateProfiler(abi::GuidFromBytes(protocol::kBesideClsid));
  abi::ICorProfilerCallback11* main = CreateProfiler();
  EXPECT_NE(beside, main);
  abi::Bool notification_only = 0;
  EXPECT_EQ(beside->LoadAsNotificationOnly(&notification_only), abi::kOk);
  EXPECT_EQ(notification_only, 1);
  EXPECT_EQ(beside->LoadAsNotificationOnly(nullptr), abi::kPointer);
  EXPECT_EQ(beside->Initialize(nullptr), abi::kErrorProfilerCancelActivation) << "it never stays";
  beside->Release();
  main->Release();
}

TEST(ExportsTest, EndsTheRuntimesOwnWalk) {
  abi::ICorProfilerCallback11* profiler = CreateProfiler();
  EXPECT_TRUE(abi::Failed(profiler->ObjectReferences(0x1000, 0x2000, 0, nullptr)));
  profiler->Release();
}

// Callbacks may come at any time, also when no capture is under way.
TEST(ExportsTest, CallbacksWithoutACaptureDoNothing) {
  abi::ICorProfilerCallback11* profiler = CreateProfiler();
  abi::Bool collected[] = {1, 1, 1, 1, 1};
  EXPECT_EQ(profiler->RuntimeSuspendStarted(abi::SuspendReason::kForGc), abi::kOk);
  EXPECT_EQ(profiler->RuntimeSuspendFinished(), abi::kOk);
  EXPECT_EQ(profiler->GarbageCollectionStarted(5, collected, abi::GcReason::kInduced), abi::kOk);
  EXPECT_EQ(profiler->RootReferences2(0, nullptr, nullptr, nullptr, nullptr), abi::kOk);
  EXPECT_EQ(profiler->GarbageCollectionFinished(), abi::kOk);
  EXPECT_EQ(profiler->RuntimeResumeStarted(), abi::kOk);
  EXPECT_EQ(profiler->RuntimeResumeFinished(), abi::kOk);
  EXPECT_EQ(profiler->ProfilerAttachComplete(), abi::kOk);
  EXPECT_EQ(profiler->ProfilerDetachSucceeded(), abi::kOk);
  EXPECT_EQ(profiler->Shutdown(), abi::kOk);
  EXPECT_EQ(profiler->InitializeForAttach(nullptr, nullptr, 0), abi::kInvalidArgument);
  profiler->Release();
}

}  // namespace
}  // namespace cairn::collector
