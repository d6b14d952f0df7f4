#pragma once
// Declares the driver of kernels and benchmarks: flags, trials, programs to compare with, results.
//
// A command calls `add_benchmark_flags`. The action of the command makes a `report`, calls
// `run_trials` and `report::verified`, and returns `publish(result, flags)`.

#include "app/driver/report.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <sched.h>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace atl::app {

struct benchmark_flags {
  /// true: the command measures trials; false: the command runs the kernel once and shows the
  /// answer
  bool measures = true;
  std::uint64_t trials = 3;
  bool verify = false;
  bool compare = false;
  std::string json;  ///< path of the file of --json; "-": standard output; empty: none
};

/// Adds --verify and --json. If the command is a benchmark, the function adds --trials and
/// --compare. `flags` must live as long as the command.
void add_benchmark_flags(CLI::App& command, benchmark_flags& flags);

/// A program that --compare runs and measures after each trial of the benchmark.
struct compared_program {
  compared_program(std::string metric, std::vector<std::string> command,
                   std::vector<std::string> launcher = {})
      : metric(std::move(metric)), command(std::move(command)), launcher(std::move(launcher)) {}

  std::string metric;                ///< name of the metric: "limit", or "peer:NAME"
  std::vector<std::string> command;  ///< {"atoll-limit-gups", "--log2-table", "25"}
  /// Words that precede the command, such as the result of `mpi_launcher(2)`.
  std::vector<std::string> launcher;
  /// Name of the field to compare in the JSON that the program prints, such as "rate" or
  /// "nanoseconds".
  std::string figure = "rate";
};

/// Returns the words that start an MPI program with `processes` processes. Returns no words if MPI
/// is not installed.
std::vector<std::string> mpi_launcher(std::uint64_t processes);

/// Runs a program in the folder of the running binary. Returns the last JSON object with a rate and
/// a unit in the output of the program: {"rate": X, "unit": "..."}. The program may run on
/// `processors`, or by default on the processors of this thread. Throws `error` (environment) if
/// the program fails, or prints no JSON object with a rate and a unit.
nlohmann::ordered_json run_program(const compared_program& program,
                                   const std::optional<cpu_set_t>& processors = std::nullopt);

/// Returns whether the program was built, which means that its file is in the folder of the running
/// binary.
bool is_built(const compared_program& program);

/// A function that runs one trial, which is usually a whole job. The returned measurements contain
/// `rate`.
using trial_function = std::function<measurements()>;

/// A series of trials. The first trial, a warm-up, is not measured. A simulated job has no warm-up
/// trial, because virtual times need no warm-up. After the warm-up trial, `flags.trials` trials are
/// measured, and their measurements are added to the report. With --compare, every compared program
/// runs once after each trial, so all programs run under the same load of the machine. The report
/// gets a line for each program that was not built. The series computes rate_per_core and
/// fraction_of_limit from the measured rates.
///
/// A command that answers a question runs one trial. For a command that answers a question, only
/// `seconds` of the trial is added to the report.
///
/// If all trials run in one job, the command makes this object before it starts the job. The main
/// task on PE 0 executes the loop `while (trials.begin()) { ... trials.end(measured); }`.
class trial_series {
 public:
  /// Makes the series. Throws `error` (input) if the file of --json cannot be written.
  trial_series(report& result, const benchmark_flags& flags,
               const std::vector<compared_program>& programs = {});

  /// Begins the next trial. Returns false if all trials are done.
  bool begin();

  /// Returns whether the current trial is the one that is not measured.
  bool warming_up() const { return measures_ && number_ == 0; }

  /// Shows on a terminal how far the trial or its preparation has progressed.
  void show(std::string_view progress);

  /// Ends a trial, adds its measurements, and runs the compared programs. The call blocks while the
  /// compared programs run, so the core of the caller should have no other work.
  void end(const measurements& measured);

 private:
  std::string title() const;
  void run_compared(const compared_program& program);
  void add_time(const compared_program& program, double nanoseconds);
  /// Adds the second rate of a compared program that sorts: the keys per second if the keys are
  /// also written in ascending order.
  void add_sorted(const compared_program& program, double rate, const std::string& unit);

  report& result_;
  bool measures_;
  std::uint64_t trials_;
  std::vector<compared_program> programs_;
  // The processors on which PE 0 could run before PE 0 was bound to one processor.
  std::optional<cpu_set_t> processors_;
  std::int64_t number_ = -1;  // number of the current trial
  progress_line progress_;
};

/// Runs a whole series, and calls `trial` for each trial.
void run_trials(report& result, const benchmark_flags& flags, const trial_function& trial,
                const std::vector<compared_program>& programs = {});

/// Throws `error` (input) if the file of --json could not be written. An empty name or "-" means
/// that no file is written.
void check_json_file(const std::string& file);

/// Writes the file of --json. If writing fails, throws `error` (environment), and an existing file
/// stays unchanged.
void write_json(const std::string& file, const std::string& json);

/// Prints the result and writes the JSON. Returns the exit status of the command, which is 1 for a
/// wrong result. Throws `error` (environment) if a file cannot be written.
int publish(const report& result, const benchmark_flags& flags);

}  // namespace atl::app
