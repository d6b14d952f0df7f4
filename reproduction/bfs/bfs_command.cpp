// Implements `atoll-papers bfs`: breadth-first searches whose frontiers pass through a global
// queue. A frontier is the set of vertices of one level.

#include "app/command.hpp"
#include "app/kernels/bfs.hpp"
#include "reproduction/bfs/queue.hpp"

#include <fmt/format.h>
#include <memory>
#include <variant>

namespace atl::reproduction {
namespace {

using namespace app;
using bfs::queue_form;

/// The words that --queue accepts, in the order of `queue_form`.
const std::vector<std::string> k_queue_forms = {"delegates", "simple", "combining", "relaxed"};

struct queue_flags : bfs_flags {
  queue_form queue = queue_form::combining;
};

/// The data of searches on a graph, and the queue for their frontiers. `Id` is the type of vertex
/// numbers.
template <class Id>
struct queue_search {
  bfs::workspace<Id> on;
  bfs::frontier_queue<Id> queue;

  static task<queue_search> make(distributed_graph<Id> rows, queue_form form) {
    queue_search made;
    made.on = co_await bfs::workspace<Id>::make(rows);
    made.queue = co_await bfs::frontier_queue<Id>::make(form);
    co_return made;
  }

  task<bfs::search_outcome> run(std::uint64_t root, bool verify) const {
    const auto all = [self = *this, root, verify] {
      return bfs::all_run(self.on, root, verify, self.queue);
    };
    return from_all_pes(all);
  }
};

using any_search = std::variant<queue_search<std::uint32_t>, queue_search<std::uint64_t>>;

/// Runs each trial twice: first without the queue, then with the queue.
class queue_command : public bfs_command {
 public:
  queue_command(queue_flags& flags, const settings& options)
      : bfs_command(flags, options), form_(flags.queue) {}

 private:
  void add_parameters() override {
    bfs_command::add_parameters();
    result().parameter("queue", k_queue_forms[static_cast<std::size_t>(form_)]);
  }

  /// Returns an estimate of the additional memory of a search. The unit is the memory of a list of
  /// all vertices. The memory holds the cells of the queue, growing lists, and a second array of
  /// parents.
  double copies_of_a_level() const override { return 1 + 2 + 1.5 + 2; }

  task<> prepare(global_graph graph) override {
    const auto make = [form = form_]<class Id>(distributed_graph<Id> rows) -> task<any_search> {
      co_return co_await queue_search<Id>::make(rows, form);
    };
    search_ = co_await graph.on_ids(make);
  }

  task<search_counts> search(std::uint64_t root, bool verify) {
    const bfs::search_outcome outcome =
        co_await std::visit([&](const auto& by) { return by.run(root, verify); }, search_);
    if (outcome.found.total() != 0)
      found().wrong = fmt::format("the tree of a search through the queue from {} breaks a rule of "
                                  "Graph500 {} times",
                                  root, outcome.found.total());
    search_counts counts;
    counts.root = root;
    counts.reached = outcome.reached_vertices;
    counts.levels = outcome.levels;
    counts.edges = outcome.traversed_edges;
    counts.seconds = outcome.seconds;
    co_return counts;
  }

  task<measurements> trial(repeated_searches searches) override {
    const measurements without = co_await bfs_command::trial(searches);
    std::vector<search_counts> all;
    double seconds = 0;
    for (const auto& root : found().roots) {
      const search_counts counts =
          co_await search(root.id, flags().common.verify && !trials().warming_up());
      all.push_back(counts);
      seconds += counts.seconds;
    }
    measurements measured;
    measured.emplace_back("rate", "edges/s", mean_rate(all));
    measured.emplace_back("seconds", "s", seconds / static_cast<double>(all.size()));
    measured.emplace_back("rate_without_queue", "edges/s", without.front().value);
    if (!trials().warming_up()) found().trials.back() = std::move(all);
    co_return measured;
  }

  queue_form form_;
  any_search search_;
};

constexpr const char* k_explanation =
    "\nEvery vertex found at any level is pushed to a global queue, and the next level is what "
    "all\n"
    "PEs pop (Holt and others, \"Flat Combining Synchronized Global Data Structures\", PGAS "
    "2013).\n"
    "The search without it is timed beside it, as rate_without_queue:\n"
    "  simple     each operation travels alone to the master of the queue, and waits for it\n"
    "  combining  those of a PE travel together; each waits\n"
    "  relaxed    likewise, and pushes do not wait\n"
    "  delegates  no global queue: each operation is a delegate to PE 0, which keeps the "
    "elements\n\n"
    "  atoll-papers bfs --scale 18 --roots 1 --pes 2 --queue combining --verify";

}  // namespace

void add_bfs(CLI::App& root, command_context& context) {
  const auto flags = std::make_shared<queue_flags>();
  const auto action = [&context, flags] { return queue_command(*flags, context.settings).run(); };
  auto& command = add_command(root, context, "bfs",
                              "Searches whose frontiers go through a global queue", action);
  const auto take = [&flags = *flags](std::size_t form) {
    flags.queue = static_cast<queue_form>(form);
  };
  add_word_flag(command, "--queue", k_queue_forms, take,
                "How operations of the queue come together")
      .with_default("combining")
      .under("Searches");
  add_bfs_flags(command, context, *flags);
  add_explanation(command, k_explanation);
}

}  // namespace atl::reproduction
