#pragma once
// What `atoll cc` and `atoll bench cc` are made of. A program with another algorithm takes it, too
// (reproduction/cc/).

#include "app/driver/kernel_command.hpp"
#include "app/driver/memory.hpp"
#include "atoll/kernels/cc/run.hpp"

#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace atl::app {

struct command_context;

// ---- What was asked for, and what was found.

struct cc_flags : graph_flags {
  std::uint64_t largest = 5;  ///< components that are shown one by one
};

struct shown_component {
  shown_vertex smallest;
  std::uint64_t vertices = 0;
};

struct cc_findings : graph_findings {
  std::vector<kernels::cc::run_outcome> trials;  ///< timed ones
  kernels::cc::component_sizes sizes;
  std::vector<shown_component> largest;

  bool right() const { return found().total() == 0; }

  /// The labels of all trials that are wrong.
  kernels::cc::wrong_labels found() const {
    kernels::cc::wrong_labels sum;
    for (const auto& trial : trials) sum = sum + trial.found;
    return sum;
  }
};

// ---- The job.

/// Building and labelling a graph whose size is known. One instance for each width of ids.
template <class Id>
class cc_trials {
 public:
  cc_trials(const graph_input& input, const cc_flags& flags, trial_series& trials,
            vertex_output& output, cc_findings& findings)
      : input_(input), flags_(flags), trials_(trials), output_(output), findings_(findings) {}
  virtual ~cc_trials() = default;

  /// Does everything. Once.
  task<> run();

 protected:
  /// What runs need beside the graph; `destroy` forgets it.
  virtual task<> make();
  virtual task<> destroy();

  virtual task<kernels::cc::run_outcome> label(bool verify);

  const kernels::cc::workspace<Id>& on() const { return on_; }

 private:
  task<> build();
  task<measurements> trial();
  task<> count_components();

  const graph_input& input_;
  const cc_flags& flags_;
  trial_series& trials_;
  vertex_output& output_;
  cc_findings& findings_;
  distributed_graph<Id> graph_;
  kernels::cc::workspace<Id> on_;
};

extern template class cc_trials<std::uint32_t>;
extern template class cc_trials<std::uint64_t>;

// ---- The command.

class cc_command : public graph_kernel {
 public:
  cc_command(cc_flags& flags, const settings& options);

 protected:
  void add_parameters() override;
  void describe() override;

  virtual std::string_view algorithm() const { return "afforest"; }

  /// That all PEs together hold beside the labels.
  virtual double bytes_of_algorithm(const load_demand&) const { return 0; }

  /// Runs all trials, each width of ids having a type of its own; `more` goes to its constructor.
  template <template <class> class Trials, class... More>
  task<> label_by(const graph_input& input, bool narrow, More&... more) {
    if (narrow) {
      Trials<std::uint32_t> all(input, flags_, trials(), output_, findings_, more...);
      co_await all.run();
    } else {
      Trials<std::uint64_t> all(input, flags_, trials(), output_, findings_, more...);
      co_await all.run();
    }
  }

  task<> compute(const graph_input& input, bool narrow) override {
    return label_by<cc_trials>(input, narrow);
  }

 private:
  void check_before_start() override;
  std::vector<compared_program> programs() override;
  result_output& output() override { return output_; }
  graph_findings& findings() override { return findings_; }
  std::string_view doing() const override { return "labelling"; }
  bool right() const override { return findings_.right(); }
  void check_memory(graph_size size) override;
  task<> look_at(const graph_input& input) override;

  const cc_flags& flags_;
  vertex_output output_;
  cc_findings findings_;
};

/// All flags of the command, which measures where the flags say so. `flags` lives as long as it.
void add_cc_flags(CLI::App& command, command_context& context, cc_flags& flags);

}  // namespace atl::app
