#include "atoll/shmem/private_copies.hpp"

#include "atoll/error.hpp"
#include "atoll/machine.hpp"
#include "atoll/transport/say.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <new>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace atl::shmem {
namespace {

using transport::say;

/// A copy so small is made without a look at the memory that is free.
constexpr std::size_t small_copy = std::size_t{4} << 20;

constexpr int of_process = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

/// Where the next touched page of the file is; `end` where none is before that.
off_t next_touched(int file, off_t from, off_t end) {
  const off_t found = lseek(file, from, SEEK_DATA);
  if (found >= 0) return std::min(found, end);
  return errno == ENXIO ? end : from;
}

/// Calls `each(from, to)` for the stretches between `from` and `to` that were touched, by their
/// distance from the begin of the pages. False where that of a call is.
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

/// What a child will have in place of shared pages: made before the fork, moved there by the child.
class copied_pages {
 public:
  explicit copied_pages(const shared_pages& of) : of_(of) {}

  const std::byte* begin() const noexcept { return of_.begin; }

  /// How much there is to copy.
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

  /// After `measure`. False where there is no memory for it.
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

  /// In the child.
  bool take() noexcept {
    return map_empty(0, first_) && move_copy() && map_empty(last_, of_.bytes);
  }

  /// In the child, where there is no copy.
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

  // Libraries of MPI put functions of theirs in the place of these of the C library, and that for
  // mremap knows no fixed address. So the kernel is asked directly.
  bool map(std::byte* at, std::size_t bytes, int flags, int file, off_t offset) noexcept {
    return syscall(SYS_mmap, at, bytes, of_.protection, flags | MAP_FIXED, file, offset) != -1;
  }

  shared_pages of_;
  std::size_t first_ = 0;  ///< where the touched pages begin
  std::size_t last_ = 0;   ///< and end
  std::byte* copy_ = nullptr;
};

/// Of this process. In memory that is private, wherever the static data of this library lies.
struct registry {
  std::mutex one_at_a_time;  ///< held from before a fork to behind it
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
    return false;  // there was no memory to look
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

}  // namespace atl::shmem
