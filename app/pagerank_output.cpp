#include "app/pagerank_output.hpp"

#include <bit>

namespace atl::app {

template <class Id>
task<> write_ranks(kernels::pagerank::workspace<Id> on, vertex_names names, vertex_output& output) {
  const auto write = [on, names, format = output.format(), to = &output]() -> task<> {
    static constexpr vertex_column columns[] = {{"rank", false, true}};
    const auto rank = [&](std::uint64_t row, std::size_t) {
      return std::bit_cast<std::int64_t>(on.ranks->rank_of_row(row));
    };
    const vertex_values values{on.graph->shape, columns, rank};
    const auto take = my_pe() == 0 ? to->taker() : file_taker();
    co_await all_write_vertices(values, names.local(), format, take);
  };
  co_await together(write);
}

template task<> write_ranks(kernels::pagerank::workspace<std::uint32_t>, vertex_names,
                            vertex_output&);
template task<> write_ranks(kernels::pagerank::workspace<std::uint64_t>, vertex_names,
                            vertex_output&);

}  // namespace atl::app
