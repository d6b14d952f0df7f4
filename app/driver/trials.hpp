#pragma once
// Declares the driver of kernels and benchmarks: flags, trials, programs to compare with, results.
//
// A command declares: benchmark_flags flags; add_benchmark_flags(command, flags);
// Its action does:    report result("gups", context.settings); result.parameter(...);
//                     run_trials(result, flags, one_trial, programs); result.verified(...);
//                     return publish(result, flags);

#include "app/driver/progress_line.hpp"
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
  bool measures = true;  ///< false: the command runs once, for its answer
  std::uint64_t trials = 3;
  bool verify = false;
  bool compare = false;
  std::string json;  ///< the file of --json; "-": standard output; "": none
};

/// Adds --verify and --json and, to a command that measures, --trials and --compare. `flags` must
/// live as long as the command.
void add_benchmark_flags(CLI::App& command, benchmark_flags& flags);

/// A program that --compare measures beside a benchmark.
struct compared_program {
  compared_program(std::string metric, std::vector<std::string> command,
                   std::vector<std::string> launcher = {})
      : metric(std::move(metric)), command(std::move(command)), launcher(std::move(launcher)) {}

  std::string metric;                 ///< "limit", or "peer:NAME"
  std::vector<std::string> command;   ///< {"atoll-limit-gups", "--log2-table", "25"}
  std::vector<std::string> launcher;  ///< words before the command, such as `mpi_launcher(2)`
  std::string figure = "rate";        ///< the compared field of its output; or "nanoseconds"
};

/// Returns the words that start an MPI program with `processes` processes; empty without MPI.
std::vector<std::string> mpi_launcher(std::uint64_t processes);

/// Runs a program in the folder of the running binary and returns the JSON of its one line,
/// {"rate": X, "unit": "..."}. The program may run on `processors`, or by default on those of this
/// thread. Throws `error` (environment) if it fails or prints anything else.
nlohmann::ordered_json run_program(const compared_program& program,
                                   const std::optional<cpu_set_t>& processors = std::nullopt);

/// Returns whether the program was built, in the folder of the running binary.
bool is_built(const compared_program& program);

/// A function that runs one trial, usually a whole job, and returns its measurements, including
/// `rate`.
using trial_function = std::function<measurements()>;

/// A series of trials: an untimed one (none where time is virtual), then `flags.trials` trials
/// whose measurements are added to the report. With --compare every program runs once after each
/// trial, so that all meet the same state of the machine. Programs that are not built get a line in
/// the report. The series also computes rate_per_core and fraction_of_limit.
///
/// A command that does not measure runs one trial, and only its `seconds` are added to the report.
///
/// Commands whose trials share a job make the series before the job. The task of PE 0 then runs
///   while (trials.begin()) { ... trials.end(measured); }
class trial_series {
 public:
  /// Throws `error` (input) if the result could not be written.
  trial_series(report& result, const benchmark_flags& flags,
               const std::vector<compared_program>& programs = {});

  /// Begins the next trial; returns false when all are done.
  bool begin();

  /// Returns whether the current trial is the untimed one.
  bool warming_up() const { return measures_ && number_ == 0; }

  /// Shows the progress of the trial, or of the preparation, on a terminal.
  void show(std::string_view progress);

  /// Ends a trial, adds its measurements and runs the compared programs. Blocks, so no other work
  /// should be due on this core.
  void end(const measurements& measured);

 private:
  std::string title() const;
  void run_compared(const compared_program& program);
  void add_time(const compared_program& program, double nanoseconds);
  /// Adds the second figure of programs that sort: the rate of whole keys in order.
  void add_sorted(const compared_program& program, double rate, const std::string& unit);

  report& result_;
  bool measures_;
  std::uint64_t trials_;
  std::vector<compared_program> programs_;
  std::optional<cpu_set_t> processors_;  // the processors before PE 0 was bound to one
  std::int64_t number_ = -1;             // number of the current trial
  progress_line progress_;
};

/// Runs a whole series and calls `trial` for each trial.
void run_trials(report& result, const benchmark_flags& flags, const trial_function& trial,
                const std::vector<compared_program>& programs = {});

/// Throws `error` (input) if the file of --json could not be written; "" and "-" mean none.
void check_json_file(const std::string& file);

/// Writes the file of --json as a whole, or leaves it unchanged and throws `error` (environment).
void write_json(const std::string& file, const std::string& json);

/// Prints the result and writes the JSON. Returns the exit status of the command: 1 for a wrong
/// result. Throws `error` (environment) if a file cannot be written.
int publish(const report& result, const benchmark_flags& flags);

}  // namespace atl::app
