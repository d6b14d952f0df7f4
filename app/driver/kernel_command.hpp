#pragma once
// The way of a command that runs a kernel, alike for answers and for benchmarks: checks before the
// job starts, the job with its trials, and the result. A kernel says what differs.

#include "app/driver/graph_findings.hpp"
#include "app/driver/output.hpp"
#include "app/driver/trials.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace atl::app {

class kernel_command {
 public:
  /// Looks at the processor. `flags` lives as long as this.
  kernel_command(const std::string& name, const benchmark_flags& flags, settings options);
  virtual ~kernel_command() = default;
  kernel_command(const kernel_command&) = delete;
  kernel_command& operator=(const kernel_command&) = delete;

  /// Does everything, once; returns the exit status. Throws `error`, and `ended` when the job ended
  /// early. Blocks.
  int run();

 protected:
  /// Of flags and memory, as far as can be told before the job starts. Throws `error`.
  virtual void check_before_start() = 0;

  virtual void add_parameters() = 0;

  /// The files it reads.
  virtual std::vector<used_file> inputs() const = 0;

  /// What --compare runs.
  virtual std::vector<compared_program> programs() = 0;

  virtual const result_output& output() const = 0;

  /// The main task of the job: for each trial, measures it.
  virtual task<> main() = 0;

  /// As far as was checked.
  virtual bool right() const = 0;

  /// Puts what was found into the result: metrics, parts of the JSON, and lines for people.
  virtual void describe() = 0;

  /// What an answer calls its `seconds`: "searching".
  virtual std::string_view doing() const = 0;

  /// Writes the file of --output, where it is wanted and the result is right. One task calls it, on
  /// PE 0. Blocks the task. Throws `error`.
  template <class Result>
  task<> write(Result result) {
    if (!output().wanted() || !right()) co_return;
    try {
      co_await result.write(output().path());
    } catch (const error& failure) {
      fail(failure.code(), "--output: {}", failure.what());
    }
  }

  const settings& options() const { return options_; }
  report& result() { return result_; }
  std::uint64_t pes() const { return result_.pes(); }

  /// From the start of the job on.
  trial_series& trials() { return *trials_; }

 private:
  void check_files();
  void add_times();
  int publish_with_output();

  const benchmark_flags& flags_;
  settings options_;
  report result_;
  std::optional<trial_series> trials_;
};

/// A kernel of the library on a graph.
class library_kernel : public kernel_command {
 public:
  /// Opens the input. `flags` lives as long as this.
  library_kernel(const std::string& name, graph_flags& flags, settings options);

 protected:
  void add_parameters() override { add_graph_parameters(result(), graph_flags_); }
  std::vector<used_file> inputs() const override {
    return {{"edges", graph_flags_.files.edges}, {"names", graph_flags_.files.names}};
  }
  task<> main() override;
  bool right() const override { return findings_of().wrong.empty(); }

  /// Where the results of the job go.
  virtual graph_findings& findings() = 0;

  /// How the graph is to be built.
  virtual graph_options building() const = 0;

  /// After the file was read: checks the flags against it. Throws `error` (input).
  virtual task<> look_at(graph_builder& read) = 0;

  /// Throws `error` (out_of_memory) unless there is room.
  virtual void check_memory(graph_size size) = 0;

  /// Runs all trials.
  virtual task<> compute(global_graph graph) = 0;

 private:
  const graph_findings& findings_of() const {
    return const_cast<library_kernel*>(this)->findings();  // NOLINT: does not change them
  }
  void show(std::string_view what, double done);

  const graph_flags& graph_flags_;
};

}  // namespace atl::app
