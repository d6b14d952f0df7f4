// `atoll-papers pagerank`: PageRank by a delegate for each arc.

#include "app/driver/forms.hpp"
#include "reproduction/pagerank/delegates.hpp"

namespace atl::reproduction {
namespace {

class rank_by_delegates : public app::rank_form {
 public:
  std::string program() const override { return "atoll-papers"; }
  std::string details() const override {
    return "A loop over vertices and arcs sends a delegate for each arc, as in the Grappa paper.\n";
  }
  void add_parameters(app::report& result) const override {
    result.parameter("algorithm", "plain");
  }
  bool plans_sums() const override { return false; }

  task<workspace32> prepare(distributed_graph<std::uint32_t> graph) const override {
    return make_delegates_workspace(graph);
  }
  task<workspace64> prepare(distributed_graph<std::uint64_t> graph) const override {
    return make_delegates_workspace(graph);
  }
  task<outcome> run(workspace32 on, const pagerank::parameters& with,
                    app::expected_everywhere expected) const override {
    return ranked(on, with, expected);
  }
  task<outcome> run(workspace64 on, const pagerank::parameters& with,
                    app::expected_everywhere expected) const override {
    return ranked(on, with, expected);
  }

 private:
  template <class Id>
  static task<outcome> ranked(pagerank::workspace<Id> on, pagerank::parameters with,
                              app::expected_everywhere expected) {
    return from_all_pes(
        [=] { return all_run_by_delegates(on, with, expected ? &expected->local() : nullptr); });
  }
};

}  // namespace

void add_pagerank(CLI::App& root, app::command_context& context) {
  app::add_pagerank_benchmark(root, context, std::make_shared<rank_by_delegates>());
}

}  // namespace atl::reproduction
