// `atoll-papers cc`: components by traversals and a global set.

#include "app/command.hpp"
#include "app/kernels/cc.hpp"
#include "atoll/log.hpp"
#include "reproduction/cc/run.hpp"

#include <fmt/format.h>
#include <memory>

namespace atl::reproduction {
namespace {

using namespace app;
using cc::set_form;

/// The forms as the user names them, in the order of `set_form`.
const std::vector<std::string> k_set_forms = {"delegates", "simple", "combining", "tuned"};

struct set_flags : cc_flags {
  set_form set = set_form::combining;
  std::uint64_t traversals = 64;  ///< that begin at random vertices of each PE
};

template <class Id>
class set_trials : public cc_trials<Id> {
 public:
  /// `counts` are those of the last run.
  set_trials(const graph_input& input, const cc_flags& common, trial_series& trials,
             vertex_output& output, cc_findings& findings, const set_flags& flags,
             cc::set_counts& counts)
      : cc_trials<Id>(input, common, trials, output, findings), flags_(flags), counts_(counts) {}

 private:
  using usual = cc_trials<Id>;

  task<> make() override {
    co_await usual::make();
    set_ = co_await cc::set_workspace<Id>::make(flags_.set);
    set_.seed = flags_.random.seed;
    set_.traversals = flags_.traversals;
  }

  task<> destroy() override {
    co_await set_.destroy();
    co_await usual::destroy();
  }

  task<cc::run_outcome> label(bool verify) override {
    const auto run = [on = usual::on(), set = set_, verify] {
      return cc::all_run_by_set(on, set, verify);
    };
    const cc::outcome_by_set outcome = co_await from_all_pes(run);
    counts_ = outcome.set;
    co_return outcome.run;
  }

  const set_flags& flags_;
  cc::set_counts& counts_;
  cc::set_workspace<Id> set_;
};

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

  /// Roots; vertices that are claimed and not yet looked at, in lists that grow; a few pairs of
  /// roots that met, beside those in the set, of which nobody knows how many there will be.
  double bytes_of_algorithm(const load_demand& demand) const override {
    constexpr double claimed = 24, few = 64;
    const auto id = static_cast<double>(demand.id_bytes);
    const double waiting = few * static_cast<double>(demand.pes * options().workers);
    return static_cast<double>(demand.size.vertices) * (id + 1.5 * claimed) + waiting * 2 * id;
  }

  task<> compute(const graph_input& input, bool narrow) override {
    return label_by<set_trials>(input, narrow, flags_, counts_);
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
