#include "app/sort_memory.hpp"

#include "app/job_memory.hpp"
#include "atoll/error.hpp"
#include "atoll/log.hpp"

#include <fmt/format.h>

namespace atl::app {
namespace {

namespace sort = kernels::sort;

// The keys, those received, and those in order; of a file also as they were read. Beyond reach they
// are staged besides.
double bytes_of_sort(const sort_flags& flags, std::uint64_t keys, unsigned bits, std::uint64_t pes,
                     bool may_have_nodes) {
  constexpr std::uint64_t fixed_of_pe = 16 << 20;
  const std::uint64_t key = bits > 32 ? sizeof(std::uint64_t) : sizeof(std::uint32_t);
  const std::uint64_t received = sort::division::most_of_pe(keys, pes) * pes;
  const bool stages = flags.exchange == sort::exchange::collective && may_have_nodes;
  const double copies =
      static_cast<double>(key) *
      (static_cast<double>(stages ? 3 * keys : 2 * keys) + static_cast<double>(received));
  const double read = flags.of_file() ? static_cast<double>(keys) * sizeof(std::uint64_t) : 0;
  const sort::key_shape shape = sort::shape_for(bits, static_cast<int>(pes));
  const bool ranks = flags.nas != nullptr || sort::counts_by_value(shape, shape.buckets(), keys);
  const double values = ranks ? static_cast<double>(std::uint64_t{1} << bits) * 4 : 0;
  return copies + read + values + static_cast<double>(fixed_of_pe * pes);
}

}  // namespace

void check_memory(const sort_flags& flags, const settings& options, std::uint64_t keys,
                  unsigned bits, std::uint64_t pes, std::uint64_t held) {
  const double needed = bytes_of_sort(flags, keys, bits, pes, options.node_size != 0);
  const job_memory free = memory_for_job(options);
  if (needed - static_cast<double>(held) <= static_cast<double>(free.bytes)) return;
  fail(errc::out_of_memory, "sorting {} keys of {} bits on {} PE{} needs {}, and {}",
       grouped_digits(keys), bits, pes, pes == 1 ? "" : "s", human_bytes(needed), free.sentence);
}

}  // namespace atl::app
