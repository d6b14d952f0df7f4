#include "atoll/job/cores.hpp"

#include "atoll/error.hpp"
#include "atoll/launch.hpp"
#include "atoll/log.hpp"
#include "atoll/machine.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fmt/format.h>
#include <string>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace atl::job {
namespace {

/// Claims `core` for this job by a socket whose name contains the number of the core. Returns the
/// socket, or -1 if another job has claimed the core.
int claimed(int core) {
  const int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return -1;
  const std::string name = fmt::format("atoll-core-{}", core);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  // The name of an abstract socket begins with a zero byte.
  std::memcpy(address.sun_path + 1, name.data(), name.size());
  const auto bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  if (bind(descriptor, reinterpret_cast<const sockaddr*>(&address), bytes) == 0) return descriptor;
  close(descriptor);
  return -1;
}

}  // namespace

core_claims::core_claims(std::span<const int> cores, int count) {
  sockets_.reserve(static_cast<std::size_t>(count));
  cores_.reserve(static_cast<std::size_t>(count));
  for (const int core : cores) {
    if (cores_.size() == static_cast<std::size_t>(count)) return;
    const int descriptor = claimed(core);
    if (descriptor < 0) continue;
    sockets_.push_back(descriptor);
    cores_.push_back(core);
  }
  if (cores_.size() < static_cast<std::size_t>(count)) release();
}

void core_claims::release() noexcept {
  for (const int descriptor : sockets_) close(descriptor);
  sockets_.clear();
  cores_.clear();
}

namespace {

const topology& machine() {
  static const topology found = read_topology();
  return found;
}

int ranks_of_launch(const settings& settings) {
  const launch started_by = present_launch().value();
  if (settings.pes != 0)
    fail(errc::input, "--pes: {} decides how many PEs there are (-n N); leave --pes away{}",
         started_by.launcher,
         started_by.ranks == 0 ? ", or give --transport shm for PEs on this machine alone" : "");
  if (started_by.ranks > transport::max_pes)
    fail(errc::input, "{} has started {} ranks, and a job has {} PEs at most", started_by.launcher,
         started_by.ranks, transport::max_pes);
  return std::max(1, started_by.ranks);
}

}  // namespace

int number_of_pes(const settings& settings) {
  if (chosen_transport(settings) == transport_kind::mpi) return ranks_of_launch(settings);
  const std::uint64_t wanted = settings.pes != 0 ? settings.pes : machine().cores;
  const int most =
      chosen_transport(settings) == transport_kind::sim ? transport::max_pes : shm::max_pes_of_node;
  if (wanted > static_cast<std::uint64_t>(most))
    fail(errc::input, "pes: {} is out of range (1 to {} where they share memory, to {} simulated)",
         wanted, shm::max_pes_of_node, transport::max_pes);
  return static_cast<int>(wanted);
}

bool enough_cores_for(int pes) { return static_cast<unsigned>(pes) <= machine().cores; }

bool cores_suffice(int pes) {
  if (enough_cores_for(pes)) return true;
  const unsigned cores = machine().cores;
  static std::atomic<bool> warned{false};
  if (!warned.exchange(true))
    log::warning(
        "{} PEs share {} physical core{}: they take turns, which is slow; without the setting "
        "pes, each PE has a core of its own",
        pes, cores, cores == 1 ? "" : "s");
  return false;
}

shm::patience patience_of(const settings& settings, bool own_core) {
  return {own_core ? shm::spin_time_of_owner : 0, settings.idle_yields};
}

core_claims free_cores(int pes, const settings& settings) {
  if (!settings.pin || !cores_suffice(pes)) return {};
  return {machine().pin_order, pes};
}

pinned::pinned(int core) {
  cpu_set_t own;
  CPU_ZERO(&own);
  CPU_SET(static_cast<std::size_t>(core), &own);
  is_pinned_ = sched_getaffinity(0, sizeof former_, &former_) == 0 &&
               sched_setaffinity(0, sizeof own, &own) == 0;
  if (!is_pinned_)
    log::warning("a PE is not pinned to core {} (--pin): {}", core, std::strerror(errno));
}

pinned::~pinned() {
  if (is_pinned_) sched_setaffinity(0, sizeof former_, &former_);
}

namespace {

constexpr unsigned long short_slack = 1'000;  // in nanoseconds

}  // namespace

short_timer_slack::short_timer_slack() noexcept : former_(prctl(PR_GET_TIMERSLACK)) {
  if (former_ > 0 && prctl(PR_SET_TIMERSLACK, short_slack) != 0) former_ = -1;
}

short_timer_slack::~short_timer_slack() {
  if (former_ > 0) prctl(PR_SET_TIMERSLACK, static_cast<unsigned long>(former_));
}

}  // namespace atl::job
