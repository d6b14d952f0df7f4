#pragma once
// Functions for programs that start jobs. Some functions detect an MPI launcher or apply settings
// to the present machine. Other functions start programs as PEs, guard output, or read the status
// of a running job.

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

// Launchers of parallel programs are mpirun, mpiexec and srun. A launcher starts the ranks of a job
// and describes each rank in environment variables.

struct launch {
  const char* launcher;   ///< name of the launcher for errors, such as "Open MPI's mpirun"
  mpi_library library;    ///< MPI library of the launcher; `automatic` if Atoll does not know it
  int rank = 0;           ///< rank of this process
  int ranks = 0;          ///< number of ranks of the launch; 0 if unknown
  int ranks_of_host = 0;  ///< number of ranks on this host; 0 if unknown
};

/// Returns the launcher that started this process as one of its ranks. Returns nothing if the
/// process was started alone. An empty environment variable is treated as unset.
std::optional<launch> present_launch();

/// Returns whether a launcher has started, or may have started, other ranks besides this process.
bool is_one_of_ranks();

/// Removes the environment variables that `present_launch` reads. Without these variables,
/// processes that this process starts later are not taken for ranks. Call the function before any
/// thread is started.
void forget_launch();

// The next functions derive properties of a job from its settings and the present machine.

/// Returns the transport of a job with the settings `settings`; the result is never `automatic`. A
/// launch of a single rank may be just a shell within a batch job. A single rank therefore uses MPI
/// only if the settings request MPI. Throws `error` (input) if settings and launcher contradict
/// each other.
transport_kind chosen_transport(const settings& settings);

/// Returns the number of PEs of a job with the settings `settings`, by default one per physical
/// core. Under an MPI launcher the result is the number of ranks. Throws `error` (input) if
/// settings and launcher contradict each other.
int number_of_pes(const settings& settings);

/// Returns the settings with which `run` starts its job on this machine. If `asked` contains no
/// memory limit, but a control group has one, the result contains the memory limit that the group
/// leaves to the PEs. If too little memory is left to begin, throws `error` (environment) with a
/// limit that would suffice. Under MPI the settings are returned unchanged, because the ranks
/// determine the limit together later.
settings within_control_group(const settings& asked);

/// Loads the MPI plug-in that fits the launcher `started_by`, and keeps it loaded. If there is no
/// such plug-in, throws `error` (environment). The text names all places that were searched and the
/// package to install.
void check_plugin(const settings& settings, const launch& started_by);

// The next functions start programs that join a job from their own `main` (`join_job`, OpenSHMEM).
// Each PE is one process of this machine. The launcher `oshrun` uses these functions.

struct program {
  std::string file;  ///< path of the executable
  /// Arguments; the first one is the program's name.
  std::vector<std::string> words;
  std::vector<std::pair<std::string, std::string>> variables;  ///< additional environment variables
};

/// Returns the path of the program that a shell would start for `name`. Throws `error` (input) if
/// there is no such program.
std::string find_program(const std::string& name);

/// Throws `error` (input) if the settings request the simulated transport. All PEs of a simulation
/// share one thread, but each PE that joins a job from its `main` is a process.
void refuse_simulation(const settings& settings);

/// Starts the program on `settings.pes` PEs and blocks until all of them have ended. Returns the
/// largest exit status of any PE. If a signal kills a PE, the job ends early: a report names the
/// PE, and the result is 128 + the signal's number.
///
/// SIGHUP, SIGUSR2 and SIGCONT are forwarded to the PEs. SIGINT and SIGTERM end the job. SIGUSR1
/// prints the waiting tasks. Only PE 0 reads standard input. Throws `error` (input) if the settings
/// request the simulated transport, and `error` if a process cannot be started.
int run_program(const settings& settings, const program& started);

// Functions that guard the output of this process. A program ends with an error if any of its
// output was lost.

/// Makes a write beyond the limit of file sizes (ulimit -f) fail with EFBIG, as long as this object
/// lives. Without this object, the signal SIGXFSZ would kill the process. The object has no effect
/// if the program handles SIGXFSZ itself.
class file_size_signal_ignored {
 public:
  file_size_signal_ignored() noexcept;
  ~file_size_signal_ignored() { restore(); }
  file_size_signal_ignored(const file_size_signal_ignored&) = delete;
  file_size_signal_ignored& operator=(const file_size_signal_ignored&) = delete;

  /// Restores the former action of SIGXFSZ now, for example before the process starts another
  /// program.
  void restore() noexcept;

 private:
  bool is_ours_;
};

/// Writes out the buffered output of this process. Call the function before a fork, because each
/// child would write buffered output again. Returns false if any text printed to standard output,
/// now or before, could not be written. Typical causes are a full disk and a reader that has ended.
/// errno has the cause, or is 0 if the cause is unknown.
bool flush_output();

/// Returns the error text after a failed `flush_output`, such as "standard output could not be
/// written: No space left on device".
std::string unwritten_output_text();

// The status of a running job, which other processes of the machine, such as `atoll top`, can read.

/// The status that a PE publishes about ten times a second.
struct pe_status {
  bool begun = false;
  std::uint64_t process = 0;
  std::int64_t time = 0;      ///< time at which the PE published these values, ns
  std::int64_t idle_for = 0;  ///< how long the PE has been without work, ns; 0 if it is not idle
  /// Time since the PE published last, ns; 0 for an idle PE and in a simulated job.
  std::int64_t age = 0;
  std::uint64_t ready_tasks = 0;
  std::uint64_t active_tasks = 0;
  observe::counters counted;
};

/// Reads the status of a running job, without slowing it down.
class status_view {
 public:
  /// Opens the status of the job that `process` runs. If there is no such job, or its status may
  /// not be read, throws `error` (input) with the reason.
  explicit status_view(pid_t process);
  ~status_view();
  status_view(const status_view&) = delete;
  status_view& operator=(const status_view&) = delete;

  int pes() const { return pes_; }

  /// Returns whether the job has ended. After its end, `read` returns the last status.
  bool ended() const;

  /// Returns the present status of `pe`. For an idle PE, `idle_for` and `time` are up to date,
  /// although the PE publishes nothing.
  pe_status read(int pe) const;

 private:
  pid_t process_;
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
  int pes_ = 0;
};

}  // namespace atl::job
