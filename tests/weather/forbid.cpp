// forbid ERRNO SYSCALL,SYSCALL… COMMAND…: starts COMMAND in a process that may not make these system calls, as in a
// container with a strict seccomp profile: each returns ERRNO (a number). `forbid --list` names those it knows.

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <sstream>
#include <string>
#include <vector>

namespace {

// Seconds: a process that hangs for want of a call ends nevertheless.
constexpr unsigned kLongestLife = 180;

struct Call {
  const char* name;
  unsigned number;
};

// What the collector comes to, itself or through the C library. Not rt_sigaction: a runtime that may not handle the
// signals that it sends itself dies of them.
#define CALL(name) \
  { #name, SYS_##name }
constexpr Call kCalls[] = {
    CALL(mmap),
    CALL(mremap),
    CALL(madvise),
    CALL(clone),
    CALL(clone3),
    CALL(socket),
    CALL(connect),
    CALL(sendto),
    CALL(recvfrom),
    CALL(shutdown),
    CALL(poll),
    CALL(ppoll),
    CALL(eventfd2),
    CALL(read),
    CALL(pread64),
    CALL(write),
    CALL(openat),
    CALL(getdents64),
    CALL(newfstatat),
    CALL(fstat),
    CALL(prctl),
    CALL(close_range),
    CALL(getrandom),
    CALL(process_vm_readv),
    CALL(wait4),
    CALL(kill),
    CALL(nanosleep),
    CALL(setpriority),
    CALL(getpriority),
    CALL(clock_nanosleep),
    CALL(prlimit64),

    CALL(futex),
    CALL(memfd_create),
    CALL(membarrier),
    CALL(sched_getaffinity),
    CALL(sched_setaffinity),
    CALL(readlink),
    CALL(statfs),
    CALL(sysinfo),
    CALL(getsockopt),
    CALL(bind),
    CALL(listen),
    CALL(accept4),
    CALL(mincore),
    CALL(get_mempolicy),
    CALL(rseq),
    CALL(set_robust_list),
};
#undef CALL

unsigned NumberOf(const std::string& name) {
  for (const Call& call : kCalls)
    if (name == call.name) return call.number;
  fprintf(stderr, "forbid: unknown system call %s\n", name.c_str());
  exit(2);
}

std::vector<unsigned> NumbersOf(const char* list) {
  std::vector<unsigned> numbers;
  std::stringstream text(list);
  for (std::string name; std::getline(text, name, ',');) numbers.push_back(NumberOf(name));
  return numbers;
}

#ifdef __aarch64__
constexpr unsigned kArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr unsigned kArchitecture = AUDIT_ARCH_X86_64;
#endif

std::vector<sock_filter> Filter(const std::vector<unsigned>& numbers, unsigned error) {
  std::vector<sock_filter> filter = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
  };
  for (const unsigned number : numbers) {
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1));
    filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error & SECCOMP_RET_DATA)));
  }
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  return filter;
}

bool Install(std::vector<sock_filter> filter) {
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

}  // namespace

int main(int count, char** arguments) {
  if (count == 2 && std::string(arguments[1]) == "--list") {
    for (const Call& call : kCalls) puts(call.name);
    return 0;
  }
  if (count < 4) return 2;
  if (!Install(Filter(NumbersOf(arguments[2]), static_cast<unsigned>(atoi(arguments[1]))))) {
    perror("forbid");
    return 3;
  }
  alarm(kLongestLife);  // outlives the exec
  execvp(arguments[3], arguments + 3);
  perror(arguments[3]);
  return 3;
}
