#pragma once
// What a job may take, as a command looks before the job starts.

#include "atoll/launch.hpp"
#include "atoll/settings.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace atl::app {

struct job_memory {
  std::uint64_t bytes;          ///< of all PEs together, on all their hosts
  std::string sentence;         ///< "X are free on this host, which has 2 of the 4 PEs"
  std::uint64_t set_apart = 0;  ///< of what is free, for the runtime itself
};

/// Where no limit is set: what this host has free, for its part of the ranks; of a control group,
/// what that leaves beside the runtime. Throws `error` (environment) where it leaves too little.
/// Ranks of a launcher that does not say how many of them this host has are taken to be all on it.
job_memory memory_for_job(const settings& options,
                          const std::optional<job::launch>& launched = job::present_launch());

}  // namespace atl::app
