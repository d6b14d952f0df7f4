#include "atoll/graph/vertex_file.hpp"

#include "atoll/base/output_file.hpp"
#include "atoll/memory/collectives.hpp"

namespace atl::graph {
namespace {

task<std::string> all_share_text(std::string text, int from) {
  const std::span<const char> mine(text.data(), my_pe() == from ? text.size() : 0);
  const auto of_all = co_await all_gather(mine);
  const auto& shared = of_all[static_cast<std::size_t>(from)];
  co_return std::string(shared.begin(), shared.end());
}

/// The error of PE 0, if it has one, on every PE.
task<std::optional<error>> all_share_error(const std::optional<error>& mine) {
  constexpr int none = -1;
  const int code = mine ? static_cast<int>(mine->code()) : none;
  const int of_first = co_await all_broadcast(code);
  std::string text;
  if (mine) text = mine->what();
  text = co_await all_share_text(std::move(text), 0);
  if (of_first == none) co_return std::nullopt;
  co_return error(static_cast<errc>(of_first), text);
}

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
