// `deny CALL PROGRAM ARGUMENTS...` starts a program under a kernel filter that refuses the system
// call CALL, as sandboxes do. CALL may be "datagrams", which denies datagram sockets between
// processes of this machine.

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <string_view>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace {

struct denied_call {
  std::string_view name;
  long number;
};

#define CALL(name) {#name, SYS_##name}
constexpr denied_call all[] = {
    CALL(clone3),
    CALL(clock_nanosleep),
    CALL(epoll_create1),
    CALL(eventfd2),
    CALL(fallocate),
    CALL(flock),
    CALL(get_mempolicy),
    CALL(getrandom),
    CALL(kcmp),
    CALL(kill),
    CALL(madvise),
    CALL(mbind),
    CALL(membarrier),
    CALL(memfd_create),
    CALL(mremap),
    CALL(perf_event_open),
    CALL(pidfd_open),
    CALL(prctl),
    CALL(process_vm_readv),
    CALL(ptrace),
    CALL(readlink),
    CALL(rseq),
    CALL(sched_getaffinity),
    CALL(sched_setaffinity),
    CALL(sched_setscheduler),
    CALL(setitimer),
    CALL(sigaltstack),
    CALL(signalfd4),
    CALL(socket),
    CALL(statx),
    CALL(sysinfo),
    CALL(tgkill),
    CALL(timer_create),
    CALL(timer_settime),
    CALL(timerfd_create),
    CALL(userfaultfd),
    CALL(waitid),
    {"datagrams", SYS_socket},
};
#undef CALL

constexpr std::uint32_t place_of_argument(int which) {
  return offsetof(seccomp_data, args) + static_cast<std::uint32_t>(which) * sizeof(std::uint64_t);
}

sock_filter load(std::size_t place) {
  return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(place));
}

/// Returns an instruction that jumps over `others` instructions if the loaded value is not `value`.
sock_filter only(long value, std::uint8_t others) {
  return BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(value), 0, others);
}

std::vector<sock_filter> filter_against(const denied_call& call) {
  const sock_filter refuse = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
  const sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  const sock_filter number = load(offsetof(seccomp_data, nr));
  if (call.name != "datagrams") return {number, only(call.number, 1), refuse, allow};
  // The bits of this mask hold the kind of a socket; the other bits are flags.
  constexpr std::uint32_t kind = 0xf;
  return {number,
          only(call.number, 6),
          load(place_of_argument(0)),
          only(AF_UNIX, 4),
          load(place_of_argument(1)),
          BPF_STMT(BPF_ALU | BPF_AND | BPF_K, kind),
          only(SOCK_DGRAM, 1),
          refuse,
          allow};
}

bool deny(const denied_call& call) {
  std::vector<sock_filter> filter = filter_against(call);
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int failed = 99;
  if (argc < 3) return failed;
  for (const denied_call& call : all) {
    if (call.name != argv[1]) continue;
    if (deny(call)) execvp(argv[2], argv + 2);
    std::fprintf(stderr, "deny: %s\n", std::strerror(errno));
    return failed;
  }
  std::fprintf(stderr, "deny: no call %s\n", argv[1]);
  return failed;
}
