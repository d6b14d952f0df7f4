#pragma once
// A process as a rank of a launcher's job, from the first `run` of the program to its end. Rank 0
// runs the program and announces each job to the other ranks, which do nothing else.

#include "atoll/job/bootstrap.hpp"
#include "atoll/job/rank_keeper.hpp"
#include "atoll/launch.hpp"
#include "atoll/transport/far/nodes.hpp"
#include "atoll/transport/mpi/mpi_api.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace atl::job {

class session {
 public:
  /// Returns the session of this process. The first call loads the plug-in, forks the keeper and
  /// begins MPI, and is collective. Throws `error` if the ranks do not fit together.
  static session& of_process(const settings& settings);

  ~session() { end(); }
  session(const session&) = delete;
  session& operator=(const session&) = delete;

  const atoll_mpi_api& mpi() const { return mpi_; }
  kept_rank& kept() { return kept_; }
  bool is_first() const { return mpi_.rank() == 0; }

  /// Returns a number by rank, equal for ranks of one machine.
  const std::vector<std::uint64_t>& machines() const { return machines_; }

  /// Returns the nodes as this rank sees them; `node_size` is the setting.
  transport::far::node_map nodes(std::uint64_t node_size) const;

  /// Returns the settings with the memory that the control groups of all machines leave, if no
  /// limit is set.
  settings within_control_groups(const settings& asked) const;

  /// Sends the settings of the next job to the other ranks. Called by rank 0.
  void announce_job(const settings& settings);

  /// Returns the settings of the next job, or none when the program has ended. Called by other
  /// ranks. Blocks, and sleeps meanwhile.
  std::optional<settings> next_job();

  /// Notes that all ranks run the program, so that none waits for the next job.
  void is_served_by_none() { has_servants_ = false; }

  /// Ends MPI. Rank 0 first tells the others, which then end. Does nothing in a forked process.
  void end();

  /// Ends all ranks, once output was forwarded.
  [[noreturn]] void abort(int status);

  /// Prints the current exception of this rank, and ends all ranks, because the others would wait
  /// for it.
  [[noreturn]] void abort_by_exception();

 private:
  session(const settings& settings, const launch& started_by);

  std::vector<std::uint64_t> compare_programs();
  void divide_into_nodes(const std::vector<std::uint64_t>& hosts);
  void find_memory(const settings& settings);
  void compare_settings(const settings& settings);
  void send_to_all(std::string_view text);
  [[noreturn]] void refuse(const std::string& why);

  const atoll_mpi_api& mpi_;
  kept_rank& kept_;
  std::vector<std::uint64_t> machines_;
  std::vector<std::uint64_t> sharing_;         ///< by rank: equal for ranks that can share memory
  std::uint64_t share_of_group_ = UINT64_MAX;  ///< per rank, in bytes; minimum of all ranks
  std::vector<atoll_mpi_request> sends_;       ///< of an announcement, by rank
  bool has_servants_ = true;
  bool ended_ = false;
  const pid_t process_;  ///< other processes are copies that the program has forked
};

}  // namespace atl::job
