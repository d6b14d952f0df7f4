#pragma once
// What `atoll bfs` and `atoll bench bfs` are made of. A program whose searches differ in a step
// takes it, too (reproduction/bfs/).

#include "app/driver/kernel_command.hpp"
#include "atoll/graph/input_check.hpp"
#include "atoll/kernels/bfs/run.hpp"
#include "atoll/kernels/bfs/tree.hpp"

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace atl::app {

struct command_context;

// ---- What was asked for, and what was found.

struct bfs_flags : graph_flags {
  orientation arcs_are = orientation::undirected;
  std::uint64_t roots = 16;
  std::vector<std::string> chosen_roots;  ///< names or ids, in place of random ones
  bool levels = false;
  std::string path_to;  ///< name or id, "" for none
};

/// One level of the tree of the first root.
struct bfs_level {
  std::uint64_t vertices = 0;
  std::vector<std::string> examples;  ///< those with most neighbours
};

struct bfs_findings : graph_findings {
  input_differences input;  ///< with verify

  std::vector<shown_vertex> roots;
  std::vector<std::vector<kernels::bfs::search_outcome>> trials;  ///< timed ones, by root
  kernels::bfs::violations last_tree;  ///< of the first root, searched again to be written
  std::vector<bfs_level> levels;
  std::vector<std::string> path;  ///< from the first root; empty where the goal was not reached

  bool right() const { return input.total() == 0 && found().total() == 0; }

  /// The rules that trees break.
  kernels::bfs::violations found() const {
    kernels::bfs::violations sum = last_tree;
    for (const auto& trial : trials) {
      for (const auto& search : trial) sum = sum + search.found;
    }
    return sum;
  }
};

// ---- The job.

/// What the searches are given.
struct bfs_input {
  const bfs_flags& flags;
  trial_series& trials;
  vertex_output& output;
  const graph_input& graph;
  std::vector<std::uint64_t> roots;  ///< chosen by the user; else they are random
  std::optional<std::uint64_t> goal;
};

/// Building and searching a graph whose size is known. One instance for each width of ids.
template <class Id>
class bfs_searches {
 public:
  bfs_searches(const bfs_input& input, bfs_findings& findings)
      : input_(input), flags_(input.flags), findings_(findings) {}

  virtual ~bfs_searches() = default;

  /// Does everything. Once.
  task<> run();

 protected:
  /// What searches need beside the graph; `destroy` forgets it.
  virtual task<> make();
  virtual task<> destroy();

  virtual task<kernels::bfs::search_outcome> search(std::uint64_t root, bool verify);
  virtual task<measurements> trial();

  /// Searches from each root, one after the other.
  task<std::vector<kernels::bfs::search_outcome>> search_all(bool verify);

  const kernels::bfs::workspace<Id>& on() const { return on_; }

 private:
  /// Examples of a level, and levels that have them.
  static constexpr std::uint64_t k_examples = 5;
  static constexpr std::uint64_t k_levels = 64;

  task<> build();
  task<> choose_roots();
  task<> ask_for_a_root();
  /// The tree of the last trial is that of the first root, and was checked as it shall be.
  bool last_is_of_first_root() const { return !flags_.common.measures; }
  task<> search_again();
  task<> look_at_first_tree();
  task<> name_levels(const std::vector<std::uint64_t>& sizes,
                     const std::vector<kernels::bfs::level_example>& examples);

  const bfs_input& input_;
  const bfs_flags& flags_;
  bfs_findings& findings_;
  distributed_graph<Id> graph_;
  kernels::bfs::workspace<Id> on_;
};

extern template class bfs_searches<std::uint32_t>;
extern template class bfs_searches<std::uint64_t>;

// ---- The command.

class bfs_command : public graph_kernel {
 public:
  bfs_command(bfs_flags& flags, const settings& options);

 protected:
  void add_parameters() override;

  /// Of each level that a search keeps beside its tree, in vertices.
  virtual double copies_of_a_level() const { return 1; }

  /// Runs all searches, each width of ids having a type of its own; `more` goes to its constructor.
  template <template <class> class Searches, class... More>
  task<> search_by(const graph_input& input, bool narrow, More... more) {
    const bfs_input given{flags_, trials(), output_, input, roots_, goal_};
    if (narrow) {
      Searches<std::uint32_t> searches(given, findings_, more...);
      co_await searches.run();
    } else {
      Searches<std::uint64_t> searches(given, findings_, more...);
      co_await searches.run();
    }
  }

  task<> compute(const graph_input& input, bool narrow) override {
    return search_by<bfs_searches>(input, narrow);
  }

 private:
  void check_before_start() override;
  std::vector<compared_program> programs() override;
  result_output& output() override { return output_; }
  graph_findings& findings() override { return findings_; }
  std::string_view doing() const override { return "searching"; }
  bool right() const override { return findings_.right(); }
  void describe() override;
  void check_memory(graph_size size) override;

  task<> look_at(const graph_input& input) override;
  task<std::uint64_t> vertex_of(std::string_view flag, std::string text, const graph_input& input);

  const bfs_flags& flags_;
  vertex_output output_;
  bfs_findings findings_;
  std::vector<std::uint64_t> roots_;  // those that the user named
  std::optional<std::uint64_t> goal_;
};

/// All flags of the command, which measures where the flags say so. `flags` lives as long as it.
void add_bfs_flags(CLI::App& command, command_context& context, bfs_flags& flags);

}  // namespace atl::app
