// Implements `atoll-papers cc`, which finds connected components by traversals and a global set.

#include "app/command.hpp"
#include "app/kernels/cc.hpp"
#include "atoll/log.hpp"
#include "reproduction/cc/run.hpp"

#include <fmt/format.h>
#include <memory>
#include <variant>

namespace atl::reproduction {
namespace {

using namespace app;
using cc::set_form;

/// The words that --set accepts, in the order of `set_form`.
const std::vector<std::string> k_set_forms = {"delegates", "simple", "combining", "tuned"};

struct set_flags : cc_flags {
  set_form set = set_form::combining;
  std::uint64_t traversals = 64;  ///< number of traversals per PE that begin at random vertices
};

/// The data of runs on a graph. `Id` is the type of vertex numbers.
template <class Id>
struct set_run {
  cc::workspace<Id> on;
  cc::set_workspace<Id> set;

  static task<set_run> make(distributed_graph<Id> rows, const set_flags& flags) {
    set_run made;
    made.on = co_await cc::workspace<Id>::make(rows);
    made.set = co_await cc::set_workspace<Id>::make(flags.set);
    made.set.seed = flags.random.seed;
    made.set.traversals = flags.traversals;
    co_return made;
  }

  task<> destroy() const {
    co_await set.destroy();
    co_await on.destroy();
  }

  /// Runs the algorithm once and copies the labels to `to`.
  task<cc::outcome_by_set> run(vertex_array<vertex_id> to) const {
    const auto all = [self = *this, to]() -> task<cc::outcome_by_set> {
      const cc::outcome_by_set outcome = co_await cc::all_run_by_set(self.on, self.set, false);
      const auto& labels = self.on.forests->labels;
      std::copy(labels.begin(), labels.end(), to.local().begin());
      co_return outcome;
    };
    return from_all_pes(all);
  }
};

using any_run = std::variant<set_run<std::uint32_t>, set_run<std::uint64_t>>;

class set_command : public cc_command {
 public:
  set_command(set_flags& flags, const settings& options)
      : cc_command(flags, options), flags_(flags) {}

 private:
  std::string_view algorithm() const override { return "traversals"; }

  void add_parameters() override {
    cc_command::add_parameters();
    result().parameter("set", k_set_forms[static_cast<std::size_t>(flags_.set)]);
    result().parameter("traversals", flags_.traversals);
  }

  /// Estimates the memory of the algorithm in bytes. The estimate counts the roots, growing lists
  /// of reached vertices, and pairs of roots that wait for their insertion into the set. The number
  /// of pairs in the set is unknown, so the estimate does not count these pairs.
  double bytes_of_algorithm(const load_demand& demand) const override {
    constexpr double claimed = 24, few = 64;
    const auto id = static_cast<double>(demand.id_bytes);
    const double waiting = few * static_cast<double>(demand.pes * options().workers);
    return static_cast<double>(demand.size.vertices) * (id + 1.5 * claimed) + waiting * 2 * id;
  }

  task<components> label(global_graph graph) override {
    if (!is_ready_) co_await prepare(graph);
    components found;
    found.label = co_await make_vertex_array<vertex_id>(graph, elements_are::vertices);
    const cc::outcome_by_set outcome =
        co_await std::visit([&](const auto& by) { return by.run(found.label); }, run_);
    counts_ = outcome.set;
    found.seconds = outcome.run.seconds;
    const component_counts sizes = co_await found.sizes();
    found.count = sizes.components;
    co_return found;
  }

  task<> prepare(global_graph graph) {
    const auto make = [&]<class Id>(distributed_graph<Id> rows) -> task<any_run> {
      co_return co_await set_run<Id>::make(rows, flags_);
    };
    run_ = co_await graph.on_ids(make);
    is_ready_ = true;
  }

  task<> end_labelling() override {
    co_await std::visit([](const auto& by) { return by.destroy(); }, run_);
  }

  void describe() override {
    cc_command::describe();
    result().section("set", {{"traversals", counts_.traversals},
                             {"inserts_tried", counts_.inserts_tried},
                             {"inserts_sent", counts_.inserts_sent},
                             {"unique", counts_.pairs}});
    if (result().wrong()) return;
    result().line("");
    result().line(fmt::format(
        "{} tried {}, {} of them sent to other PEs; {} met",
        plural(counts_.traversals, "traversal"), plural(counts_.inserts_tried, "insert"),
        grouped_digits(counts_.inserts_sent), plural(counts_.pairs, "different pair")));
  }

  const set_flags& flags_;
  cc::set_counts counts_;
  any_run run_;
  bool is_ready_ = false;
};

void add_algorithm_flags(CLI::App& command, set_flags& flags) {
  const auto take = [&flags](std::size_t form) { flags.set = static_cast<set_form>(form); };
  add_word_flag(command, "--set", k_set_forms, take, "How pairs get into the set")
      .with_default("combining")
      .under("Components");
  constexpr std::uint64_t most_traversals = 1'000'000;
  add_count_flag(command, "--traversals", flags.traversals, 1, most_traversals,
                 "Traversals that begin at random vertices of each PE")
      .under("Components");
}

constexpr const char* k_explanation =
    "\nMany traversals claim vertices at once; where two meet, their pair goes into a global set,\n"
    "whose components are found then (Holt and others, \"Flat Combining Synchronized Global Data\n"
    "Structures\", PGAS 2013). The set is\n"
    "  simple     each insert travels alone to the owner of its pair, and waits\n"
    "  combining  those of a PE travel together, equal ones once; each waits\n"
    "  tuned      each PE gathers a set of its own; they are merged in the end\n"
    "  delegates  no global set: each insert is a delegate to the owner's own table\n\n"
    "  atoll-papers cc --scale 18 --pes 2 --set combining --verify";

}  // namespace

void add_cc(CLI::App& root, command_context& context) {
  const auto flags = std::make_shared<set_flags>();
  const auto action = [&context, flags] { return set_command(*flags, context.settings).run(); };
  auto& command =
      add_command(root, context, "cc", "Connected components by traversals and a set", action);
  add_algorithm_flags(command, *flags);
  add_cc_flags(command, context, *flags);
  add_explanation(command, k_explanation);
}

}  // namespace atl::reproduction
