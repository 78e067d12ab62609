#pragma once
// What a test and the process under bad weather share: a file of this struct, mapped by both. Words of eight bytes, so
// that tests/e2e/weather.py can read and write it.
// Thread rule: anything may be read at any time; whoever writes sets `armed` last.

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace cairn::weather {

inline constexpr int64_t kMagic = 0x3172656874616577;  // "weather1"
inline constexpr size_t kMostFunctions = 64;
inline constexpr size_t kNameBytes = 32;
inline constexpr size_t kMostNumbers = 512;
inline constexpr size_t kMostPaths = 16384;

// Do not renumber: weather.py knows them.
enum class Action : int64_t { kCount = 0, kFail = 1, kSignal = 2, kTrace = 3 };

using Word = std::atomic<int64_t>;

struct Control {
  Word magic;
  Word armed;        // 0: calls pass, and are counted in `calls` only
  Word low, high;    // where the callers lie that are meant
  Word action;       // of Action
  Word at;           // the first of the selected calls that is acted upon, from 1
  Word times;        // how many are, one behind the other
  Word error;        // kFail: errno
  Word signal, pid;  // kSignal; pid 0: the process that calls
  Word number;       // of `syscall`, only this one; -1: any
  Word clock_leap;   // ns by which the wall clock is wrong, one way and the other by turns, while armed
  Word matched;      // selected calls since it was armed
  Word acted;        // of which were acted upon
  Word where;        // the last one: how far behind `low` its caller lies
  Word function;     // the last one: which function
  Word path;         // the last one: a number for the chain of callers that led to it
  Word clock_reads;  // of the wall clock, by the callers that are meant, while armed
  Word selected[kMostFunctions];
  Word calls[kMostFunctions];              // by the callers that are meant
  Word numbers[kMostNumbers];              // calls of `syscall`, by number
  char names[kMostFunctions][kNameBytes];  // of the functions; an empty one ends them
  struct Path {
    Word path;          // 0: no more
    Word turn;          // the first selected call that came by it
  } paths[kMostPaths];  // kTrace
};

}  // namespace cairn::weather
