#pragma once
// Starting a program on all PEs of this machine, one process each, which joins the job from within
// (attached_job.cpp): the way of `oshrun`.

#include "atoll/settings.hpp"

#include <string>
#include <utility>
#include <vector>

namespace atl::job {

struct program {
  std::string file;                                            ///< found
  std::vector<std::string> words;                              ///< with its name
  std::vector<std::pair<std::string, std::string>> variables;  ///< more of the environment
};

/// The file that a shell would start for this name. Throws `error` (input) where there is none.
std::string find_program(const std::string& name);

/// Throws `error` (input) where the transport is to be simulated: all PEs of a simulation run in
/// one thread, and a program that joins a job from its `main` is a process of its own.
void refuse_simulation(const settings& settings);

/// Starts it on `settings.pes` PEs and waits for all. Returns the largest exit status of any; of a
/// job that ended early, its status: 128 + signal when a PE was killed, which the report names.
/// Passes on SIGHUP, SIGUSR2 and SIGCONT; SIGINT and SIGTERM end the job; SIGUSR1 asks who waits
/// where. PE 0 reads standard input. Throws `error` when a process cannot be started, and as
/// refuse_simulation.
int run_program(const settings& settings, const program& started);

}  // namespace atl::job
