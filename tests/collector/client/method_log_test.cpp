// Blocks of the log of methods become calls with names; what does not fit together is an error.

#include "collector/client/method_log.h"

#include <gtest/gtest.h>

#include "snapshot-format/stream/records.h"

namespace cairn::client {
namespace {

using protocol::MethodBlock;

template <class Message>
std::vector<uint8_t> Block(MethodBlock kind, const Message& message) {
  stream::RecordWriter writer;
  writer(kind);
  writer(message);
  return writer.Take();
}

class MethodLogTest : public ::testing::Test {
 protected:
  template <class Message>
  std::string CodeOf(MethodBlock kind, const Message& message) {
    const Status status = log_.Take(Block(kind, message));
    return status ? "" : status.error().code;
  }
  void TellNames() {
    EXPECT_EQ(CodeOf(MethodBlock::kMethod, protocol::TracedMethod{0, "Shop.Order.Save", "Shop.dll", ""}), "");
    EXPECT_EQ(CodeOf(MethodBlock::kThread, protocol::TracedThread{1, 4243, "worker"}), "");
    EXPECT_EQ(CodeOf(MethodBlock::kException, protocol::TracedException{1, "System.Exception"}), "");
  }

  std::vector<std::string> calls_;
  size_t told_ = 0;
  uint32_t begun_ = 0;
  MethodLog log_{[this](const LoggedCall& call) {
                   calls_.push_back(*call.method + (call.leave ? " < " : " > ") + call.thread->name +
                                    (call.exception == nullptr ? "" : " " + *call.exception));
                   return Status();
                 },
                 [this](const protocol::TracedMethod&) { ++told_; }, [this](uint32_t methods) { begun_ = methods; }};
};

TEST_F(MethodLogTest, PutsNamesToCalls) {
  TellNames();
  EXPECT_EQ(CodeOf(MethodBlock::kBegun, protocol::TracingBegun{1, 1}), "");
  protocol::TracedCalls calls{{{10, 0, 0, 1, 0, false}, {15, 5, 0, 1, 1, true}}};
  EXPECT_EQ(CodeOf(MethodBlock::kCalls, calls), "");
  EXPECT_EQ(calls_,
            (std::vector<std::string>{"Shop.Order.Save > worker", "Shop.Order.Save < worker System.Exception"}));
  EXPECT_EQ(told_, 1u);
  EXPECT_EQ(begun_, 1u);
}

// From the start of a process methods come while calls do, and one may turn out to be left alone.
TEST_F(MethodLogTest, TakesAMethodAgain) {
  TellNames();
  EXPECT_EQ(CodeOf(MethodBlock::kMethod, protocol::TracedMethod{1, "Shop.Order.Load", "Shop.dll", ""}), "");
  EXPECT_EQ(CodeOf(MethodBlock::kMethod, protocol::TracedMethod{0, "Shop.Order.Save", "Shop.dll", "It may not."}), "");
  EXPECT_EQ(CodeOf(MethodBlock::kMethod, protocol::TracedMethod{3, "Shop.Order.Drop", "Shop.dll", ""}), "stream.block");
  ASSERT_EQ(log_.Methods().size(), 2u);
  EXPECT_EQ(log_.Methods()[0].not_traced, "It may not.");
  EXPECT_EQ(log_.Methods()[1].not_traced, "");
  EXPECT_EQ(told_, 3u);
}

// 100 ns with 60 within, and 7 once more: 107; the leave of a call of 9 ns is lost, and that of the next, 5 ns, counts
// all the same: 112. And what another log was told counts what was lost here: of the 13 enters and leaves that were
// counted there, 9 were told here: 4 lost.
TEST_F(MethodLogTest, SumsUpWhatWasToldWhereNoTotalsCome) {
  TellNames();
  EXPECT_EQ(CodeOf(MethodBlock::kBegun, protocol::TracingBegun{1, 3}), "");
  EXPECT_EQ(log_.Session(), 3u);
  protocol::TracedCalls calls{{{10, 0, 0, 1, 0, false},
                               {20, 0, 0, 1, 0, false, true},
                               {80, 60, 0, 1, 1, true, true},
                               {110, 100, 0, 1, 0, true},
                               {200, 0, 0, 1, 0, false},
                               {207, 7, 0, 1, 0, true},
                               {300, 0, 0, 1, 0, false},
                               {400, 0, 0, 1, 0, false},
                               {405, 5, 0, 1, 0, true}}};
  EXPECT_EQ(CodeOf(MethodBlock::kCalls, calls), "");
  EXPECT_FALSE(log_.HasTotals());
  log_.TakeTotalsOfCalls();
  ASSERT_EQ(log_.Totals().methods.size(), 1u);
  const protocol::MethodTotal& sum = log_.Totals().methods[0];
  EXPECT_EQ(sum.enters, 5u);
  EXPECT_EQ(sum.leaves, 4u);
  EXPECT_EQ(sum.exceptions, 1u);
  EXPECT_EQ(sum.total_ns, 112u);
  EXPECT_EQ(sum.longest_ns, 100u);

  MethodLog later([](const LoggedCall&) { return Status(); }, [](const protocol::TracedMethod&) {}, [](uint32_t) {});
  protocol::MethodTotals totals;
  totals.methods.push_back({0, 7, 6, 1, 500, 100});
  EXPECT_TRUE(later.Take(Block(MethodBlock::kTotals, totals)));
  EXPECT_TRUE(later.Take(Block(MethodBlock::kReverted, protocol::MethodsReverted{1, 0})));
  log_.TakeTotalsOf(later, false);
  EXPECT_EQ(log_.Totals().lost_lines, 0u) << "no lines were asked for";
  log_.TakeTotalsOf(later, true);
  EXPECT_TRUE(log_.HasTotals());
  EXPECT_EQ(log_.Totals().methods[0].enters, 7u);
  EXPECT_EQ(log_.Totals().lost_lines, 4u);
  EXPECT_EQ(log_.Reverted().reverted, 1u);
}

TEST_F(MethodLogTest, FindsWhatWasNeverTold) {
  TellNames();
  for (const protocol::TracedCall& call : {protocol::TracedCall{1, 0, 1, 1, 0, false},
                                           {1, 0, 0, 0, 0, false},
                                           {1, 0, 0, 2, 0, false},
                                           {1, 0, 0, 1, 2, true}}) {
    EXPECT_EQ(CodeOf(MethodBlock::kCalls, protocol::TracedCalls{{call}}), "stream.block");
  }
  EXPECT_EQ(CodeOf(MethodBlock::kMethod, protocol::TracedMethod{5, "A.B", "", ""}), "stream.block");
  EXPECT_EQ(CodeOf(MethodBlock::kThread, protocol::TracedThread{3, 1, ""}), "stream.block");
  EXPECT_TRUE(calls_.empty());
}

TEST_F(MethodLogTest, FindsDamagedBlocks) {
  EXPECT_EQ(log_.Take({}).error().code, "stream.block");
  EXPECT_EQ(log_.Take(std::vector<uint8_t>{99, 0}).error().code, "stream.block");
  std::vector<uint8_t> cut = Block(MethodBlock::kMethod, protocol::TracedMethod{0, "A.B", "", ""});
  cut.pop_back();
  EXPECT_EQ(log_.Take(cut).error().code, "stream.block");
}

TEST_F(MethodLogTest, SaysWhatTheRuntimeRefused) {
  const Status status = log_.Take(Block(MethodBlock::kProblem, protocol::MethodProblem{0x8013137C}));
  EXPECT_EQ(status.error().code, "methods.refused");
  EXPECT_NE(status.error().message.find("0x8013137C"), std::string::npos);
}

TEST_F(MethodLogTest, KeepsTheSums) {
  TellNames();
  EXPECT_EQ(CodeOf(MethodBlock::kTotals, protocol::MethodTotals{{{0, 3, 2, 1, 500, 300}}, 7, 0}), "");
  EXPECT_EQ(CodeOf(MethodBlock::kReverted, protocol::MethodsReverted{1, 0}), "");
  EXPECT_EQ(log_.Totals().methods.at(0).leaves, 2u);
  EXPECT_EQ(log_.Totals().lost_lines, 7u);
  EXPECT_EQ(log_.Reverted().reverted, 1u);
}

}  // namespace
}  // namespace cairn::client
