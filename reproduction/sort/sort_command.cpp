// Implements `atoll-papers sort`, an integer sort that moves each key by a delegate (a message with
// a function).

#include "app/command.hpp"
#include "app/kernels/sort.hpp"
#include "atoll/base/bits.hpp"
#include "bench/gups.hpp"
#include "bench/integer_sort.hpp"
#include "reproduction/sort/delegates.hpp"

#include <algorithm>
#include <memory>

namespace atl::reproduction {
namespace {

namespace integer_sort = bench::integer_sort;

/// Runs the benchmark `gups` (random updates of a table) in this job, with about `keys` updates.
/// Returns the updates per second. One task of the job calls this function.
task<double> rate_of_updates(std::uint64_t keys) {
  constexpr unsigned smallest = 10;
  const unsigned all = floor_log2(std::max<std::uint64_t>(keys, 1));
  // 4 updates per word of the table
  const unsigned for_pes = ceil_log2(static_cast<std::uint64_t>(pes())) + 2;
  const bench::gups::parameters chosen{.log2_table =
                                           all > smallest + for_pes ? all - for_pes : smallest};
  const auto outcome = co_await bench::gups::measure(chosen);
  co_return outcome.rate();
}

class delegates_command : public app::sort_command {
 public:
  using app::sort_command::sort_command;

 private:
  std::string_view exchange() const override { return "delegates"; }
  bool stages_keys() const override { return false; }

  task<outcome> sort_once(global_keys keys, const nas_class& of) override {
    const by_delegates how = co_await by_delegates::make();
    const auto found = co_await from_all_pes([=] { return integer_sort::all_run(keys, of, how); });
    co_await how.destroy();
    co_return found;
  }

  task<std::optional<outcome>> compare(global_keys keys, const nas_class& of, const outcome& own,
                                       app::measurements& measured) override {
    const double updates = co_await rate_of_updates(own.keys);
    measured.emplace_back("rate_of_gups", "updates/s", updates);
    if (updates > 0) measured.emplace_back("fraction_of_gups", "", own.rate() / updates);
    const auto stored = co_await from_all_pes([=] { return integer_sort::all_run(keys, of); });
    measured.emplace_back("rate_by_stores", "keys/s", stored.rate());
    if (own.rate() > 0) measured.emplace_back("times_delegates", "", stored.rate() / own.rate());
    co_return stored;
  }
};

constexpr const char* k_text =
    "\nSizes are exchanged first; then an asynchronous delegate brings each key to the end of its\n"
    "bucket (Nelson and others, \"Latency-Tolerant Software Distributed Shared Memory\", USENIX\n"
    "ATC 2015). With --compare the same job also does random updates (fraction_of_gups), and "
    "sorts\n"
    "the same keys as atoll bench sort does, which is so many times as fast (times_delegates).\n\n"
    "  atoll-papers sort --class A --pes 2 --verify --compare";

}  // namespace

void add_sort(CLI::App& root, app::command_context& context) {
  const auto flags = std::make_shared<app::sort_flags>();
  const auto action = [&context, flags] {
    return delegates_command(*flags, context.settings).run();
  };
  auto& command =
      app::add_command(root, context, "sort", "Integer sort by a delegate for each key", action);
  app::add_sort_flags(command, context, *flags);
  app::add_explanation(command, k_text);
}

}  // namespace atl::reproduction
