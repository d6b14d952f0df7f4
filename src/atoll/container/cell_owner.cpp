#include "atoll/container/cell_owner.hpp"

#include "atoll/base/mutants.hpp"
#include "atoll/global_address.hpp"
#include "atoll/work.hpp"

#include <algorithm>
#include <cstring>
#include <new>

namespace atl::container {
namespace {

combine::gate& gate_at(std::uint64_t word) { return *reinterpret_cast<combine::gate*>(word); }

struct written {
  std::uint64_t gate_word;

  void operator()() const noexcept { gate_at(gate_word).one_answered(); }
};

/// The payload is the cells.
struct read_back {
  std::uint64_t gate_word;
  std::uint64_t destination;

  void operator()(std::span<const std::byte> bytes) const noexcept {
    std::memcpy(reinterpret_cast<std::byte*>(destination), bytes.data(), bytes.size());
    gate_at(gate_word).one_answered();
  }
};

// The task that waits commits for many, so the answer goes at once.
void answer(const transfer_origin& origin, std::span<const std::byte> bytes) {
  const read_back cells{origin.gate_word, origin.destination};
  const written no_cells{origin.gate_word};
  if (origin.pe == my_pe()) {
    if (origin.reads) return cells(bytes);
    return no_cells();
  }
  message::engine& messages = *this_pe().messages;
  if (origin.reads) {
    messages.send_with<message::traffic::owed>(origin.pe, cells, bytes, site::current());
  } else {
    messages.send<message::traffic::owed>(origin.pe, no_cells, site::current());
  }
  messages.flush(origin.pe);
}

}  // namespace

bool cell_owner::is_served_now(const stretch& cells) const {
  return object_at<block_header>(cells.block).now_serving == cells.ticket ||
         mutants::has(mutants::fault::out_of_turn);
}

void cell_owner::apply(const stretch& cells, const transfer_origin& origin,
                       std::span<const std::byte> bytes) {
  std::byte* const at = this_pe().memory->local(cells.block) + sizeof(block_header) +
                        std::size_t{cells.first} * geometry_.cell_bytes;
  const std::span<std::byte> stored(at, std::size_t{cells.count} * geometry_.cell_bytes);
  charge(work::line_touched, 2);
  charge(work::byte_copied, stored.size());
  ++object_at<block_header>(cells.block).now_serving;
  if (!origin.reads) std::memcpy(stored.data(), bytes.data(), stored.size());
  answer(origin, stored);
}

bool cell_owner::apply_one_of(std::uint64_t block) {
  const auto next = std::ranges::find_if(early_, [&](const early& one) {
    return one.cells.block == block && is_served_now(one.cells);
  });
  if (next == early_.end()) return false;
  const early taken = std::move(*next);
  early_.erase(next);
  apply(taken.cells, taken.origin, taken.bytes);
  return true;
}

bool cell_owner::keep(const stretch& cells, const transfer_origin& origin,
                      std::span<const std::byte> bytes) {
  if (mutants::has(mutants::fault::no_memory_to_wait)) return false;
  try {
    early_.push_back({cells, origin, {bytes.begin(), bytes.end()}});
  } catch (const std::bad_alloc&) {
    return false;
  }
  return true;
}

bool cell_owner::transfer(const stretch& cells, const transfer_origin& origin,
                          std::span<const std::byte> bytes) {
  if (!is_served_now(cells)) return keep(cells, origin, bytes);
  apply(cells, origin, bytes);
  while (!early_.empty() && apply_one_of(cells.block)) {
  }
  return true;
}

}  // namespace atl::container
