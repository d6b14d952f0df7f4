#include "app/bfs_output.hpp"

#include "atoll/collectives.hpp"

namespace atl::app {

template <class Id>
task<> write_tree(kernels::bfs::workspace<Id> on, vertex_names names, vertex_output& output) {
  namespace bfs = kernels::bfs;
  const auto write = [on, names, format = output.format(), to = &output]() -> task<> {
    static constexpr vertex_column columns[] = {{"parent", true}, {"distance"}};
    const auto& tree = on.parts.local();
    const auto levels = bfs::local_levels(on.graph.local(), tree);
    const auto value = [&](std::uint64_t row, std::size_t column) -> std::int64_t {
      if (levels[row] == bfs::k_unreached) return no_value;
      return column == 0 ? static_cast<std::int64_t>(tree.parents[row]) : levels[row];
    };
    const vertex_values values{on.graph->shape, columns, value};
    const auto take = my_pe() == 0 ? to->taker() : file_taker();
    co_await all_write_vertices(values, names.local(), format, take);
  };
  co_await together(write);
}

template task<> write_tree(kernels::bfs::workspace<std::uint32_t>, vertex_names, vertex_output&);
template task<> write_tree(kernels::bfs::workspace<std::uint64_t>, vertex_names, vertex_output&);

}  // namespace atl::app
