#pragma once
// Defines the steps of a command that runs a kernel, to answer a question or to measure. A command
// that runs a kernel first checks its flags, then runs the job with its trials, and finally prints
// the result. Each subclass defines the steps that depend on the kernel.

#include "app/command.hpp"
#include "app/driver/graph_findings.hpp"
#include "app/driver/output.hpp"
#include "app/driver/trials.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace atl::app {

class kernel_command {
 public:
  /// Prepares the command and reads the properties of the processor. `flags` must outlive the
  /// command.
  kernel_command(const std::string& name, const benchmark_flags& flags, settings options);
  virtual ~kernel_command() = default;
  kernel_command(const kernel_command&) = delete;
  kernel_command& operator=(const kernel_command&) = delete;

  /// Runs all steps of the command, and returns the exit status. The program calls this function
  /// once. Blocks. Throws `error`, or `ended` if the job ended early.
  int run();

 protected:
  /// Checks the flags and whether memory suffices, before the job starts. Throws `error`.
  virtual void check_before_start() = 0;

  virtual void add_parameters() = 0;

  /// Returns the files that the command reads.
  virtual std::vector<used_file> inputs() const = 0;

  /// Returns the programs that --compare runs.
  virtual std::vector<compared_program> programs() = 0;

  virtual const result_output& output() const = 0;

  /// The main task of the job. The task runs and measures all trials.
  virtual task<> main() = 0;

  /// Returns false if a check has found a wrong result.
  virtual bool right() const = 0;

  /// Adds the findings to the result: metrics, sections of the JSON, and lines for people.
  virtual void describe() = 0;

  /// Returns the name of the step whose time is the metric `seconds`, such as "searching".
  virtual std::string_view doing() const = 0;

  /// Writes the file of --output, if the flag was given and the result is right. Only one task, on
  /// PE 0, calls this coroutine, and waits until the file is written. Throws `error`.
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

  /// Returns the series of trials. The job must have started.
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

/// A command that runs a kernel of the library on a graph.
class library_kernel : public kernel_command {
 public:
  /// Opens the input files. `flags` must outlive the command.
  library_kernel(const std::string& name, graph_flags& flags, settings options);

 protected:
  void add_parameters() override { add_graph_parameters(result(), graph_flags_); }
  std::vector<used_file> inputs() const override {
    return {{"edges", graph_flags_.files.edges}, {"names", graph_flags_.files.names}};
  }
  task<> main() override;
  bool right() const override { return findings_of().wrong.empty(); }

  /// Returns the object that stores the findings of the job.
  virtual graph_findings& findings() = 0;

  /// Returns the options with which the graph is built.
  virtual graph_options building() const = 0;

  /// Returns whether the neighbours of a vertex of very large degree may be divided over all PEs.
  virtual bool may_divide_hubs() const { return true; }

  /// Checks whether the flags fit the file. The command calls this function after the file was
  /// read. Throws `error` (input) if a flag does not fit the file.
  virtual task<> look_at(graph_builder& read) = 0;

  /// Throws `error` (out_of_memory) if memory does not suffice for a graph of this size.
  virtual void check_memory(graph_size size) = 0;

  /// Runs all trials on the graph.
  virtual task<> compute(global_graph graph) = 0;

 private:
  const graph_findings& findings_of() const {
    return const_cast<library_kernel*>(this)->findings();  // NOLINT: findings() changes nothing
  }
  void show(std::string_view what, double done);

  const graph_flags& graph_flags_;
};

/// The texts of the two commands of a kernel: `atoll NAME`, which answers a question, and `atoll
/// bench NAME`, which measures speed.
struct kernel_texts {
  const char* name;
  const char* answers;   ///< line of `atoll NAME` in the list of commands
  const char* measures;  ///< line of `atoll bench NAME` in the list of benchmarks
  const char* answer;    ///< text at the end of the help of `atoll NAME`
  const char* answer_details;
  const char* bench;  ///< text at the end of the help of `atoll bench NAME`
  const char* bench_details;
};

/// Adds a command of a kernel: `atoll bench NAME` if `measures` is true, and `atoll NAME` if
/// `measures` is false. `add_flags(command, context, flags)` adds the flags of the command.
template <class Command, class Flags, class AddFlags>
void add_kernel_command(CLI::App& parent, command_context& context, bool measures,
                        const kernel_texts& texts, AddFlags add_flags) {
  const auto flags = std::make_shared<Flags>();
  flags->common.measures = measures;
  const auto action = [&context, flags] { return Command(*flags, context.settings).run(); };
  auto& command =
      add_command(parent, context, texts.name, measures ? texts.measures : texts.answers, action);
  add_flags(command, context, *flags);
  add_explanation(command, context, measures ? texts.bench : texts.answer,
                  measures ? texts.bench_details : texts.answer_details);
}

}  // namespace atl::app
