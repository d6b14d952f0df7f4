#include "app/cc_output.hpp"

namespace atl::app {

template <class Id>
task<> write_labels(kernels::cc::workspace<Id> on, vertex_names names, vertex_output& output) {
  const auto write = [on, names, format = output.format(), to = &output]() -> task<> {
    static constexpr vertex_column columns[] = {{"label", true}};
    const auto& labels = on.forests->labels;
    const auto label = [&](std::uint64_t row, std::size_t) {
      return static_cast<std::int64_t>(labels[row]);
    };
    const vertex_values values{on.graph->shape, columns, label};
    const auto take = my_pe() == 0 ? to->taker() : file_taker();
    co_await all_write_vertices(values, names.local(), format, take);
  };
  co_await together(write);
}

template task<> write_labels(kernels::cc::workspace<std::uint32_t>, vertex_names, vertex_output&);
template task<> write_labels(kernels::cc::workspace<std::uint64_t>, vertex_names, vertex_output&);

}  // namespace atl::app
