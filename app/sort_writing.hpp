#pragma once
// Writing the keys of all PEs, in order.

#include "app/sort_output.hpp"
#include "atoll/collectives.hpp"
#include "atoll/graph/io/npy.hpp"
#include "atoll/kernels/sort/part.hpp"

namespace atl::app {

/// Keys as the file holds them.
template <class Key>
std::string bytes_of_keys(std::span<const Key> keys, bool is_array) {
  if (is_array) return std::string(reinterpret_cast<const char*>(keys.data()), keys.size_bytes());
  std::string text;
  for (const Key each : keys) text += fmt::format("{}\n", each);
  return text;
}

/// The PEs make their bytes a piece at a time, which go to PE 0: memory is bounded. One task calls
/// it. Blocks the task. Throws `error` (environment) by ending the job.
template <class Key>
task<> write_keys(kernels::sort::keys_of_all<Key> all, std::uint64_t keys, sort_output& output) {
  const auto write = [all, keys, to = &output, is_array = output.is_array()]() -> task<> {
    constexpr std::uint64_t at_once = 1 << 18;
    const kernels::sort::key_part<Key>& mine = all.parts.local();
    const std::span<const Key> sorted(mine.sorted.data(), mine.size());
    const auto sizes = co_await all_gather(mine.size());
    std::uint64_t done = 0;
    if (my_pe() == 0 && is_array)
      to->write(graph::npy_head(keys, 1, sizeof(Key) == 4 ? "<u4" : "<u8"), 0);
    for (int pe = 0; pe < pes(); ++pe) {
      const std::uint64_t size = sizes[static_cast<std::size_t>(pe)];
      for (std::uint64_t first = 0; first < size; first += at_once) {
        const std::uint64_t count = std::min(at_once, size - first);
        std::string bytes;
        if (pe == my_pe()) bytes = bytes_of_keys(sorted.subspan(first, count), is_array);
        const auto pieces = co_await all_gather_to(0, std::span<const char>(bytes));
        done += count;
        if (my_pe() != 0) continue;
        const auto& piece = pieces[static_cast<std::size_t>(pe)];
        to->write({piece.data(), piece.size()},
                  static_cast<double>(done) / static_cast<double>(keys));
      }
    }
  };
  co_await together(write);
}

}  // namespace atl::app
