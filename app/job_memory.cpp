#include "app/job_memory.hpp"

#include "atoll/base/bits.hpp"
#include "atoll/job/group_memory.hpp"
#include "atoll/log.hpp"
#include "atoll/machine.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace atl::app {

job_memory memory_for_job(const settings& options, const std::optional<job::launch>& launched) {
  if (options.memory_limit != 0) {
    const auto limit = static_cast<double>(options.memory_limit);
    return {options.memory_limit, "--memory-limit allows " + human_bytes(limit)};
  }
  const settings found = job::within_control_group(options, job::begun::by_pe_0);
  const std::uint64_t all = read_memory_status().free();
  const std::uint64_t free = found.memory_limit != 0 ? found.memory_limit : all;
  const std::uint64_t set_apart = all - std::min(all, free);
  const std::string here = human_bytes(static_cast<double>(free)) + " are free";
  if (!launched || launched->ranks == 1) return {free, here, set_apart};
  if (launched->ranks <= 0 || launched->ranks_of_host <= 0)  // not every launcher says so
    return {std::numeric_limits<std::uint64_t>::max(), here + " on this host, one of unknown many"};
  if (launched->ranks <= launched->ranks_of_host) return {free, here};
  const auto ranks = static_cast<std::uint64_t>(launched->ranks);
  const auto ranks_here = static_cast<std::uint64_t>(launched->ranks_of_host);
  return {free / ranks_here * ranks,
          fmt::format("{} on this host, which has {} of the {} PEs", here, ranks_here, ranks)};
}

}  // namespace atl::app
