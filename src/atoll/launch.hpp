#pragma once
// Starting jobs and their surroundings. This header has the launcher of this process, what settings
// mean for a job, programs as PEs, signals and output. It also has the status of a running job.

#include "atoll/observe/counters.hpp"
#include "atoll/settings.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace atl::job {

// What a launcher of parallel programs (mpirun, mpiexec, srun) states in the environment.

struct launch {
  const char* launcher;   ///< "Open MPI's mpirun", for errors
  mpi_library library;    ///< `automatic`: not of a library that Atoll knows
  int rank = 0;           ///< rank of this process
  int ranks = 0;          ///< ranks of the launch; 0: unknown
  int ranks_of_host = 0;  ///< ranks on this host; 0: unknown
};

/// Returns the launcher that started this process as one of its ranks; nothing if the process was
/// started alone. An empty variable counts as unset.
std::optional<launch> present_launch();

/// Returns whether a launcher has started other ranks beside this process, or may have.
bool is_one_of_ranks();

/// Removes the variables that `present_launch` reads, from this process and from those that it will
/// start. For a process that is a launcher itself. Call it before any thread is started.
void forget_launch();

// What settings mean for a job.

/// Returns the transport of a job with these settings, never `automatic`. A single rank may be a
/// shell within a batch job: it counts as started without a launcher, unless the settings request
/// MPI. Throws `error` (input) if settings and launcher contradict each other.
transport_kind chosen_transport(const settings& settings);

/// Returns the number of PEs that the settings request; by default one per physical core. Under an
/// MPI launcher it is the number of ranks. Throws `error` (input) if settings and launcher
/// contradict each other.
int number_of_pes(const settings& settings);

/// Returns the settings that `run` gives its job on this machine. If only a control group limits
/// the memory, the memory limit becomes what that group leaves for the data of all PEs. Throws
/// `error` (environment), with a limit that would suffice, if too little is left to begin. Under
/// MPI the settings are returned unchanged, because the ranks determine the limit together later.
settings within_control_group(const settings& asked);

/// Loads the MPI plug-in for a program of this launcher, and leaves it loaded. Throws `error`
/// (environment) if there is none: the text names all places that were searched, and the package to
/// install.
void check_plugin(const settings& settings, const launch& started_by);

// Programs that join a job from within (`join_job`, OpenSHMEM), with one process per PE of this
// machine, as `oshrun` starts them.

struct program {
  std::string file;                                            ///< path of the executable
  std::vector<std::string> words;                              ///< arguments, including the name
  std::vector<std::pair<std::string, std::string>> variables;  ///< additional environment
};

/// Returns the path of the program that a shell would start for `name`. Throws `error` (input) if
/// there is none.
std::string find_program(const std::string& name);

/// Throws `error` (input) if the settings request a simulated transport. All PEs of a simulation
/// run in one thread, but a program that joins a job from its `main` is a process of its own.
void refuse_simulation(const settings& settings);

/// Starts the program on `settings.pes` PEs and blocks until all have ended. Returns the largest
/// exit status of any PE. If the job ends early, returns the status of the job: 128 + signal if a
/// signal killed a PE, which the report names.
///
/// SIGHUP, SIGUSR2 and SIGCONT are passed on to the PEs; SIGINT and SIGTERM end the job; SIGUSR1
/// prints the waiting tasks. PE 0 reads standard input. Throws `error` if a process cannot be
/// started, and as `refuse_simulation`.
int run_program(const settings& settings, const program& started);

// The output of this process. Losing some of it is an error.

/// Turns a write beyond the limit of file sizes (ulimit -f) into an error of that write (EFBIG), as
/// long as this object lives. Otherwise such a write kills the process. Has no effect if the
/// program handles SIGXFSZ.
class file_size_signal_ignored {
 public:
  file_size_signal_ignored() noexcept;
  ~file_size_signal_ignored() { restore(); }
  file_size_signal_ignored(const file_size_signal_ignored&) = delete;
  file_size_signal_ignored& operator=(const file_size_signal_ignored&) = delete;

  /// Restores the former action of the signal now, for example before another program is started.
  void restore() noexcept;

 private:
  bool is_ours_;
};

/// Writes out the buffered output of the process: once before a fork, or each PE would write it
/// again. Returns false if any text printed to standard output, now or before, could not be
/// written. The disk is full then, or the reader has gone; errno has the reason, or is 0.
bool flush_output();

/// Returns "standard output could not be written: No space left on device", after a failed
/// `flush_output`.
std::string unwritten_output_text();

// The status of a running job, for another process of the machine, such as `atoll top`.

/// The status that a PE publishes about ten times a second.
struct pe_status {
  bool begun = false;
  std::uint64_t process = 0;
  std::int64_t time = 0;      ///< time of these values, ns
  std::int64_t idle_for = 0;  ///< time without work, ns; 0: not idle
  std::int64_t age = 0;       ///< ns since the last publication; 0 while idle or simulated
  std::uint64_t ready_tasks = 0;
  std::uint64_t active_tasks = 0;
  observe::counters counted;
};

/// Reads the status of a running job, without slowing it down.
class status_view {
 public:
  /// Opens the status of the job of a process. Throws `error` (input), with the reason, if there is
  /// none or it may not be read.
  explicit status_view(pid_t process);
  ~status_view();
  status_view(const status_view&) = delete;
  status_view& operator=(const status_view&) = delete;

  int pes() const { return pes_; }

  /// Returns whether the job has ended; `read` then returns its last status.
  bool ended() const;

  /// Returns the status of a PE, including the time that the PE has been idle up to now.
  pe_status read(int pe) const;

 private:
  pid_t process_;
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
  int pes_ = 0;
};

}  // namespace atl::job
