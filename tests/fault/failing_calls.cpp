// This library makes one call of the C library fail. LD_PRELOAD loads it. After
// `count_failing_calls`, the library counts the calls of each C function in each process. The
// library counts only calls by the program, the runtime, the MPI plug-in, and libraries that only
// Atoll uses.
//
// FAILING_CALLS_RECORD  file to which a line is added for each call, "PROCESS NAME INDEX CALLERS".
//                       If FAILING_CALLS is set too, only the failing call is added.
// FAILING_CALLS         the call that fails, "PROCESS NAME INDEX ERRNO"
//
// Under a launcher, the name of a process is its rank. Without a launcher, the first process has
// the name "0". The n-th child of a process has the name of its parent followed by ".n". All
// functions that allocate memory are counted under the name "malloc".

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

constexpr int most_segments = 256;
constexpr int callers_shown = 12;

struct segment {
  std::uintptr_t begin;
  std::uintptr_t end;
};

// The library counts only calls from code at the addresses in `segments`.
segment segments[most_segments];
std::atomic<int> segment_count{0};

std::atomic<bool> counts{false};
__attribute__((tls_model("initial-exec"))) thread_local bool inside =
    false;  // true during calls of the library itself, which are not counted
int record = -1;
char process[64] = "0";
int children = 0;

struct {
  bool wanted = false;
  char process[64] = "";
  char name[32] = "";
  long index = 0;
  int error = 0;
} failing;

bool is_under_launcher() { return std::getenv("PMIX_RANK") || std::getenv("PMI_RANK"); }

bool is_own(const char* path, bool is_program) {
  if (is_program || std::strstr(path, "atoll") != nullptr) return true;
  for (const char* name : {"/libstdc++.", "/libfmt.", "/libspdlog."})
    if (std::strstr(path, name) != nullptr) return true;
  // Under a launcher, calls from within the C library and the loader are not counted. Such calls
  // can be on behalf of the MPI library or of hwloc's plug-ins.
  return !is_under_launcher() && std::strstr(path, "/libc.") != nullptr;
}

void find_segments() {
  segment_count = 0;
  int modules = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* seen) {
        const bool is_program = (*static_cast<int*>(seen))++ == 0;
        if (std::strstr(info->dlpi_name, "failing_calls") != nullptr) return 0;
        if (!is_own(info->dlpi_name, is_program)) return 0;
        for (int i = 0; i < info->dlpi_phnum && segment_count < most_segments; ++i) {
          const auto& header = info->dlpi_phdr[i];
          if (header.p_type != PT_LOAD || (header.p_flags & PF_X) == 0) continue;
          const std::uintptr_t begin = info->dlpi_addr + header.p_vaddr;
          segments[segment_count] = {begin, begin + header.p_memsz};
          ++segment_count;
        }
        return 0;
      },
      &modules);
}

bool is_own(void* caller) {
  const auto address = reinterpret_cast<std::uintptr_t>(caller);
  for (int i = 0; i < segment_count; ++i)
    if (address >= segments[i].begin && address < segments[i].end) return true;
  return false;
}

/// Counts the calls of one name in this process. In a child process, the count begins at 0.
struct counter {
  const char* name;
  std::atomic<long> calls{0};
  std::atomic<int> generation{0};
};
std::atomic<int> generation{0};

/// While an object of this type exists, calls of this thread are not counted.
struct own_work {
  own_work() { inside = true; }
  ~own_work() { inside = former; }

  bool former = inside;
};

// Uses the system call directly, because `write` is one of the counted functions.
void put(const char* text, int length) {
  if (record >= 0) syscall(SYS_write, record, text, static_cast<std::size_t>(length));
}

/// Appends a call and its callers to the record. The addresses of the callers distinguish calls of
/// the same function at different places of the program.
void note(const char* name, long index) {
  void* frames[callers_shown + 2];
  const int depth = backtrace(frames, callers_shown + 2);
  char line[1024];
  int length = std::snprintf(line, sizeof line, "%s %s %ld", process, name, index);
  for (int i = 2; i < depth && i < callers_shown + 2; ++i) {
    Dl_info of{};
    dladdr(frames[i], &of);
    const char* const slash = of.dli_fname != nullptr ? std::strrchr(of.dli_fname, '/') : nullptr;
    const auto offset = static_cast<char*>(frames[i]) - static_cast<char*>(of.dli_fbase);
    length +=
        std::snprintf(line + length, sizeof line - static_cast<std::size_t>(length), " %.40s+%#lx",
                      slash != nullptr ? slash + 1 : "?", static_cast<unsigned long>(offset));
  }
  line[length++] = '\n';
  put(line, length);
}

/// Counts a call. If the call must fail, sets errno and returns true.
bool fails(counter& of, void* caller) {
  if (!counts || inside || !is_own(caller)) return false;
  const int kept_errno = errno;
  const own_work here;
  if (of.generation.exchange(generation) != generation) of.calls = 0;
  const long index = ++of.calls;
  const bool is_it = failing.wanted && index == failing.index &&
                     std::strcmp(of.name, failing.name) == 0 &&
                     std::strcmp(process, failing.process) == 0;
  if (is_it || !failing.wanted) note(of.name, index);
  errno = is_it ? failing.error : kept_errno;
  return is_it;
}

template <class Function>
Function* next(const char* name) {
  const own_work here;
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

__attribute__((constructor)) void begin() {
  const own_work here;
  for (const char* variable : {"PMIX_RANK", "PMI_RANK"})
    if (const char* const rank = std::getenv(variable))
      std::snprintf(process, sizeof process, "%s", rank);
  if (const char* const wanted = std::getenv("FAILING_CALLS"))
    failing.wanted = std::sscanf(wanted, "%63s %31s %ld %d", failing.process, failing.name,
                                 &failing.index, &failing.error) == 4;
  if (const char* const file = std::getenv("FAILING_CALLS_RECORD"))
    record = static_cast<int>(
        syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  void* frame[1];
  backtrace(frame, 1);  // The first call of backtrace loads a library.
  find_segments();
}

}  // namespace

// A failing call returns `value`.
#define FAILING_CALL(result, function, parameters, arguments, value, ...)                          \
  extern "C" __attribute__((visibility("default"))) result function parameters __VA_ARGS__ {       \
    static counter calls{#function, {}, {}};                                                       \
    static auto* const real = next<result parameters>(#function);                                  \
    if (fails(calls, __builtin_return_address(0))) return value;                                   \
    return real arguments;                                                                         \
  }

extern "C" __attribute__((visibility("default"))) void count_failing_calls() {
  find_segments();
  counts = true;
}

FAILING_CALL(void*, mmap, (void* at, size_t n, int prot, int flags, int fd, off_t from),
             (at, n, prot, flags, fd, from), MAP_FAILED, noexcept)
FAILING_CALL(int, munmap, (void* at, size_t n), (at, n), -1, noexcept)
FAILING_CALL(int, mprotect, (void* at, size_t n, int prot), (at, n, prot), -1, noexcept)
FAILING_CALL(int, madvise, (void* at, size_t n, int advice), (at, n, advice), -1, noexcept)
FAILING_CALL(int, memfd_create, (const char* name, unsigned flags), (name, flags), -1, noexcept)
FAILING_CALL(int, ftruncate, (int fd, off_t size), (fd, size), -1, noexcept)
FAILING_CALL(ssize_t, read, (int fd, void* into, size_t n), (fd, into, n), -1)
FAILING_CALL(ssize_t, write, (int fd, const void* from, size_t n), (fd, from, n), -1)
FAILING_CALL(ssize_t, writev, (int fd, const iovec* from, int n), (fd, from, n), -1)
FAILING_CALL(FILE*, fopen64, (const char* file, const char* mode), (file, mode), nullptr)
FAILING_CALL(FILE*, fopen, (const char* file, const char* mode), (file, mode), nullptr)
FAILING_CALL(int, socket, (int domain, int type, int protocol), (domain, type, protocol), -1,
             noexcept)
FAILING_CALL(int, bind, (int fd, const sockaddr* to, socklen_t n), (fd, to, n), -1, noexcept)
FAILING_CALL(int, sigaction, (int signal, const struct sigaction* wanted, struct sigaction* former),
             (signal, wanted, former), -1, noexcept)
FAILING_CALL(sighandler_t, signal, (int signal, sighandler_t action), (signal, action), SIG_ERR,
             noexcept)
FAILING_CALL(int, sigaltstack, (const stack_t* wanted, stack_t* former), (wanted, former), -1,
             noexcept)
FAILING_CALL(int, sched_setaffinity, (pid_t of, size_t n, const cpu_set_t* to), (of, n, to), -1,
             noexcept)
FAILING_CALL(int, sched_getaffinity, (pid_t of, size_t n, cpu_set_t* to), (of, n, to), -1, noexcept)
FAILING_CALL(pid_t, waitpid, (pid_t of, int* status, int options), (of, status, options), -1)
FAILING_CALL(int, nanosleep, (const timespec* time, timespec* left), (time, left), -1)
FAILING_CALL(FILE*, fopencookie, (void* self, const char* mode, cookie_io_functions_t functions),
             (self, mode, functions), nullptr, noexcept)
FAILING_CALL(int, on_exit, (void (*handler)(int, void*), void* with), (handler, with), -1, noexcept)
FAILING_CALL(int, timer_create, (clockid_t clock, sigevent* event, timer_t* timer),
             (clock, event, timer), -1, noexcept)
FAILING_CALL(int, timer_settime,
             (timer_t timer, int flags, const itimerspec* wanted, itimerspec* former),
             (timer, flags, wanted, former), -1, noexcept)
FAILING_CALL(int, pthread_create,
             (pthread_t * thread, const pthread_attr_t* how, void* (*body)(void*), void* with),
             (thread, how, body, with), errno, noexcept)

extern "C" __attribute__((visibility("default"))) int prctl(int option, ...) {
  static counter calls{"prctl", {}, {}};
  static auto* const real = next<int(int, ...)>("prctl");
  va_list arguments;
  va_start(arguments, option);
  unsigned long value[4];
  for (unsigned long& each : value) each = va_arg(arguments, unsigned long);
  va_end(arguments);
  if (fails(calls, __builtin_return_address(0))) return -1;
  return real(option, value[0], value[1], value[2], value[3]);
}

extern "C" __attribute__((visibility("default"))) int open(const char* file, int flags, ...) {
  static counter calls{"open", {}, {}};
  static auto* const real = next<int(const char*, int, ...)>("open");
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = va_arg(arguments, mode_t);
  va_end(arguments);
  if (fails(calls, __builtin_return_address(0))) return -1;
  return real(file, flags, mode);
}

// Only calls of futex that wait can fail, because the kernel never refuses to wake waiters.
extern "C" __attribute__((visibility("default"))) long syscall(long number, ...) noexcept {
  static counter calls{"futex", {}, {}};
  static auto* const real = next<long(long, ...)>("syscall");
  va_list arguments;
  va_start(arguments, number);
  long value[6];
  for (long& each : value) each = va_arg(arguments, long);
  va_end(arguments);
  const bool waits = number == SYS_futex && (value[1] & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET;
  if (waits && fails(calls, __builtin_return_address(0))) return -1;
  return real(number, value[0], value[1], value[2], value[3], value[4], value[5]);
}

// A failing `dlopen` opens a file that does not exist, so that `dlerror` returns a message.
extern "C" __attribute__((visibility("default"))) void* dlopen(const char* file,
                                                               int flags) noexcept {
  static counter calls{"dlopen", {}, {}};
  static auto* const real = next<void*(const char*, int)>("dlopen");
  const bool refused = fails(calls, __builtin_return_address(0));
  if (refused) return real("/made/to/fail.so", flags);
  void* const opened = real(file, flags);
  const int kept_errno = errno;
  find_segments();
  errno = kept_errno;
  return opened;
}

extern "C" __attribute__((visibility("default"))) pid_t fork() noexcept {
  static counter calls{"fork", {}, {}};
  static auto* const real = next<pid_t()>("fork");
  if (fails(calls, __builtin_return_address(0))) return -1;
  ++children;
  const pid_t child = real();
  if (child == 0 && counts) {
    const std::size_t length = std::strlen(process);
    std::snprintf(process + length, sizeof process - length, ".%d", children);
    children = 0;
    ++generation;
  }
  if (child < 0) --children;
  return child;
}

// The functions below allocate memory, and may be called before `dlsym` can find the functions that
// they replace.
extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
}

namespace {
counter memory{"malloc", {}, {}};
}

extern "C" {
__attribute__((visibility("default"))) void* malloc(size_t n) {
  return fails(memory, __builtin_return_address(0)) ? nullptr : __libc_malloc(n);
}
__attribute__((visibility("default"))) void* calloc(size_t count, size_t n) {
  return fails(memory, __builtin_return_address(0)) ? nullptr : __libc_calloc(count, n);
}
__attribute__((visibility("default"))) void* realloc(void* old, size_t n) {
  return fails(memory, __builtin_return_address(0)) ? nullptr : __libc_realloc(old, n);
}
__attribute__((visibility("default"))) void* aligned_alloc(size_t to, size_t n) {
  return fails(memory, __builtin_return_address(0)) ? nullptr : __libc_memalign(to, n);
}
__attribute__((visibility("default"))) int posix_memalign(void** into, size_t to, size_t n) {
  if (fails(memory, __builtin_return_address(0))) return ENOMEM;
  *into = __libc_memalign(to, n);
  return *into != nullptr ? 0 : ENOMEM;
}
}
