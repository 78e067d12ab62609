#include "collector/client/method_log.h"

#include <algorithm>

#include "collector/client/hresult_words.h"
#include "snapshot-format/stream/records.h"

namespace cairn::client {
namespace {

using protocol::MethodBlock;

tl::unexpected<Error> Damaged(const char* what) {
  return Fail(ErrorKind::kFailed, "stream.block", std::string("The collector's log is damaged: ") + what + ".",
              "Use a collector library and a cairn of the same build.");
}

template <class Message>
Status Read(std::span<const uint8_t> bytes, Message& message) {
  stream::RecordReader reader(bytes);
  reader(message);
  return reader.Complete() ? Status() : Status(Damaged("a block does not hold what it says"));
}

}  // namespace

std::vector<uint8_t> MethodLog::Bytes(const protocol::MethodWishes& wishes) {
  stream::RecordWriter writer;
  writer(wishes);
  return writer.Take();
}

Status MethodLog::Take(std::span<const uint8_t> block) {
  if (block.empty()) return Damaged("a block is empty");
  const auto rest = block.subspan(1);
  switch (static_cast<MethodBlock>(block.front())) {
    case MethodBlock::kMethod: {
      protocol::TracedMethod method;
      CAIRN_TRY(Read(rest, method));
      if (method.number > methods_.size()) return Damaged("methods are not numbered in their order");
      if (method.number == methods_.size()) methods_.emplace_back();
      methods_[method.number] = method;
      on_method_(method);
      return {};
    }
    case MethodBlock::kThread: {
      protocol::TracedThread thread;
      CAIRN_TRY(Read(rest, thread));
      return TakeThread(std::move(thread));
    }
    case MethodBlock::kException: {
      protocol::TracedException exception;
      CAIRN_TRY(Read(rest, exception));
      return TakeException(std::move(exception));
    }
    case MethodBlock::kCalls: {
      protocol::TracedCalls calls;
      CAIRN_TRY(Read(rest, calls));
      return TakeCalls(calls);
    }
    case MethodBlock::kTotals:
      has_totals_ = true;
      return Read(rest, totals_);
    case MethodBlock::kMatched:
      return Read(rest, matched_);
    case MethodBlock::kReverted:
      return Read(rest, reverted_);
    case MethodBlock::kProblem: {
      protocol::MethodProblem problem;
      CAIRN_TRY(Read(rest, problem));
      return Fail(ErrorKind::kFailed, "methods.refused",
                  "The runtime did not compile the methods anew: " + HresultText(problem.result) + ".",
                  "Try again; nothing was changed.");
    }
    case MethodBlock::kBegun: {
      protocol::TracingBegun begun;
      CAIRN_TRY(Read(rest, begun));
      session_ = begun.session;
      on_begin_(begun.methods);
      return {};
    }
  }
  return Damaged("a block is of an unknown kind");
}

Status MethodLog::TakeThread(protocol::TracedThread thread) {
  if (thread.number != threads_.size() + 1) return Damaged("threads are not numbered in their order");
  threads_.push_back({thread.os_id, std::move(thread.name)});
  return {};
}

Status MethodLog::TakeException(protocol::TracedException exception) {
  if (exception.number != exceptions_.size() + 1) return Damaged("exceptions are not numbered in their order");
  exceptions_.push_back(std::move(exception.type));
  return {};
}

Status MethodLog::TakeCalls(const protocol::TracedCalls& calls) {
  for (const protocol::TracedCall& call : calls.calls) {
    const bool known = call.method < methods_.size() && call.thread >= 1 && call.thread <= threads_.size() &&
                       call.exception <= exceptions_.size();
    if (!known) return Damaged("a call names what was not told");
    const std::string* exception = call.exception == 0 ? nullptr : &exceptions_[call.exception - 1];
    Count(call);
    CAIRN_TRY(on_call_({call.time_ns, &threads_[call.thread - 1], &methods_[call.method].name, call.leave,
                        call.duration_ns, exception}));
  }
  return {};
}

// As the collector counts: of a method that calls itself, the outermost call's time. Which that is, it says itself, for
// of the lines some may be lost.
void MethodLog::Count(const protocol::TracedCall& call) {
  if (told_.size() <= call.method) told_.resize(methods_.size());
  protocol::MethodTotal& sum = told_[call.method];
  if (!call.leave) {
    ++sum.enters;
    return;
  }
  ++sum.leaves;
  if (call.exception != 0) ++sum.exceptions;
  if (!call.is_inner) sum.total_ns += call.duration_ns;
  sum.longest_ns = std::max(sum.longest_ns, call.duration_ns);
}

void MethodLog::TakeTotalsOf(const MethodLog& other, bool lines) {
  totals_ = other.totals_;
  reverted_ = other.reverted_;
  has_totals_ = other.has_totals_;
  uint64_t counted = 0, told = 0;
  for (const protocol::MethodTotal& total : totals_.methods) counted += total.enters + total.leaves;
  for (const protocol::MethodTotal& total : told_) told += total.enters + total.leaves;
  totals_.lost_lines = lines && counted > told ? counted - told : 0;
}

void MethodLog::TakeTotalsOfCalls() {
  totals_.methods = told_;
  for (size_t i = 0; i < told_.size(); ++i) totals_.methods[i].method = static_cast<uint32_t>(i);
}

}  // namespace cairn::client
