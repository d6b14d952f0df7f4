#pragma once
// A session makes this process a rank of an MPI launch, from the first `run` of the program until
// the program ends. Usually rank 0 runs the program and announces each job to the other ranks. The
// other ranks only run the jobs that rank 0 announces.

#include "atoll/job/bootstrap.hpp"
#include "atoll/job/rank_keeper.hpp"
#include "atoll/launch.hpp"
#include "atoll/transport/internode/nodes.hpp"
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
  /// Returns the session of this process. The first call loads the MPI plug-in, forks the process
  /// so that the parent becomes the rank keeper (rank_keeper.hpp), and starts MPI. Every rank must
  /// call the function, because the ranks compare their programs and settings. Throws `error` if
  /// the ranks run different programs or have different settings.
  static session& of_process(const settings& settings);

  ~session() { end(); }
  session(const session&) = delete;
  session& operator=(const session&) = delete;

  const atoll_mpi_api& mpi() const { return mpi_; }
  kept_rank& kept() { return kept_; }
  bool is_first() const { return mpi_.rank() == 0; }

  /// Returns a number for each rank. Ranks of the same machine have equal numbers.
  const std::vector<std::uint64_t>& machines() const { return machines_; }

  /// Returns the assignment of ranks to nodes. `node_size` is the value of the setting node-size.
  transport::internode::node_map nodes(std::uint64_t node_size) const;

  /// Returns `asked` with a memory limit that the control groups of all machines permit. If `asked`
  /// already has a memory limit, returns `asked` unchanged.
  settings within_control_groups(const settings& asked) const;

  /// Sends the settings of the next job to the other ranks. Only rank 0 calls this function.
  void announce_job(const settings& settings);

  /// Waits for the next job of rank 0 and returns its settings. Returns nothing when the program of
  /// rank 0 has ended. All ranks except rank 0 call this function, and sleep while they wait.
  std::optional<settings> next_job();

  /// Records that every rank runs the program itself. If every rank runs the program itself, no
  /// rank waits in `next_job`, and `end` sends no message.
  void is_served_by_none() { has_servants_ = false; }

  /// Ends MPI. Rank 0 first sends the other ranks a message that makes them end. Does nothing in a
  /// process that the program has forked.
  void end();

  /// Ends all ranks with `status`, after giving the launcher time to forward output.
  [[noreturn]] void abort(int status);

  /// Prints the current exception of this rank and ends all ranks, because the other ranks would
  /// wait for this rank forever.
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
  /// A number for each rank; ranks that can share memory have equal numbers.
  std::vector<std::uint64_t> sharing_;
  /// Bytes of memory per rank that the control groups permit; the minimum over all ranks.
  std::uint64_t share_of_group_ = UINT64_MAX;
  std::vector<atoll_mpi_request> sends_;  ///< MPI request of the last send to each rank
  bool has_servants_ = true;
  bool ended_ = false;
  /// Process id of this rank. A process that the program forks has a copy of this object, but must
  /// not end MPI.
  const pid_t process_;
};

}  // namespace atl::job
