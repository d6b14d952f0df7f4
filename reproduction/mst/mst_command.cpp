// Implements `atoll-papers mst`, which finds minimum spanning forests by variants of the algorithm
// MND-MST.

#include "app/command.hpp"
#include "app/flags.hpp"
#include "app/kernels/mst.hpp"
#include "reproduction/mst/find.hpp"

#include <fmt/format.h>
#include <memory>

namespace atl::reproduction {
namespace {

/// The variant that the flags of the command choose.
struct mst_choice {
  mst_ways how;
  bool is_one_sided = true;
  std::uint64_t chunks = 8;
};

/// The functions `..._word` return the words that describe the chosen variant in the JSON output.
/// Flags of the programs in reproduction/peers have the same words.
const char* exchange_word(const mst_choice& of) {
  return of.is_one_sided ? "one-sided" : "two-sided";
}
const char* post_word(const mst_ways& how) {
  return how.post == post_processing::single ? "single" : "leader";
}
const char* local_word(const mst_ways& how) {
  return how.local == local_method::sorted ? "sorted" : "rounds";
}
const char* test_word(const mst_ways& how) {
  return how.test == progress_test::remaining ? "remaining" : "new";
}

/// A function object that finds a forest by the chosen variant. The object is sent to all PEs.
struct chosen_way {
  mst_choice chosen;

  template <class Word>
  task<mst::run_outcome> all_find(mst::forest_part<Word>& here, const mst::one_sided_memory& memory,
                                  mst::forest_facts known) const {
    const int chunks = static_cast<int>(chosen.chunks);
    if (chosen.is_one_sided)
      co_return co_await mst::all_run_on(here, here.by(memory, chunks), chosen.how, known);
    two_sided_exchange others(chunks);
    co_return co_await mst::all_run_on(here, others, chosen.how, known);
  }
};

void add_exchange_flags(CLI::App& command, mst_choice& chosen) {
  const auto take_exchange = [&chosen](bool one_sided) { chosen.is_one_sided = one_sided; };
  app::add_choice_flag(command, "--exchange", "one-sided", "two-sided", take_exchange,
                       "How PEs tell each other what they know")
      .with_default("one-sided")
      .under("Forest");
  constexpr std::uint64_t most_chunks = 1024;
  app::add_count_flag(command, "--chunks", chosen.chunks, 1, most_chunks,
                      "A list is fetched in N pieces, each used while the next is on its way")
      .under(app::k_details_title);
}

/// Adds the flags that choose between variants of local steps, which a PE performs without other
/// PEs.
void add_local_flags(CLI::App& command, mst_ways& how) {
  const auto take_local = [&how](bool sorted) {
    how.local = sorted ? local_method::sorted : local_method::rounds;
  };
  app::add_choice_flag(command, "--local", "sorted", "rounds", take_local,
                       "Joining within a PE: by edges in the order of their weights, or in rounds")
      .with_default("sorted")
      .under("Forest");
  const auto take_filter = [&how](bool on) { how.filter = on; };
  app::add_choice_flag(command, "--filter", "on", "off", take_filter,
                       "Each PE first drops those of its edges that close a cycle of lighter ones")
      .with_default("on")
      .under("Forest");
  constexpr double most_finish = 1e6;
  app::add_real_flag(
      command, "--filter-finish", how.filter_finish, 0, most_finish,
      "PE 0 ends it at once where no more is left than X times the edges a PE had; 0: never")
      .under(app::k_details_title);
}

void add_threshold_flags(CLI::App& command, mst_ways& how) {
  app::add_real_flag(command, "--theta", how.theta, 0, 1,
                     "Joining within a PE ends with a round that joins fewer, of all tree edges")
      .under(app::k_details_title);
  app::add_real_flag(command, "--mst-threshold", how.mst_threshold, 0, 1,
                     "Fewer PEs go on when no more is left, of all tree edges")
      .under(app::k_details_title);
  const auto take_test = [&how](bool remaining) {
    how.test = remaining ? progress_test::remaining : progress_test::found;
  };
  app::add_choice_flag(command, "--mst-test", "remaining", "new", take_test,
                       "What is compared: edges that are missing, or those found last")
      .with_default("new")
      .under(app::k_details_title);
}

void add_phase_flags(CLI::App& command, mst_ways& how) {
  app::add_word_flag(
      command, "--algorithm", {"mnd"}, [](std::size_t) {}, "How the forest is found")
      .with_default("mnd")
      .under("Forest");
  add_threshold_flags(command, how);
  app::add_real_flag(command, "--ring-fraction", how.ring_fraction, 0, 1,
                     "So many of a PE's components move to the next one at most")
      .under(app::k_details_title);
  const auto take_post = [&how](bool single) {
    how.post = single ? post_processing::single : post_processing::leader;
  };
  app::add_choice_flag(command, "--post", "single", "leader", take_post,
                       "What is left goes to PE 0, or to one PE of each group")
      .with_default("single")
      .under(app::k_details_title);
  constexpr std::uint64_t largest_group = 1 << 20;
  app::add_count_flag(command, "--group", how.group, 2, largest_group, "PEs of a group")
      .under(app::k_details_title);
}

struct way_flags : app::mst_flags {
  mst_choice chosen;
};

class way_command : public app::mst_command {
 public:
  way_command(way_flags& flags, const settings& options)
      : app::mst_command(flags, options), chosen_(flags.chosen) {}

 private:
  void add_way() override;
  std::vector<std::string> words_for_peers() const override;
  task<> prepare(global_graph graph) override {
    input_ = co_await mst::forest_input::make(graph, site::current());
  }
  task<spanning_forest> find() override { return input_.find(chosen_way{chosen_}, {}); }
  task<> end_finding() override { return input_.destroy(); }

  const mst_choice chosen_;
  mst::forest_input input_;
};

void way_command::add_way() {
  const mst_ways& how = chosen_.how;
  result().parameter("algorithm", "mnd");
  result().parameter("exchange", exchange_word(chosen_));
  result().parameter("post", post_word(how));
  result().parameter("group", how.group);
  result().parameter("filter", how.filter);
  result().parameter("filter_finish", how.filter_finish);
  result().parameter("local", local_word(how));
  result().parameter("theta", how.theta);
  result().parameter("mst_threshold", how.mst_threshold);
  result().parameter("mst_test", test_word(how));
  result().parameter("ring_fraction", how.ring_fraction);
  result().parameter("chunks", chosen_.chunks);
}

std::vector<std::string> way_command::words_for_peers() const {
  const mst_ways& how = chosen_.how;
  return {"--theta",         fmt::format("{}", how.theta),
          "--mst-threshold", fmt::format("{}", how.mst_threshold),
          "--mst-test",      test_word(how),
          "--ring-fraction", fmt::format("{}", how.ring_fraction),
          "--local",         local_word(how),
          "--filter",        how.filter ? "on" : "off",
          "--filter-finish", fmt::format("{}", how.filter_finish),
          "--post",          post_word(how),
          "--group",         std::to_string(how.group),
          "--chunks",        std::to_string(chosen_.chunks)};
}

constexpr const char* k_text =
    "\nThe rate is the number of edges of the input by the time from the edges in memory to the\n"
    "forest. A random graph has weights by a hash of the two ends of each edge and --seed.\n\n"
    "  atoll-papers mst --scale 18 --pes 2 --verify --compare";

constexpr const char* k_details =
    "\n  --algorithm mnd       each PE joins the components of a range of vertices as far as it "
    "can\n"
    "                        alone, tells its neighbours their new names, moves some of them "
    "along\n"
    "                        a ring of PEs, and, when little is left, hands over to fewer PEs\n"
    "                        (Panja, Vadhiyar 2018)\n"
    "  --exchange one-sided  sizes are stored into memory of the others, lists are fetched\n"
    "  --exchange two-sided  the same lists by messages that both sides agree on\n"
    "  --compare             runs beside it, in turn and on the same edges, what atoll bench mst\n"
    "                        does";

}  // namespace

void add_mst(CLI::App& root, app::command_context& context) {
  const auto flags = std::make_shared<way_flags>();
  const auto action = [&context, flags] { return way_command(*flags, context.settings).run(); };
  auto& command = app::add_command(root, context, "mst",
                                   "Minimum spanning forests in the ways of MND-MST", action);
  add_phase_flags(command, flags->chosen.how);
  add_local_flags(command, flags->chosen.how);
  add_exchange_flags(command, flags->chosen);
  app::add_mst_flags(command, context, *flags);
  app::add_explanation(command, context, k_text, k_details);
}

}  // namespace atl::reproduction
