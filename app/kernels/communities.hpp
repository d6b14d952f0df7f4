#pragma once
// Defines the command of `atoll communities` and `atoll bench communities`.

#include "app/driver/kernel_command.hpp"
#include "app/driver/memory.hpp"
#include "atoll/kernels/communities.hpp"

#include <vector>

namespace atl::app {

struct communities_flags : graph_flags {
  communities_options with;
  bool directed = false;
  bool weighted = false;
  std::uint64_t largest = 5;  ///< number of communities that are shown
};

struct shown_community {
  shown_vertex smallest;
  std::uint64_t vertices = 0;
};

struct communities_findings : graph_findings {
  vertex_communities found;  ///< result of the last trial, whose labels were destroyed
  std::vector<shown_community> largest;
};

class communities_command : public library_kernel {
 public:
  communities_command(communities_flags& flags, const settings& options)
      : library_kernel("communities", flags, options), flags_(flags), output_(flags) {
    flags.files.form.without_weights |= !flags.weighted;
    flags.with.seed = this->options().seed;
  }

 private:
  void check_before_start() override;
  void add_parameters() override;
  std::vector<compared_program> programs() override { return {}; }
  const result_output& output() const override { return output_; }
  graph_findings& findings() override { return findings_; }
  std::string_view doing() const override { return "grouping"; }
  bool may_divide_hubs() const override { return false; }
  void describe() override;

  void check_memory(graph_size size) override;
  graph_options building() const override;
  task<> look_at(graph_builder& read) override;
  task<> check_weights(const graph_builder& read);

  task<> compute(global_graph graph) override;
  task<measurements> trial(global_graph graph);
  task<> show_largest(global_graph graph);

  communities_flags& flags_;
  vertex_output output_;
  communities_findings findings_;
  vertex_communities last_;  // communities of the last trial
};

}  // namespace atl::app
