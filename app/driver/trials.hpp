#pragma once
// The common driver of kernels and benchmarks: flags, trials, programs to compare with, the result.
//
// A command does:   benchmark_flags flags; add_benchmark_flags(command, flags);
// and in its action: report result("gups", context.settings); result.parameter(...);
//                    run_trials(result, flags, one_trial, programs); result.verified(...);
//                    return publish(result, flags);

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
  bool measures = true;  ///< else the command runs once, for its answer
  std::uint64_t trials = 3;
  bool verify = false;
  bool compare = false;
  std::string json;  ///< file; "-" is standard output; "" is none
};

/// Adds --verify and --json and, to a command that measures, --trials and --compare. `flags` lives
/// as long as the command.
void add_benchmark_flags(CLI::App& command, benchmark_flags& flags);

/// A program to measure beside a benchmark.
struct compared_program {
  compared_program(std::string metric, std::vector<std::string> command,
                   std::vector<std::string> launcher = {})
      : metric(std::move(metric)), command(std::move(command)), launcher(std::move(launcher)) {}

  std::string metric;                 ///< "limit", or "peer:NAME"
  std::vector<std::string> command;   ///< {"atoll-limit-gups", "--log2-table", "25"}
  std::vector<std::string> launcher;  ///< what stands in front, such as `mpi_launcher(2)`
  std::string figure = "rate";        ///< of its line, that is compared; else "nanoseconds"
};

/// The words that start an MPI program with so many processes; empty without MPI.
std::vector<std::string> mpi_launcher(std::uint64_t processes);

/// Runs a program that stands beside the running binary and returns the JSON of its one line,
/// {"rate": X, "unit": "..."}; it may run on `processors`, or where this thread may. Throws `error`
/// (environment) when it fails or says anything else.
nlohmann::ordered_json run_program(const compared_program& program,
                                   const std::optional<cpu_set_t>& processors = std::nullopt);

/// Whether the program was built: its file stands beside the running binary.
bool is_built(const compared_program& program);

/// One trial is one call, usually of a whole job; it returns what it measured, `rate` among it.
using trial_function = std::function<measurements()>;

/// One untimed trial (none where time is virtual), then `flags.trials` trials whose measurements
/// the report gets. With --compare every program runs once after each trial, so that all meet the
/// same state of the machine; those that are not built get a line. Derives rate_per_core and
/// fraction_of_limit.
///
/// Where nothing is measured there is one trial alone, and of its measurements the report gets
/// `seconds`.
///
/// For commands whose trials share a job: made before the job starts, then driven by the task of
/// PE 0 that runs the trials,
///   while (trials.begin()) { ... trials.end(measured); }
class trial_series {
 public:
  /// Throws `error` (input) if the result could not be written.
  trial_series(report& result, const benchmark_flags& flags,
               const std::vector<compared_program>& programs = {});

  /// Before each trial; false when all are done.
  bool begin();

  /// The trial under way is the untimed one.
  bool warming_up() const { return measures_ && number_ == 0; }

  /// Says on a terminal how far the trial, or what comes before the first, has come.
  void show(std::string_view progress);

  /// After each trial. Runs the programs meanwhile: blocks, on a core where nothing else is to run.
  void end(const measurements& measured);

 private:
  std::string title() const;
  void run_compared(const compared_program& program);
  void add_time(const compared_program& program, double nanoseconds);
  /// Of programs that have a second figure, of whole keys in order.
  void add_sorted(const compared_program& program, double rate, const std::string& unit);

  report& result_;
  bool measures_;
  std::uint64_t trials_;
  std::vector<compared_program> programs_;
  std::optional<cpu_set_t> processors_;  // before PE 0 took one of them
  std::int64_t number_ = -1;             // of the trial under way
  progress_line progress_;
};

/// A whole series, `trial` being called for each.
void run_trials(report& result, const benchmark_flags& flags, const trial_function& trial,
                const std::vector<compared_program>& programs = {});

/// Throws `error` (input) where the file of --json could not be written; "" and "-" are none.
void check_json_file(const std::string& file);

/// Writes the file of --json: it is whole, or as it was. Throws `error` (environment).
void write_json(const std::string& file, const std::string& json);

/// Prints the result, and writes the JSON.
/// Returns the exit status of the command: 1 for a wrong result. Throws `error` (environment) when
/// a file cannot be written.
int publish(const report& result, const benchmark_flags& flags);

}  // namespace atl::app
