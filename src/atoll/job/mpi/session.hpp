#pragma once
// A process as a rank of a launcher's job: from the first `run` of the program to its end. Rank 0
// goes through the program; each job it starts is announced to the others, which do nothing else.

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
  /// The session of this process, made when first asked for: loads the plug-in, forks the keeper,
  /// begins MPI. Collective then. Throws `error` when the ranks do not fit together.
  static session& of_process(const settings& settings);

  ~session() { end(); }
  session(const session&) = delete;
  session& operator=(const session&) = delete;

  const atoll_mpi_api& mpi() const { return mpi_; }
  kept_rank& kept() { return kept_; }
  bool is_first() const { return mpi_.rank() == 0; }

  /// By rank: equal for ranks of one machine.
  const std::vector<std::uint64_t>& machines() const { return machines_; }

  /// As this rank sees them; `node_size` as in the settings.
  transport::far::node_map nodes(std::uint64_t node_size) const;

  /// The settings with what the control groups of all machines leave, where no limit is set.
  settings within_control_groups(const settings& asked) const;

  /// Rank 0: tells the others the settings of the next job.
  void announce_job(const settings& settings);

  /// Other ranks: those settings, or none when the program has ended. Blocks, and sleeps meanwhile.
  std::optional<settings> next_job();

  /// All ranks run the program: none waits for the next job.
  void is_served_by_none() { has_servants_ = false; }

  /// Ends MPI; on rank 0 after telling the others, which end then. Nothing in a forked process.
  void end();

  /// Ends all ranks, after what was said.
  [[noreturn]] void abort(int status);

  /// Within a handler of exceptions: says what has happened to this rank, and ends all. The others
  /// would wait for it.
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
  std::uint64_t share_of_group_ = UINT64_MAX;  ///< of each rank, in bytes; the least of all
  std::vector<atoll_mpi_request> sends_;       ///< of an announcement, by rank
  bool has_servants_ = true;
  bool ended_ = false;
  const pid_t process_;  ///< others are copies that the program has forked
};

}  // namespace atl::job
