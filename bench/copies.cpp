#include "bench/copies.hpp"

#include "atoll/atoll.hpp"
#include "atoll/local_memory.hpp"
#include "bench/support/held_memory.hpp"

#include <cstring>

namespace atl::bench::copies {
namespace {

using block = region_instance<2, std::uint64_t>;

// Number of elements by which a row of the instance is longer than a row of the block. The rows of
// the block are therefore not contiguous. Each row begins at a cache line.
constexpr std::int64_t k_margin = 8;

std::uint64_t value_at(const point<2>& p) {
  return hash(static_cast<std::uint64_t>(p[0]) << 32 | static_cast<std::uint64_t>(p[1]));
}

void write_values(block instance) {
  const auto elements = instance.access();
  regions::for_each_point(instance.bounds(), [&](const point<2>& p) { elements[p] = value_at(p); });
}

instance_placement place_of(source from) {
  if (from == source::other) return instance_placement::on(pes() - 1);
  if (from == source::symmetric) return instance_placement::in_node_memory_of(pes() - 1);
  return instance_placement::on(0);
}

std::uint64_t count_wrong(block to, const rectangle<2>& some, bool is_transposed) {
  const auto elements = to.access();
  std::uint64_t wrong = 0;
  regions::for_each_point(some, [&](const point<2>& p) {
    const point<2> from = is_transposed ? point<2>{p[1], p[0]} : p;
    if (elements[p] != value_at(from)) ++wrong;
  });
  return wrong;
}

/// Copies the block twice: the first copy touches the memory, and the second copy is measured.
task<double> time_copy(block to, block from, const rectangle<2>& some, bool is_transposed) {
  const auto part = from.part(some);
  double seconds = 0;
  for (int round = 0; round < 2; ++round) {
    const auto begun = now();
    const event copied =
        copy_when(event::none, to.part(some), is_transposed ? part.transposed() : part);
    co_await copied;
    seconds = seconds_since(begun);
  }
  co_return seconds;
}

task<> measure_source(source kind, const rectangle<2>& some, outcome& found) {
  const auto all = rectangle_of<2>({some.high[0] + k_margin, some.high[1] + k_margin});
  const block to = make_instance<std::uint64_t>(all);
  const block from = make_instance<std::uint64_t>(all, place_of(kind));
  co_await to.ready();
  co_await from.ready();
  co_await call(kind == source::own || kind == source::transposed ? 0 : pes() - 1,
                [from] { write_values(from); });
  const bool is_transposed = kind == source::transposed;
  found.seconds[static_cast<std::size_t>(kind)] = co_await time_copy(to, from, some, is_transposed);
  found.wrong_elements += count_wrong(to, some, is_transposed);
  co_await to.destroy();
  co_await from.destroy();
}

double time_memcpy(std::uint64_t bytes) {
  const held_memory held(2 * bytes, "the two blocks of memcpy (--side)", held_memory::by::this_pe);
  huge_vector<std::byte> from(bytes, std::byte{1}), to(bytes);
  std::memcpy(to.data(), from.data(), bytes);
  const auto begun = now();
  std::memcpy(to.data(), from.data(), bytes);
  return seconds_since(begun);
}

}  // namespace

std::uint64_t bytes_of_pe_0(std::int64_t side) {
  const auto edge = static_cast<std::uint64_t>(side + 1 + 2 * k_margin);
  return 2 * edge * edge * sizeof(std::uint64_t);
}

task<outcome> measure(std::int64_t side) {
  const rectangle<2> some{{k_margin, k_margin}, {k_margin + side, k_margin + side}};
  outcome found;
  found.bytes = some.volume() * sizeof(std::uint64_t);
  found.memcpy_seconds = time_memcpy(found.bytes);
  for (std::size_t k = 0; k < k_source_names.size(); ++k)
    co_await measure_source(static_cast<source>(k), some, found);
  co_return found;
}

}  // namespace atl::bench::copies
