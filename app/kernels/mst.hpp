#pragma once
// Defines the command of `atoll mst` and `atoll bench mst`. A program with another algorithm
// derives its command from the class `mst_command`.

#include "app/driver/kernel_command.hpp"
#include "atoll/kernels/forest.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace atl::app {

struct command_context;

// The types below hold the flags of the command, and the results that it shows.

struct mst_flags : graph_flags {
  /// Whether weights are computed by a hash function from the endpoints, even if the file has
  /// weights.
  bool hashed_weights = false;
};

/// The number of edges and the total weight of the forest that a trial has found.
struct forest_counts {
  std::uint64_t edges = 0;
  total_weight weight;
  friend bool operator==(const forest_counts&, const forest_counts&) = default;

  std::string text() const;
};

struct mst_findings : graph_findings {
  spanning_forest forest;  ///< forest of the last trial
  forest_counts counts;
  bool weights_of_file = false;
};

// ---- The command.

class mst_command : public library_kernel {
 public:
  mst_command(mst_flags& flags, const settings& options)
      : library_kernel("mst", flags, without_stalls(options)),
        flags_(flags),
        output_(flags.output,
                [](const std::string& path) { static_cast<void>(forest_file_has_weights(path)); }) {
    flags.files.form.without_weights |= flags.hashed_weights;
  }

 protected:
  /// Adds to the result the parameters of the algorithm, such as its name and the way in which PEs
  /// exchange data.
  virtual void add_way();

  /// Returns flags for the parallel programs that --compare runs. The flags choose the same variant
  /// of the algorithm as this command.
  virtual std::vector<std::string> words_for_peers() const { return {}; }

  /// Allocates the memory that all trials use.
  virtual task<> prepare(global_graph graph);

  /// Finds the forest. The command measures the time of this function.
  virtual task<spanning_forest> find() { return forests_.find(); }

  /// Releases the memory that all trials have used.
  virtual task<> end_finding() { return forests_.destroy(); }

 private:
  /// Returns the settings without the warning about tasks that run for long without a task switch.
  /// A warning about a long-running task would be a false alarm: between exchanges, every PE
  /// computes alone, and no PE waits for a message.
  static settings without_stalls(settings options) {
    options.stall_time = 0;
    return options;
  }

  void check_before_start() override;
  void add_parameters() override;
  std::vector<compared_program> programs() override;
  const result_output& output() const override { return output_; }
  graph_findings& findings() override { return findings_; }
  std::string_view doing() const override { return "joining"; }
  void describe() override;

  void check_memory(graph_size size) override;
  graph_options building() const override { return {.edges_only = true}; }
  task<> look_at(graph_builder& read) override;

  task<> compute(global_graph graph) override;
  task<measurements> trial(global_graph graph);
  task<> verify_last(global_graph graph);

  const mst_flags& flags_;
  result_output output_;
  mst_findings findings_;
  repeated_forests forests_;
};

/// Adds all flags of the command. If `flags.common.measures` is true, the command is the benchmark
/// with several timed trials. If `flags.common.measures` is false, the command runs the algorithm
/// once and shows the result. `flags` must live as long as the command.
void add_mst_flags(CLI::App& command, command_context& context, mst_flags& flags);

}  // namespace atl::app
