#pragma once
// Defines the command of `atoll cc` and `atoll bench cc`. A program with another algorithm derives
// its command from the class `cc_command`.

#include "app/driver/kernel_command.hpp"
#include "app/driver/memory.hpp"
#include "atoll/kernels/components.hpp"

#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace atl::app {

struct command_context;

// The types below hold the flags of the command, and the results that it shows.

struct cc_flags : graph_flags {
  std::uint64_t largest = 5;  ///< number of components that are shown
};

struct shown_component {
  shown_vertex smallest;
  std::uint64_t vertices = 0;
};

struct cc_findings : graph_findings {
  component_counts sizes;
  std::vector<shown_component> largest;
};

// ---- The command.

class cc_command : public library_kernel {
 public:
  cc_command(cc_flags& flags, const settings& options)
      : library_kernel("cc", flags, options), flags_(flags), output_(flags) {
    flags.files.form.without_weights = true;
  }

 protected:
  void add_parameters() override;
  void describe() override;

  virtual std::string_view algorithm() const { return "afforest"; }

  /// Returns the memory in bytes that the algorithm needs in addition to the labels, for all PEs
  /// together.
  virtual double bytes_of_algorithm(const load_demand&) const { return 0; }

  /// Finds the components. The command measures the time of this function.
  virtual task<components> label(global_graph graph) { return connected_components(graph); }

  /// Releases the memory that `label` keeps between trials.
  virtual task<> end_labelling() { co_return; }

 private:
  void check_before_start() override;
  std::vector<compared_program> programs() override;
  const result_output& output() const override { return output_; }
  graph_findings& findings() override { return findings_; }
  std::string_view doing() const override { return "labelling"; }

  void check_memory(graph_size size) override;
  graph_options building() const override { return {.keep_edges = flags_.common.verify}; }

  task<> look_at(graph_builder& read) override {
    output_.check_names(read.names(), flags_.files.names.empty());
    co_return;
  }

  task<> compute(global_graph graph) override;
  task<measurements> trial(global_graph graph);
  task<> count_components(global_graph graph);

  const cc_flags& flags_;
  vertex_output output_;
  cc_findings findings_;
  components last_;  // components of the last trial
};

/// Adds all flags of the command. If `flags.common.measures` is true, the command is the benchmark
/// with several timed trials. If `flags.common.measures` is false, the command runs the algorithm
/// once and shows the result. `flags` must live as long as the command.
void add_cc_flags(CLI::App& command, command_context& context, cc_flags& flags);

}  // namespace atl::app
