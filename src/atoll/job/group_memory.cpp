#include "atoll/job/group_memory.hpp"

#include "atoll/base/memory_account.hpp"
#include "atoll/error.hpp"
#include "atoll/job/launch_card.hpp"
#include "atoll/job/pinning.hpp"
#include "atoll/launch.hpp"
#include "atoll/log.hpp"

#include <algorithm>

namespace atl::job {
namespace {

constexpr std::uint64_t mib = std::uint64_t{1} << 20;

// Measured, with their page tables, bins and first frames, and rounded up.
constexpr std::uint64_t of_process = 4 * mib;
constexpr std::uint64_t of_thread = 2 * mib;
constexpr std::uint64_t of_simulated = mib / 2;

/// The part of the rest that page tables take, and what the allocator keeps of blocks that have
/// grown: measured, and rounded up.
constexpr std::uint64_t one_in_for_allocator = 32;

/// Of data and tasks, without which a job is not begun.
constexpr std::uint64_t least_share = mib / 2;

std::string text_of(std::uint64_t bytes) { return human_bytes(static_cast<double>(bytes)); }

[[noreturn]] void refuse(int pes, std::uint64_t needed, const memory_status& memory) {
  const std::uint64_t limit = *memory.group_limit + needed - memory.free();
  fail(errc::environment,
       "the control group leaves {} of its {} of memory ({}), and {} PE{} need{} {} for network "
       "buffers, stacks and pools before any data; raise the limit to {} or use fewer PEs (--pes)",
       text_of(memory.free()), text_of(*memory.group_limit), memory.group, pes, pes == 1 ? "" : "s",
       pes == 1 ? "s" : "", text_of(needed), text_of((limit + mib - 1) / mib * mib));
}

}  // namespace

std::uint64_t bytes_of_runtime(int pes, const settings& settings, std::uint64_t usable) {
  const auto all = static_cast<std::uint64_t>(pes);
  if (chosen_transport(settings) == transport_kind::sim) return of_process + all * of_simulated;
  const std::uint64_t staging = all * all * settings.buffer_size;
  const std::uint64_t bodies =
      settings.pe_kind == pe_kind::thread ? of_process + all * of_thread : all * of_process;
  return bodies + staging + shm::bytes_of_rings(pes, settings, usable);
}

// Of work that no limit refuses a fifth of the rest is kept, or what it is at most.
std::uint64_t share_of_group(int pes, const settings& settings, const memory_status& memory) {
  if (!memory.group_limit || settings.memory_limit != 0) return UINT64_MAX;
  const auto all = static_cast<std::uint64_t>(pes);
  const std::uint64_t runtime = bytes_of_runtime(pes, settings, memory.usable());
  const std::uint64_t needed = runtime + all * least_share;
  // Simulated PEs that do nothing take next to nothing.
  const bool may_be_less = chosen_transport(settings) == transport_kind::sim;
  if (memory.free() < needed && !may_be_less) refuse(pes, needed, memory);
  const std::uint64_t rest =
      memory.free() - std::min(runtime, may_be_less ? memory.free() / 2 : runtime);
  const std::uint64_t beside = all * memory_account::usual_least_work + rest / one_in_for_allocator;
  return std::max(rest / 5 * 4, rest > beside ? rest - beside : 0) / all;
}

settings with_share(const settings& asked, int pes, std::uint64_t share) {
  settings result = asked;
  if (share != UINT64_MAX && asked.memory_limit == 0)
    result.set("memory-limit",
               std::to_string(std::max<std::uint64_t>(share, 1) * static_cast<std::uint64_t>(pes)),
               "machine");
  return result;
}

settings within_control_group(const settings& asked, begun by) {
  const bool is_found_elsewhere =
      chosen_transport(asked) == transport_kind::mpi || (by == begun::by_each && has_launch_card());
  if (is_found_elsewhere) return asked;
  const int pes = by == begun::by_each ? 1 : number_of_pes(asked);
  return with_share(asked, pes, share_of_group(pes, asked, read_memory_status()));
}

settings within_control_group(const settings& asked) {
  return within_control_group(asked, begun::by_pe_0);
}

}  // namespace atl::job
