#include "atoll/instance.hpp"

#include "atoll/base/bits.hpp"
#include "atoll/base/stream_line.hpp"
#include "atoll/deferred.hpp"
#include "atoll/loops.hpp"

namespace atl::regions {
namespace {

// Upper bound for sizes in bytes. The bound is larger than the memory of any PE, and a sum of
// several sizes up to the bound does not overflow 64 bits.
constexpr std::uint64_t k_most_bytes = std::uint64_t{1} << 60;

/// Allocates the memory of an instance on all PEs, and records the instance in the table of each
/// PE.
task<> make_everywhere(events::name instance, needed_memory needed, site where) {
  const std::uint64_t offset =
      co_await memory::allocate_everywhere(needed.bytes, needed.memory, where, needed.charged());
  std::exception_ptr failure;
  try {
    co_await on_all_pes([instance, offset] { instance_table::here().admit(instance, offset); },
                        where);
  } catch (const transport::job_ended&) {
    throw;
  } catch (...) {
    failure = std::current_exception();
  }
  if (!failure) co_return;
  co_await on_all_pes([instance] { instance_table::here().forget(instance); }, where);
  co_await memory::release_everywhere(offset, needed.bytes, where, needed.charged());
  std::rethrow_exception(failure);
}

task<> destroy_everywhere(events::name instance, needed_memory needed, site where) {
  const std::uint64_t offset = instance_table::here().offset_of(instance, where);
  const auto remove = [instance, from = transport::travelling_site(where)] {
    instance_table::here().remove(instance, from);
  };
  co_await on_all_pes(remove, where);
  co_await memory::release_everywhere(offset, needed.bytes, where, needed.charged());
}

}  // namespace

event make_when(event precondition, needed_memory needed, site where) {
  if (!needed.is_own()) {
    return events::promised_by(my_pe(), where, [&](events::name promised) {
      const auto make = [=] { return make_everywhere(promised, needed, where); };
      events::defer(precondition.name(), promised, make, where);
    });
  }
  return events::promised_by(needed.owner, where, [&](events::name promised) {
    const auto make = [promised, bytes = needed.bytes] {
      instance_table::here().make(promised, bytes);
    };
    if (needed.owner == my_pe()) return events::defer(precondition.name(), promised, make, where);
    events::defer_at(needed.owner, precondition.name(), promised, make, where);
  });
}

event destroy_when(event precondition, events::name instance, needed_memory needed, site where) {
  if (!needed.is_own()) {
    const auto destroy = [=] { return destroy_everywhere(instance, needed, where); };
    return spawn_when(precondition, destroy, where);
  }
  const auto destroy = [instance, from = transport::travelling_site(where)] {
    instance_table::here().remove(instance, from);
  };
  return spawn_when(needed.owner, precondition, destroy, where);
}

std::uint64_t bytes_of(std::uint64_t blocks, std::uint64_t block_bytes) {
  return std::min(k_most_bytes, product(blocks, block_bytes));
}

record_layout lay_out(std::span<const std::uint32_t> sizes, std::span<const std::uint32_t> aligns,
                      std::size_t which, field_order order, std::uint64_t volume) {
  record_layout laid;
  std::uint64_t end = 0, align = 1;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    const bool is_beside = order == field_order::array_of_structures;
    const std::uint64_t begin = round_up(end, is_beside ? aligns[k] : k_cache_line);
    if (k == which) laid.begin = begin;
    align = std::max<std::uint64_t>(align, aligns[k]);
    end = begin + bytes_of(is_beside ? 1 : volume, sizes[k]);
  }
  if (order == field_order::structure_of_arrays) {
    laid.step = sizes[which];
    laid.block_bytes = round_up(end, k_cache_line);
  } else {
    laid.step = round_up(end, align);
    laid.block_bytes = round_up(bytes_of(volume, laid.step), k_cache_line);
  }
  return laid;
}

}  // namespace atl::regions
