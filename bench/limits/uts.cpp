// Measures how fast a plain program without Atoll performs unbalanced tree search. Each core
// traverses the whole tree on its own, serially and depth-first. All cores traverse the tree at the
// same time. The hash function is Atoll's SHA-1.

#include <atomic>
#include <barrier>

#include "atoll/random_graph.hpp"
#include "support/cores.hpp"
#include "support/flags.hpp"
#include "support/json_line.hpp"

namespace {

struct options {
  std::string tree = "T1";
  std::uint64_t processes = 2;
  double seconds = 1;
};

atl::tree_totals traverse(const atl::random_tree& tree) {
  // Number of vertices that one call visits, the same as in a task of Atoll's benchmark.
  constexpr std::uint64_t at_a_time = 1000;
  atl::tree_totals found{1, tree.children_of_root().count() == 0 ? 1U : 0U, 0};
  atl::waiting_siblings waiting;
  waiting.push(tree.children_of_root());
  while (!waiting.empty()) waiting.visit_some(tree, at_a_time, found);
  return found;
}

struct result {
  double seconds = 0;
  std::uint64_t traversals = 0;  // number of traversals per core
  bool right = true;
};

/// Repeats traversals until `seconds` have passed. Every core makes the same number of traversals.
result measure(const atl::tree_parameters& parameters, const options& o) {
  const atl::random_tree tree(parameters);
  std::atomic<bool> right = true;
  std::atomic<bool> enough = false;
  result all;
  std::barrier together(static_cast<std::ptrdiff_t>(o.processes));
  bench::run_pinned(o.processes, [&](std::size_t k) {
    // Like Atoll's benchmark, this program does not measure the first traversal.
    if (traverse(tree) != parameters.published) right = false;
    together.arrive_and_wait();
    const bench::stopwatch watch;
    while (!enough) {
      if (traverse(tree) != parameters.published) right = false;
      together.arrive_and_wait();
      if (k == 0) {
        ++all.traversals;
        all.seconds = watch.seconds();
        enough = all.seconds >= o.seconds;
      }
      together.arrive_and_wait();
    }
  });
  all.right = right;
  return all;
}

bool run(const options& o) {
  const auto* const parameters = atl::find_tree(o.tree);
  if (parameters == nullptr) throw bench::bad_input("--tree: there is no tree " + o.tree);
  const auto measured = measure(*parameters, o);
  const auto cores = static_cast<double>(o.processes);
  const auto nodes = cores * static_cast<double>(measured.traversals * parameters->published.nodes);
  bench::json_line(nodes / measured.seconds, "nodes/s")
      .add("rate_per_core", nodes / measured.seconds / cores)
      .add("seconds", measured.seconds)
      .add("processes", cores)
      .add("traversals", static_cast<double>(measured.traversals))
      .add("nodes", static_cast<double>(parameters->published.nodes))
      .add("leaves", static_cast<double>(parameters->published.leaves))
      .add("depth", static_cast<double>(parameters->published.depth))
      .print();
  return measured.right;
}

}  // namespace

int main(int argc, char** argv) {
  options o;
  bench::flags flags("rate of the plain serial traversal of a tree of UTS, one on each core");
  flags.add("tree", o.tree, "T1, T2, T3, T4, T5, T1L, T2L or T3L");
  flags.add("processes", o.processes, 1, 1024, "cores that traverse the tree at once");
  flags.add("seconds", o.seconds, 0, 3600, "traverse again until so much time has passed");
  return bench::run_program(flags, argc, argv, [&] { return run(o); });
}
