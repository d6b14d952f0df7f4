#include "atoll/shmem/static_data.hpp"

#include "atoll/base/bits.hpp"
#include "atoll/error.hpp"
#include "atoll/job/signal_scope.hpp"
#include "atoll/launch.hpp"
#include "atoll/machine.hpp"
#include "atoll/shmem/executable_data.hpp"
#include "atoll/transport/say.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <new>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace atl::shmem {
namespace {

using transport::say;

/// A copy of at most this many bytes is made without checking whether enough memory is free.
constexpr std::size_t small_copy = std::size_t{4} << 20;

constexpr int of_process = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

/// Returns the offset of the first touched (written) page of the file between the offsets `from`
/// and `end`. Returns `end` if no page in the range was touched.
off_t next_touched(int file, off_t from, off_t end) {
  const off_t found = lseek(file, from, SEEK_DATA);
  if (found >= 0) return std::min(found, end);
  return errno == ENXIO ? end : from;
}

/// Calls `each(begin, end)` for each touched range of pages between the offsets `from` and `to`.
/// The offsets are distances in bytes from the begin of `pages`. Stops and returns false if a call
/// of `each` returns false.
template <class Each>
bool for_touched(const shared_pages& pages, std::size_t from, std::size_t to, const Each& each) {
  const off_t end = pages.offset + static_cast<off_t>(to);
  off_t next = next_touched(pages.file, pages.offset + static_cast<off_t>(from), end);
  while (next < end) {
    const off_t hole = lseek(pages.file, next, SEEK_HOLE);
    const off_t behind = hole < 0 ? end : std::min(hole, end);
    if (!each(static_cast<std::size_t>(next - pages.offset),
              static_cast<std::size_t>(behind - pages.offset)))
      return false;
    next = next_touched(pages.file, behind, end);
  }
  return true;
}

bool read_all(int file, off_t at, std::byte* into, std::size_t bytes) {
  while (bytes > 0) {
    const ssize_t got = pread(file, into, bytes, at);
    if (got <= 0) return false;
    into += got;
    at += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

/// A copy of shared pages for a child process. The parent makes the copy before the fork. After the
/// fork, the child process moves the copy to the address of the shared pages.
class copied_pages {
 public:
  explicit copied_pages(const shared_pages& of) : of_(of) {}

  const std::byte* begin() const noexcept { return of_.begin; }

  /// Finds the touched (written) pages, and returns their number of bytes.
  std::size_t measure() {
    std::size_t bytes = 0;
    first_ = last_ = 0;
    for_touched(of_, 0, of_.bytes, [&](std::size_t from, std::size_t to) {
      if (bytes == 0) first_ = from;
      last_ = to;
      bytes += to - from;
      return true;
    });
    return bytes;
  }

  /// Makes the copy of the pages that `measure` has found. Returns false if memory is too short.
  bool make() {
    if (first_ == last_) return true;
    void* const room = mmap(nullptr, last_ - first_, of_.protection, of_process, -1, 0);
    if (room == MAP_FAILED) return false;
    copy_ = static_cast<std::byte*>(room);
    return for_touched(of_, first_, last_, [this](std::size_t from, std::size_t to) {
      return read_all(of_.file, of_.offset + static_cast<off_t>(from), copy_ + (from - first_),
                      to - from);
    });
  }

  void discard() noexcept {
    if (copy_ != nullptr) munmap(copy_, last_ - first_);
    copy_ = nullptr;
  }

  /// Moves the copy to the address of the shared pages. Only the child calls this function.
  bool take() noexcept {
    return map_empty(0, first_) && move_copy() && map_empty(last_, of_.bytes);
  }

  /// Maps the file at the address of the shared pages as a private mapping. A child without a copy
  /// calls this function.
  bool take_as_in_file() noexcept {
    return map(of_.begin, of_.bytes, MAP_PRIVATE | MAP_NORESERVE, of_.file, of_.offset);
  }

 private:
  bool map_empty(std::size_t from, std::size_t to) noexcept {
    return from == to || map(of_.begin + from, to - from, of_process, -1, 0);
  }

  bool move_copy() noexcept {
    const std::size_t bytes = last_ - first_;
    return copy_ == nullptr || syscall(SYS_mremap, copy_, bytes, bytes,
                                       MREMAP_MAYMOVE | MREMAP_FIXED, of_.begin + first_) != -1;
  }

  // The system calls do not go through the C library, because MPI libraries replace functions of
  // the C library. The `mremap` of MPI libraries does not support a fixed address.
  bool map(std::byte* at, std::size_t bytes, int flags, int file, off_t offset) noexcept {
    return syscall(SYS_mmap, at, bytes, of_.protection, flags | MAP_FIXED, file, offset) != -1;
  }

  shared_pages of_;
  std::size_t first_ = 0;  ///< offset of the first touched page
  std::size_t last_ = 0;   ///< offset after the last touched page
  std::byte* copy_ = nullptr;
};

/// All shared pages of this process, with their copies. The object is allocated by `new`, because
/// the static data of this library may be shared with other PEs.
struct registry {
  std::mutex one_at_a_time;  ///< locked during a fork
  std::vector<copied_pages> all;
  bool are_copied = false;
};

registry& registered() {
  static auto& only = *new registry;
  return only;
}

bool is_affordable(std::size_t bytes) noexcept {
  try {
    return bytes <= small_copy || bytes <= read_memory_status().free() / 2;
  } catch (...) {
    return false;  // memory is too short even to read the memory status
  }
}

void warn_of_missing_copy(std::size_t bytes) noexcept {
  static bool warned = false;
  if (warned) return;
  warned = true;
  say("warning: a forked process has no copy of the {} MiB of global variables and symmetric heap "
      "of "
      "its parent, for there is too little memory: it may see what PEs write there later",
      bytes >> 20);
}

void discard_all() noexcept {
  for (copied_pages& each : registered().all) each.discard();
}

void before_fork() noexcept {
  registry& known = registered();
  known.one_at_a_time.lock();
  std::size_t bytes = 0;
  for (copied_pages& each : known.all) bytes += each.measure();
  known.are_copied = is_affordable(bytes) &&
                     std::ranges::all_of(known.all, [](copied_pages& each) { return each.make(); });
  if (known.are_copied) return;
  discard_all();
  warn_of_missing_copy(bytes);
}

void in_parent() noexcept {
  discard_all();
  registered().one_at_a_time.unlock();
}

void in_child() noexcept {
  registry& known = registered();
  for (copied_pages& each : known.all) {
    if (known.are_copied ? each.take() : each.take_as_in_file()) continue;
    say("error: a forked process cannot have global variables and a symmetric heap of its own: {}",
        std::strerror(errno));
    _exit(k_status_environment);
  }
  known.all.clear();
  known.one_at_a_time.unlock();
}

}  // namespace

void copy_in_children(const shared_pages& pages) {
  static const int refused = pthread_atfork(before_fork, in_parent, in_child);
  if (refused != 0) throw std::bad_alloc();
  const std::lock_guard alone(registered().one_at_a_time);
  registered().all.emplace_back(pages);
}

void share_with_children(const std::byte* begin) noexcept {
  const std::lock_guard alone(registered().one_at_a_time);
  std::erase_if(registered().all, [=](const copied_pages& each) { return each.begin() == begin; });
}

namespace {

sigset_t all_signals() {
  sigset_t all;
  sigfillset(&all);
  return all;
}

bool is_within(std::span<std::byte> bytes, const void* address) {
  const auto distance =
      reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(bytes.data());
  return distance < bytes.size();
}

std::span<std::byte> whole_of(const std::vector<data_piece>& pieces) {
  if (pieces.empty()) return {};
  return {pieces.front().begin, pieces.back().end};
}

void exchange_pages(const std::vector<data_piece>& pieces, int file, std::uint64_t place) {
  page_exchange exchange(file, place, pieces.front().begin);
  const job::blocked_signals later(all_signals());
  const refused_exchange refused_call = exchange.run(pieces.data(), pieces.size());
  if (refused_call.call != nullptr)
    fail(errc::environment, "{} of {} KiB of static data failed: {}", refused_call.call,
         refused_call.bytes >> 10, refusal_text(refused_call.reason, refused::memory));
  const std::byte* const first = pieces.front().begin;
  for (const data_piece& piece : pieces)
    copy_in_children({piece.begin, static_cast<std::size_t>(piece.end - piece.begin),
                      piece.protection, file, static_cast<off_t>(place) + (piece.begin - first)});
}

/// Returns a duplicate of the descriptor `file`. The duplicate stays open after the end of the job,
/// because later forks of this process read the file.
int kept_open(int file) {
  const int copy = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (copy < 0)
    fail(errc::environment, "the static data need one more descriptor: {}",
         refusal_text(errno, refused::file));
  return copy;
}

void check_stack(std::span<std::byte> exposed, const void* on_stack) {
  ATOLL_ASSERT(!is_within(exposed, on_stack),
               "static data cannot be shared by who runs on a stack that lies in it");
}

std::uint64_t offset_in(const transport::endpoint::common_file& common, std::size_t place,
                        std::size_t bytes) {
  return round_up(common.free, std::uint64_t{transport::shm::page_size}) +
         place * round_up(bytes, transport::shm::page_size);
}

void lengthen(int file, std::uint64_t bytes) {
  const job::file_size_signal_ignored refusal_is_an_error;
  if (ftruncate(file, static_cast<off_t>(bytes)) != 0)
    fail(errc::environment, "sizing of shared memory for static data failed: {}",
         refusal_text(errno, refused::memory));
}

}  // namespace

std::size_t static_data::bytes_of_program() { return whole_of(executable_data()).size(); }

static_data::static_data() {
  const std::vector<data_piece> pieces = executable_data();
  if (pieces.empty()) return;
  bytes_ = whole_of(pieces);
  check_stack(bytes_, &pieces);
  {
    const job::file_size_signal_ignored refusal_is_an_error;
    file_.emplace(bytes_.size(), "static data");
  }
  exchange_pages(pieces, file_->descriptor(), 0);
}

static_data::static_data(const transport::endpoint::common_file& common, std::size_t place,
                         std::size_t places) {
  const std::vector<data_piece> pieces = executable_data();
  if (pieces.empty()) return;
  bytes_ = whole_of(pieces);
  check_stack(bytes_, &pieces);
  lengthen(common.descriptor, offset_in(common, places, bytes_.size()));
  exchange_pages(pieces, kept_open(common.descriptor), offset_in(common, place, bytes_.size()));
}

foreign_static_data::foreign_static_data(int file, std::uint64_t offset, std::size_t bytes)
    : bytes_(bytes) {
  if (bytes == 0) return;
  void* const mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                            file, static_cast<off_t>(offset));
  if (mapped == MAP_FAILED)
    fail(errc::environment, "mapping of {} KiB of the static data of another PE failed: {}",
         bytes >> 10, refusal_text(errno, refused::memory));
  madvise(mapped, bytes, MADV_DONTDUMP);
  begin_ = static_cast<std::byte*>(mapped);
}

foreign_static_data::foreign_static_data(const transport::endpoint::common_file& common,
                                         std::size_t place, std::size_t bytes)
    : foreign_static_data(common.descriptor, offset_in(common, place, bytes), bytes) {}

foreign_static_data::~foreign_static_data() {
  if (begin_ != nullptr) munmap(begin_, bytes_);
}

}  // namespace atl::shmem
