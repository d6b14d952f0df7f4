#include "atoll/job/one_thread_carrier.hpp"

#include "atoll/transport/site_word.hpp"

#include <fmt/format.h>
#include <unistd.h>

namespace atl::job {

one_thread_carrier::one_thread_carrier(shm::region& region)
    : region_(region), process_(getpid()), thread_(gettid()) {}

thread_state one_thread_carrier::thread() const {
  thread_state state = state_of_thread(process_, thread_);
  state.helpers_run = state.letter == 'S' && others_run(process_, thread_);
  return state;
}

// Those that do not run are as if they had left.
std::optional<std::vector<pe_sample>> one_thread_carrier::samples() {
  std::vector<pe_sample> all(static_cast<std::size_t>(region_.pes()),
                             pe_sample{.what = pe_sample::activity::left});
  pe_sample& runs = all[static_cast<std::size_t>(running_.load(std::memory_order_relaxed))];
  runs = {.what = pe_sample::activity::works,
          .phase = 1,
          .progress = turns_.load(std::memory_order_relaxed),
          .thread = thread()};
  return all;
}

std::string one_thread_carrier::who_waits() {
  const int pe = running_.load(std::memory_order_relaxed);
  const site last = transport::site_of_word(region_.block(pe).life.last_site);
  return fmt::format(
      "  PE {} is blocked in a system call, and with it all PEs, which take turns{}\n", pe,
      last.known() ? "; the last task it started came from " + to_string(last) : "");
}

bool one_thread_carrier::hangs_for_certain(const std::vector<pe_sample>& seen, seeming) {
  const thread_state now = thread();
  const auto runs = static_cast<std::size_t>(running_.load(std::memory_order_relaxed));
  return seen[runs].progress == turns_.load(std::memory_order_relaxed) && now.letter == 'S' &&
         !now.writes && !now.helpers_run;
}

}  // namespace atl::job
