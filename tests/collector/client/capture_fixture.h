#pragma once
// A whole capture against a runtime and a collector made up here.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "collector/client/capture_listener.h"
#include "collector/client/library_placement.h"
#include "collector/client/on_machine.h"
#include "tests/collector/client/fake_collector.h"
#include "tests/collector/client/fake_machine.h"
#include "tests/collector/client/fake_runtime.h"
#include "tests/collector/client/small_elf.h"

namespace cairn::client {

class CaptureTest : public ::testing::Test {
 protected:
  CaptureTest() {
    machine_.Add({});
    machine_.AddLibrary(library_);
    runtime_ = std::make_unique<testing::FakeRuntime>(machine_.Here("/t/dotnet-diagnostic-7-4711-socket"));
    request_.target.pid = getpid();
    request_.output = Output();
    request_.gc = protocol::GcRequest::kFull;
    request_.timeout = milliseconds(20000);
    UseCollector([](int fd, const protocol::Options& options) { testing::SendFrames(fd, Frames(options)); });
  }
  ~CaptureTest() override { JoinCollectors(); }
  // Before what a collector refers to goes out of scope.
  void JoinCollectors() {
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

  std::string Output() const { return machine_.File("out/a.cairn"); }

  static std::vector<testing::Sent> Frames(const protocol::Options& options) {
    testing::Conversation talk;
    std::copy(std::begin(options.nonce), std::end(options.nonce), talk.hello.nonce);
    return talk.Frames();
  }

  using Collector = std::function<void(int fd, const protocol::Options& options)>;
  // The collector connects before the attach is answered, as the real one does, and talks on a thread.
  void UseCollector(Collector collector) {
    runtime_->on_attach = [this, collector](const testing::AttachSeen& seen) {
      const int fd = testing::ConnectTo(machine_.Here(seen.options.socket_path));
      if (fd < 0) return 0x80004005u;
      threads_.emplace_back([collector, fd, options = seen.options] {
        collector(fd, options);
        close(fd);
      });
      return 0u;
    };
  }

  Result<CaptureResult> Capture() {
    auto result = CaptureOn(
        machine_.Machine(), request_, [this](const CaptureProgress& progress) { said_.push_back(progress.text); },
        cancel_);
    // Whatever happened, nothing of the capture stays beside the runtime's socket but the placed library.
    for (const std::string& name : machine_.Names("/t")) EXPECT_FALSE(IsListenerName(name)) << name;
    const std::string placed = "/t/" + PlacementFolderName(geteuid());
    if (std::filesystem::exists(machine_.Here(placed))) {
      EXPECT_THAT(machine_.Names(placed), ::testing::Each(PlacedName(library_)));
    }
    return result;
  }
  // Code of a capture that must fail and leave no file.
  std::string Code() {
    const auto result = Capture();
    EXPECT_FALSE(result);
    if (result) return "";
    EXPECT_FALSE(result.error().message.empty());
    EXPECT_TRUE(std::filesystem::is_empty(machine_.File("out")));
    last_ = result.error();
    return last_.code;
  }

  const std::string library_ = testing::MakeElf({});
  testing::FakeMachine machine_;
  std::vector<std::thread> threads_;
  std::unique_ptr<testing::FakeRuntime> runtime_;
  CaptureRequest request_;
  std::atomic<bool> cancel_{false};
  std::vector<std::string> said_;
  Error last_;
};

}  // namespace cairn::client
