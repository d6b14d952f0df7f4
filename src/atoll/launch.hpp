#pragma once
// Starting jobs, and what surrounds one: the launcher of this process, what a job with some
// settings will have, programs as its PEs, their signals and output, and a running job seen from
// outside.

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

// What a launcher of parallel programs (mpirun, mpiexec, srun) says of itself in the environment.

struct launch {
  const char* launcher;   ///< "Open MPI's mpirun", for errors
  mpi_library library;    ///< `automatic`: of none that Atoll knows
  int rank = 0;           ///< of this process
  int ranks = 0;          ///< 0: it does not say
  int ranks_of_host = 0;  ///< 0: it does not say
};

/// The launcher that started this process as one of its ranks; none when it was started alone. An
/// empty variable is none.
std::optional<launch> present_launch();

/// Such a launcher has started others beside this process, or may have.
bool is_one_of_ranks();

/// Takes away what `present_launch` looks at, in this process and in those it starts from now on:
/// for a process that is a launcher itself. Called before there are threads.
void forget_launch();

// What a job with some settings will have.

/// The wire of a job with these settings, never `automatic`. One rank alone needs no MPI, and may
/// be a shell within a batch job: it is as if there was no launcher, unless MPI is asked for.
/// Throws `error` (input) where settings and launcher contradict each other.
transport_kind chosen_transport(const settings& settings);

/// The number of PEs the settings ask for; without one, a PE on each physical core. Under a
/// launcher of MPI, its ranks. Throws `error` (input) where settings and launcher contradict each
/// other.
int number_of_pes(const settings& settings);

/// The settings that `run` gives its job on this machine: where no memory limit is set, and a
/// control group has one, what that leaves to the data of all PEs. Throws `error` (environment),
/// with the limit that would do, where too little is left to begin. Ranks find it out together, and
/// their settings stay as they are.
settings within_control_group(const settings& asked);

/// Throws `error` (environment) where a program of this launcher cannot use its MPI library: the
/// text names all places where a plug-in was looked for, and the package to install. A plug-in that
/// is found stays loaded.
void check_plugin(const settings& settings, const launch& started_by);

// Programs that join a job from within (`join_job`, OpenSHMEM), a process for each PE of this
// machine: the way of `oshrun`.

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
/// `refuse_simulation`.
int run_program(const settings& settings, const program& started);

// The output of this process, whose loss is an error.

/// For as long as it lives, a write beyond the limit of the size of files (ulimit -f) is an error
/// of that write (EFBIG) and not the death of the process, unless the program handles SIGXFSZ.
class file_size_signal_ignored {
 public:
  file_size_signal_ignored() noexcept;
  ~file_size_signal_ignored() { restore(); }
  file_size_signal_ignored(const file_size_signal_ignored&) = delete;
  file_size_signal_ignored& operator=(const file_size_signal_ignored&) = delete;

  /// Gives back the former action now, as before another program is started.
  void restore() noexcept;

 private:
  bool is_ours_;
};

/// Writes out what the process has buffered: once before a fork, or each PE would write it again.
/// False when something that was printed on standard output has not been written, then or before:
/// a disk is full, or nobody reads any more. Then errno says why, or is 0.
bool flush_output();

/// "standard output could not be written: No space left on device", after `flush_output`.
std::string unwritten_output_text();

// A running job, as another process of the machine sees it: what `atoll top` shows.

/// What a PE shows of itself, some ten times a second.
struct pe_status {
  bool begun = false;
  std::uint64_t process = 0;
  std::int64_t time = 0;      ///< of these numbers, ns
  std::int64_t idle_for = 0;  ///< ns; 0: it is not idle
  std::int64_t age = 0;       ///< since the PE last showed something, ns; 0 where that says nothing
  std::uint64_t ready_tasks = 0;
  std::uint64_t active_tasks = 0;
  observe::counters counted;
};

/// Reading takes nothing from the job.
class status_view {
 public:
  /// The status of the job that a process belongs to. Throws `error` (input), which says why
  /// there is none, or why it may not be read.
  explicit status_view(pid_t process);
  ~status_view();
  status_view(const status_view&) = delete;
  status_view& operator=(const status_view&) = delete;

  int pes() const { return pes_; }

  /// The job has ended; what `read` tells is its last.
  bool ended() const;

  /// What a PE shows. The time that it has been idle by now is counted.
  pe_status read(int pe) const;

 private:
  pid_t process_;
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
  int pes_ = 0;
};

}  // namespace atl::job
