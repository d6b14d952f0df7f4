// `atoll-papers sort`: integer sort by delegates.

#include "app/driver/forms.hpp"
#include "atoll/base/bits.hpp"
#include "atoll/kernels/gups/gups.hpp"
#include "reproduction/sort/delegates.hpp"

#include <algorithm>

namespace atl::reproduction {
namespace {

/// Updates per second of `gups` on this job, about as many as keys. One task calls it.
task<double> rate_of_updates(std::uint64_t keys) {
  constexpr unsigned smallest = 10;
  const unsigned all = floor_log2(std::max<std::uint64_t>(keys, 1));
  const unsigned for_pes = ceil_log2(static_cast<std::uint64_t>(pes())) + 2;  // 4 updates a word
  const kernels::gups::parameters chosen{.log2_table =
                                             all > smallest + for_pes ? all - for_pes : smallest};
  const auto outcome = co_await kernels::gups::measure(chosen);
  co_return outcome.rate();
}

class sort_by_delegates : public app::sort_form {
 public:
  std::string program() const override { return "atoll-papers"; }
  std::string details() const override {
    return "Sizes are exchanged first; then an asynchronous delegate brings each key to the end of "
           "its\nbucket, as in the Grappa paper. With --compare the same job also does random "
           "updates\n(fraction_of_gups), and sorts the same keys as `atoll bench sort` does, "
           "which is so many\ntimes as fast (times_delegates).\n";
  }

  void add_parameters(app::report& result) const override {
    result.parameter("exchange", "delegates");
  }
  bool stages_keys() const override { return false; }

  task<outcome> run(keys32 all, const nas_class& of) const override { return sort_once(all, of); }
  task<outcome> run(keys64 all, const nas_class& of) const override { return sort_once(all, of); }
  task<std::optional<outcome>> compare(keys32 all, const nas_class& of, const outcome& own,
                                       app::measurements& measured) const override {
    return sort_otherwise(all, of, own, measured);
  }
  task<std::optional<outcome>> compare(keys64 all, const nas_class& of, const outcome& own,
                                       app::measurements& measured) const override {
    return sort_otherwise(all, of, own, measured);
  }

 private:
  template <class Key>
  static task<outcome> sort_once(sort::keys_of_all<Key> all, nas_class of) {
    const move_by_delegates<Key> how{co_await per_pe<key_cursors<Key>>::make()};
    const auto found = co_await from_all_pes([=] { return sort::all_run(all, of, how); });
    co_await how.cursors.destroy();
    co_return found;
  }

  template <class Key>
  static task<std::optional<outcome>> sort_otherwise(sort::keys_of_all<Key> all, nas_class of,
                                                     outcome own, app::measurements& measured) {
    const double updates = co_await rate_of_updates(own.keys);
    measured.emplace_back("rate_of_gups", "updates/s", updates);
    if (updates > 0) measured.emplace_back("fraction_of_gups", "", own.rate() / updates);
    const auto stored = co_await from_all_pes([=] { return sort::all_run(all, of); });
    measured.emplace_back("rate_by_stores", "keys/s", stored.rate());
    if (own.rate() > 0) measured.emplace_back("times_delegates", "", stored.rate() / own.rate());
    co_return stored;
  }
};

}  // namespace

void add_sort(CLI::App& root, app::command_context& context) {
  app::add_sort_benchmark(root, context, std::make_shared<sort_by_delegates>());
}

}  // namespace atl::reproduction
