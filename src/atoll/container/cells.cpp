#include "atoll/container/cells.hpp"

#include "atoll/base/describe.hpp"
#include "atoll/base/error.hpp"
#include "atoll/combine/server.hpp"
#include "atoll/task/awaitables.hpp"

#include <algorithm>
#include <bit>

namespace atoll::container {
namespace {

constexpr std::uint32_t k_most_block_cells = 1024;

/// Where a reservation arrives; lies in the frame of the task that asked.
struct reservation_slot {
  combine::gate asked{1};
  reservation made;
};

/// The payload is the stretches.
struct granted {
  std::uint64_t slot_word;
  std::uint32_t popped;
  std::uint32_t push_stretches;

  void operator()(std::span<const std::byte> payload) const {
    auto& slot = *reinterpret_cast<reservation_slot*>(slot_word);
    slot.made.popped = popped;
    slot.made.push_stretches = push_stretches;
    slot.made.stretches.resize(payload.size() / sizeof(stretch));
    if (!payload.empty()) std::memcpy(slot.made.stretches.data(), payload.data(), payload.size());
    slot.asked.one_answered();
  }
};

/// The payload is the reason.
struct refused {
  std::uint64_t slot_word;

  void operator()(std::span<const std::byte> text) const {
    auto& slot = *reinterpret_cast<reservation_slot*>(slot_word);
    slot.asked.one_failed(std::make_exception_ptr(
        error(errc::out_of_memory,
              std::string(reinterpret_cast<const char*>(text.data()), text.size()))));
  }
};

struct wanted_cells {
  per_pe<cell_part> parts;
  std::uint64_t slot_word;
  std::uint32_t pushes;
  std::uint32_t pops;

  void operator()() const {
    message::engine& messages = *this_pe().messages;
    const int asker = messages.source();
    try {
      const auto made = parts->master->reserve(pushes, pops);
      messages.send_with<message::traffic::untracked>(
          asker, granted{slot_word, made.popped, made.push_stretches},
          std::as_bytes(std::span(made.stretches)), site::current());
    } catch (const transport::job_ended&) {
      throw;
    } catch (...) {
      const std::string text = describe(std::current_exception());
      const auto fits = std::min(text.size(), messages.payload_capacity<refused>());
      messages.send_with<message::traffic::untracked>(
          asker, refused{slot_word}, std::as_bytes(std::span(text).first(fits)), site::current());
    }
    messages.flush(asker);  // who commits for many does not wait for company
  }
};

/// The payload is what to write; nothing where cells are read.
struct wanted_transfer {
  per_pe<cell_part> parts;
  stretch cells;
  transfer_origin origin;

  void operator()(std::span<const std::byte> bytes) const {
    parts->owner->transfer(cells, origin, bytes);
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
    if (my_pe() == combine::k_master) parts->master.emplace(order, geometry);
  };
  co_await on_all_pes(open, where);
  co_return made;
}

std::uint32_t cells::most_reserved() const {
  const auto stretches = this_pe().messages->payload_capacity<granted>() / sizeof(stretch);
  return static_cast<std::uint32_t>((stretches - 4) * geometry_.block_cells);
}

task<reservation> cells::reserve(std::uint32_t pushes, std::uint32_t pops, site where) const {
  if (!has_room()) co_await room(where);
  if (my_pe() == combine::k_master) co_return parts_->master->reserve(pushes, pops);
  reservation_slot slot;
  message::engine& messages = *this_pe().messages;
  messages.send<message::traffic::untracked>(
      combine::k_master,
      wanted_cells{parts_, reinterpret_cast<std::uintptr_t>(&slot), pushes, pops}, where);
  messages.flush(combine::k_master);
  co_await combine::gate_awaiter(slot.asked, where);
  co_return std::move(slot.made);
}

void cells::transfer(const stretch& reserved, const transfer_origin& origin,
                     std::span<const std::byte> bytes, site where) const {
  if (reserved.pe == my_pe()) return parts_->owner->transfer(reserved, origin, bytes);
  message::engine& messages = *this_pe().messages;
  messages.send_with<message::traffic::untracked>(
      reserved.pe, wanted_transfer{parts_, reserved, origin}, bytes, where);
  messages.flush(reserved.pe);
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
  const auto at_master = [parts = parts_, where]() -> task<> {
    const std::uint64_t bytes = parts->master->segment_bytes();
    for (const std::uint64_t offset : parts->master->segments())
      co_await memory::release_everywhere(offset, bytes, where);
  };
  co_await call(combine::k_master, at_master, where);
  co_await parts_.destroy(where);
}

}  // namespace atoll::container
