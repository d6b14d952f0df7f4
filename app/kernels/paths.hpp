#pragma once
// Defines the command of `atoll paths` and `atoll bench paths`.

#include "app/driver/kernel_command.hpp"
#include "atoll/kernels/shortest_paths.hpp"

#include <optional>
#include <string>
#include <vector>

namespace atl::app {

// ---- Flags and findings.

struct paths_flags : graph_flags {
  orientation arcs_are = orientation::undirected;
  std::uint64_t roots = 4;
  std::vector<std::string> chosen_roots;  ///< names or ids of the roots; empty: random roots
  bool unweighted = false;
  double width = 0;
  std::string path_to;  ///< name or id of the vertex to which a path is shown; "" for none
};

struct paths_findings : graph_findings {
  std::vector<shown_vertex> roots;
  /// For each timed trial, the results of its searches by root.
  std::vector<std::vector<path_counts>> trials;
  bool weighted = false;
  /// Path from the first root; empty if the root does not reach the goal.
  std::vector<std::string> path;
  double path_length = 0;
};

// ---- The command.

class paths_command : public library_kernel {
 public:
  paths_command(paths_flags& flags, const settings& options)
      : library_kernel("paths", flags, options), flags_(flags), output_(flags) {
    flags.files.form.without_weights = flags.unweighted;
    flags.files.form.real_weights = true;
  }

 private:
  void check_before_start() override;
  void add_parameters() override;
  std::vector<compared_program> programs() override;
  const result_output& output() const override { return output_; }
  graph_findings& findings() override { return findings_; }
  std::string_view doing() const override { return "searching"; }
  void describe() override;

  bool undirected() const { return flags_.arcs_are == orientation::undirected; }
  void check_memory(graph_size size) override;
  graph_options building() const override;
  bool may_divide_hubs() const override { return false; }
  task<> look_at(graph_builder& read) override;

  task<> compute(global_graph graph) override;
  task<> choose_roots(global_graph graph);
  task<measurements> trial(global_graph graph, repeated_shortest_paths searches);
  task<> check(global_graph graph, repeated_shortest_paths searches);
  task<> look_at_first_tree(global_graph graph, repeated_shortest_paths searches);

  const paths_flags& flags_;
  vertex_output output_;
  paths_findings findings_;
  std::vector<vertex_id> roots_;  // roots that the user named
  std::optional<vertex_id> goal_;
};

}  // namespace atl::app
