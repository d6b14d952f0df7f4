#include "atoll/graph/vertex_file.hpp"

#include "atoll/memory/shared_text.hpp"
#include "atoll/output_file.hpp"

namespace atl::graph {
namespace {

/// What `act()` throws as an `error`.
template <class Act>
std::optional<error> error_of(const Act& act) {
  try {
    act();
  } catch (const error& failure) {
    return failure;
  }
  return std::nullopt;
}

}  // namespace

task<std::optional<error>> all_write_vertex_file(const vertex_layout& layout, std::string path,
                                                 int from, const described_vertices& of_pe) {
  path = co_await all_share_text(std::move(path), from);
  std::optional<vertex_format> format;
  std::optional<output_file> file;
  std::optional<error> failure = error_of([&] {
    format = vertex_format_of(path);
    if (my_pe() == 0) file.emplace(path);
  });
  failure = co_await all_share_error(failure);
  if (failure) co_return failure;
  // The others go on after an error of the disk: they wait for PE 0 at the end.
  const auto take = [&](std::string_view bytes, double) {
    if (!failure) failure = error_of([&] { file->write(bytes); });
  };
  const vertex_values values{layout.shape, of_pe.columns, of_pe.value};
  co_await all_write_vertices(values, layout.names.local(), *format, take);
  if (file && !failure) failure = error_of([&] { file->commit(); });
  co_return co_await all_share_error(failure);
}

}  // namespace atl::graph
