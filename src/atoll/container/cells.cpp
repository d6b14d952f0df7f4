#include "atoll/container/cells.hpp"

#include "atoll/base/mutants.hpp"
#include "atoll/combine/server.hpp"
#include "atoll/global_address.hpp"
#include "atoll/task.hpp"
#include "atoll/work.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

namespace atl::container {
namespace {

combine::gate& gate_at(std::uint64_t word) { return *reinterpret_cast<combine::gate*>(word); }

struct written {
  std::uint64_t gate_word;

  void operator()() const noexcept { gate_at(gate_word).one_answered(); }
};

/// A message that answers a request to read cells. The payload consists of the contents of the
/// cells.
struct read_back {
  std::uint64_t gate_word;
  std::uint64_t destination;

  void operator()(std::span<const std::byte> bytes) const noexcept {
    std::memcpy(reinterpret_cast<std::byte*>(destination), bytes.data(), bytes.size());
    gate_at(gate_word).one_answered();
  }
};

// Sends the answer to a transfer at once, because many tasks may wait for the commit that has
// requested the transfer.
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

namespace {

constexpr std::uint32_t k_most_block_cells = 1024;

/// A message that asks the owner of cells to write or to read the cells. The payload is the bytes
/// to write; for a read, the payload is empty.
struct wanted_transfer {
  per_pe<cell_part> parts;
  stretch cells;
  transfer_origin origin;

  void operator()(std::span<const std::byte> bytes) const {
    if (!parts->owner->transfer(cells, origin, bytes)) send(my_pe(), bytes, site::current());
  }

  /// Sends the transfer to PE `owner`. An owner that has no memory to keep a transfer sends the
  /// transfer to itself, so that the transfer waits in a network buffer.
  void send(int owner, std::span<const std::byte> bytes, site where) const {
    message::engine& messages = *this_pe().messages;
    messages.send_with<message::traffic::owed>(owner, *this, bytes, where);
    messages.flush(owner);
  }
};

std::uint32_t block_cells_for(std::uint32_t cell_bytes) {
  const auto room = this_pe().messages->payload_capacity<wanted_transfer>();
  const auto fit = static_cast<std::uint32_t>(std::min<std::size_t>(room / cell_bytes, 1u << 16));
  return std::min(k_most_block_cells, std::bit_floor(fit));
}

}  // namespace

task<cells> cells::make(discipline order, std::uint32_t cell_bytes, site where) {
  cells made;
  made.geometry_ = {cell_bytes, block_cells_for(cell_bytes)};
  made.parts_ = co_await per_pe<cell_part>::make(where);
  const auto open = [parts = made.parts_, geometry = made.geometry_, order] {
    parts->owner.emplace(geometry);
    parts->asks.emplace(parts, geometry);
    parts->asks_by = relay_of_this_pe();
    if (my_pe() == combine::k_master) parts->master.emplace(order, geometry);
  };
  co_await on_all_pes(open, where);
  co_return made;
}

std::uint32_t cells::most_reserved() const { return most_in_one_answer(geometry_); }

task<reservation> cells::reserve(std::uint32_t pushes, std::uint32_t pops, site where) const {
  if (!has_room()) co_await room(where);
  if (my_pe() == combine::k_master) co_return parts_->master->reserve(pushes, pops);
  reservation_slot slot;
  slot.made.stretches.reserve(most_stretches(pushes, pops, geometry_));
  const asked_cells wanted{reinterpret_cast<std::uintptr_t>(&slot), my_pe(), pushes, pops};
  ask_by(parts_->asks_by, parts_, wanted, where);
  co_await combine::gate_awaiter(slot.asked, where);
  co_return std::move(slot.made);
}

void cells::transfer(const stretch& reserved, const transfer_origin& origin,
                     std::span<const std::byte> bytes, site where) const {
  const wanted_transfer wanted{parts_, reserved, origin};
  if (reserved.pe != my_pe() || !parts_->owner->transfer(reserved, origin, bytes))
    wanted.send(reserved.pe, bytes, where);
}

void cells::write(std::span<const stretch> reserved, std::span<const std::byte> values,
                  combine::gate& written, site where) const {
  const transfer_origin origin{my_pe(), false, reinterpret_cast<std::uintptr_t>(&written), 0};
  for (const auto& part : reserved) {
    const std::size_t bytes = std::size_t{part.count} * geometry_.cell_bytes;
    ++written.open_requests;
    transfer(part, origin, values.first(bytes), where);
    values = values.subspan(bytes);
  }
}

void cells::read(std::span<const stretch> reserved, std::span<std::byte> values,
                 combine::gate& read, site where) const {
  transfer_origin origin{my_pe(), true, reinterpret_cast<std::uintptr_t>(&read), 0};
  for (const auto& part : reserved) {
    origin.destination = reinterpret_cast<std::uintptr_t>(values.data());
    ++read.open_requests;
    transfer(part, origin, {}, where);
    values = values.subspan(std::size_t{part.count} * geometry_.cell_bytes);
  }
}

task<std::uint64_t> cells::size(site where) const {
  const auto at_master = [parts = parts_] { return parts->master->size(); };
  co_return co_await call(combine::k_master, at_master, where);
}

task<> cells::destroy(site where) const {
  const auto at_master = [parts = parts_, from = transport::travelling_site(where)]() -> task<> {
    const std::uint64_t bytes = parts->master->segment_bytes();
    for (const std::uint64_t offset : parts->master->segments())
      co_await memory::release_everywhere(offset, bytes, from);
  };
  co_await call(combine::k_master, at_master, where);
  co_await parts_.destroy(where);
}

}  // namespace atl::container
