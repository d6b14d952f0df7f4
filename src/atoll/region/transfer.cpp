#include "atoll/region/transfer.hpp"

namespace atl::regions {

bool share_memory(int a, int b) {
  const auto nodes = this_pe().transport->nodes();
  return nodes.empty() || nodes[static_cast<std::size_t>(a)] == nodes[static_cast<std::size_t>(b)];
}

void poison_instance(events::name instance, int owner, const std::exception_ptr& failure,
                     site where) {
  const auto poison = [instance](std::span<const std::byte> fault) {
    instance_table::here().poison(instance, events::unpacked(fault).failure);
  };
  constexpr std::size_t most = 1024;  // bytes of its text
  const auto packed = events::packed(event_fault{failure, where, my_pe()}, most);
  for (int pe = 0; pe < pes(); ++pe)
    if (owner == pe || owner < 0) async_call(pe, poison, packed, where);
}

}  // namespace atl::regions
