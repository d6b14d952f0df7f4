#include "bench/uts.hpp"

#include "bench/uts_in_memory.hpp"

namespace atl::bench::uts {

task<outcome> measure(parameters chosen) {
  const searchers all = co_await searchers::make();
  const auto prepare = [=] {
    all->whole.emplace(chosen.tree);
    all->join = chosen.join;
  };
  co_await on_all_pes(prepare);
  outcome result;
  bool right = true;
  do {
    const tree_totals found = co_await traverse(all, result.seconds);
    if (right) result.found = found;
    right = right && found == chosen.tree.published;
    ++result.traversals;
  } while (result.seconds < chosen.seconds);
  co_await all.destroy();
  co_return result;
}

}  // namespace atl::bench::uts

namespace atl::bench::uts::in_memory {

task<outcome> measure(parameters chosen) {
  outcome result;
  const auto begin = now();
  const built_tree tree = co_await build(chosen.tree, job_settings().seed);
  result.seconds_to_build = seconds_since(begin);
  const searchers all = co_await make_searchers(tree, chosen.join);
  result.nodes = nodes();
  co_await search_again_and_again(all, chosen, result);
  result.bytes_peak = peak_memory() * static_cast<std::uint64_t>(pes());
  co_await all.destroy();
  co_await tree.vertices.destroy();
  co_return result;
}

}  // namespace atl::bench::uts::in_memory
