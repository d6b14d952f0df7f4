#include "atoll/launch.hpp"

#include "atoll/error.hpp"
#include "atoll/machine.hpp"
#include "atoll/observe/status_board.hpp"
#include "atoll/transport/clock.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace atl::job {
namespace {

using observe::board_header;
using observe::board_slot;

constexpr int k_most_tries = 100'000;

namespace fs = std::filesystem;

/// Opens the status board of a process, which is memory with the counters of its PEs. Returns a
/// descriptor of the board, or -1 if the process has no board.
int open_board(pid_t process) {
  const fs::path folder = fs::path("/proc") / std::to_string(process) / "fd";
  if (!fs::exists(fs::path("/proc") / std::to_string(process)))
    fail(errc::input, "there is no process {}", process);
  std::error_code refused;
  for (fs::directory_iterator at(folder, refused), end; !refused && at != end;
       at.increment(refused)) {
    std::error_code gone;
    const std::string target = fs::read_symlink(at->path(), gone);
    if (gone || !target.starts_with(std::string("/memfd:") + observe::k_board_name)) continue;
    const int descriptor = open(at->path().c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0 && errno != ENOENT)
      fail(errc::input, "the status of process {} may not be read: {}", process,
           refusal_text(errno, refused::file));
    return descriptor;
  }
  if (refused == std::errc::permission_denied)
    fail(errc::input, "process {} may not be looked at: it belongs to another user", process);
  return -1;
}

const board_header& header_of(const std::byte* data) {
  return *reinterpret_cast<const board_header*>(data);
}

/// Copies the slot of a PE. If the PE writes during the copy, the function copies again, so that
/// the copy is consistent. If the PE has died while it wrote, the copy may be inconsistent.
pe_status consistent_copy(const board_slot& slot) {
  constexpr auto acquired = std::memory_order_acquire;
  pe_status seen;
  std::uint64_t before = 0;
  bool changed = true;
  for (int tries = 0; changed && tries < k_most_tries; ++tries) {
    before = slot.version.load(acquired);
    seen.time = slot.time.load(acquired);
    seen.ready_tasks = slot.ready_tasks.load(acquired);
    seen.active_tasks = slot.active_tasks.load(acquired);
    std::size_t i = 0;
    for (const auto& entry : observe::counter_table())
      seen.counted.*entry.member = slot.counted[i++].load(acquired);
    changed = before % 2 == 1 || before != slot.version.load(acquired);
  }
  seen.begun = before != 0;
  return seen;
}

}  // namespace

status_view::status_view(pid_t process) : process_(process) {
  const int descriptor = open_board(process);
  if (descriptor < 0)
    fail(errc::input, "process {} runs no Atoll job (or one built without counters)", process);
  struct stat file{};
  void* address = MAP_FAILED;
  if (fstat(descriptor, &file) == 0 && file.st_size >= static_cast<off_t>(sizeof(board_header)))
    address =
        mmap(nullptr, static_cast<std::size_t>(file.st_size), PROT_READ, MAP_SHARED, descriptor, 0);
  close(descriptor);
  if (address == MAP_FAILED) fail(errc::input, "the status of process {} cannot be read", process);
  data_ = static_cast<std::byte*>(address);
  bytes_ = static_cast<std::size_t>(file.st_size);
  pes_ = static_cast<int>(header_of(data_).pes.load());
  const std::size_t needed =
      sizeof(board_header) + static_cast<std::size_t>(pes_) * sizeof(board_slot);
  if (header_of(data_).layout == observe::board_layout() && bytes_ >= needed) return;
  munmap(data_, bytes_);
  fail(errc::input, "process {} runs another version of Atoll than this one", process);
}

status_view::~status_view() { munmap(data_, bytes_); }

bool status_view::ended() const {
  return header_of(data_).ended != 0 || (kill(process_, 0) != 0 && errno == ESRCH);
}

pe_status status_view::read(int pe) const {
  const auto& slot = reinterpret_cast<const board_slot*>(data_ + sizeof(board_header))[pe];
  const bool is_virtual = header_of(data_).time_is_virtual != 0;
  pe_status seen = consistent_copy(slot);
  seen.process = slot.process;
  if (!seen.begun || is_virtual) return seen;
  const std::int64_t since = slot.idle_since;
  const std::int64_t now = transport::monotonic_now();
  if (since == 0) {
    seen.age = std::max<std::int64_t>(0, now - seen.time);
    return seen;
  }
  seen.idle_for = std::max<std::int64_t>(1, now - since);
  seen.time = std::max(seen.time, now);
  seen.counted.idle_nanoseconds += static_cast<std::uint64_t>(seen.idle_for);
  return seen;
}

}  // namespace atl::job
