#include "atoll/region/transfer.hpp"

namespace atl::regions {

bool share_memory(int a, int b) {
  const auto nodes = this_pe().transport->nodes();
  return nodes.empty() || nodes[static_cast<std::size_t>(a)] == nodes[static_cast<std::size_t>(b)];
}

void poison_instance(events::name instance, int known_to, const std::exception_ptr& failure,
                     site where) {
  const auto poison = [instance](std::span<const std::byte> fault) {
    instance_table::here().poison(instance, events::unpacked(fault).failure);
  };
  using message = memory::with_payload<std::span<const std::byte>, decltype(poison)>;
  const std::size_t most = this_pe().messages->payload_capacity<message>();
  const auto packed = events::packed(event_fault{failure, where, my_pe()}, most);
  for (int pe = 0; pe < pes(); ++pe)
    if (known_to == pe || known_to < 0) async_call(pe, poison, packed, where);
}

}  // namespace atl::regions
