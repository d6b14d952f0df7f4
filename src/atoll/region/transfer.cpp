#include "atoll/region/transfer.hpp"

#include "atoll/error.hpp"
#include "atoll/instance.hpp"
#include "atoll/region/element_map.hpp"

#include <string>

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

// The next functions throw the errors for wrong uses of region instances.

namespace {

std::string joined(const extents& numbers, std::size_t dimensions, const char* separator) {
  std::string text = std::to_string(numbers[0]);
  for (std::size_t axis = 1; axis < dimensions; ++axis) {
    text += separator;
    text += std::to_string(numbers[axis]);
  }
  return text;
}

std::string corner(const extents& p, std::size_t dimensions) {
  return fmt::format("({})", joined(p, dimensions, ", "));
}

}  // namespace

void check_pe(int pe) {
  if (pe < 0 || pe >= pes())
    fail(errc::input, "a region instance is placed on PE {}; there are {} PEs", pe, pes());
}

void check_block(std::int64_t extent, std::int64_t least) {
  if (extent < least)
    fail(errc::input, "a block has an extent of {}; the least is {}", extent, least);
}

void refuse_points(const extents& low, const extents& high, const extents& lowest,
                   const extents& highest, std::size_t dimensions) {
  fail(errc::input, "the points from {} to below {} are not all within those from {} to below {}",
       corner(low, dimensions), corner(high, dimensions), corner(lowest, dimensions),
       corner(highest, dimensions));
}

void refuse_extents(const extents& to, const extents& from, std::size_t dimensions) {
  fail(errc::input, "a copy of {} elements to a part of {}", joined(from, dimensions, " x "),
       joined(to, dimensions, " x "));
}

void refuse_element(std::uint64_t i, std::uint64_t size) {
  fail(errc::input, "element {} was asked for, of a part of {} elements", i, size);
}

void element_map::refuse_many_slots() {
  fail(errc::input, "a PE has more elements of the region than 2^32; spread it over more PEs");
}

void refuse_overlap() {
  fail(errc::input, "a copy between parts of one field that overlap; copy by another instance");
}

void refuse_several_blocks(site where) {
  fail(errc::input,
       "{}: the elements are in no block or in several, which lie apart; local_blocks() says which "
       "points are in each",
       to_string(where));
}

void refuse_distant_memory(int owner, site where) {
  fail(errc::input,
       "{}: PE {} cannot address these elements, which are memory of PE {}; copy them, or place "
       "the instance in_node_memory_of a PE of its node",
       to_string(where), my_pe(), owner);
}

}  // namespace atl::regions
