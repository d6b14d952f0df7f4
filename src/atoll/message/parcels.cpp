#include "atoll/message/parcels.hpp"

#include "atoll/message/send_buffer.hpp"

#include <memory>

namespace atl::message {
namespace {

std::uint64_t header(handler_name name, std::size_t bytes_behind) {
  return name << k_name_shift | bytes_behind / k_unit;
}

}  // namespace

void write_parcel_header(std::byte* parcel, parcel_address address, std::size_t bytes) {
  store_word(parcel, header(parcel_name(address), bytes - k_unit));
}

void write_padding(std::byte* at, const std::byte* end) {
  if (at != end) store_word(at, header(k_padding, bytes_between(at, end) - k_unit));
}

std::byte* without_padding(std::byte* begin, const std::byte* end) {
  std::byte* to = begin;
  for (std::byte* from = begin; from < end;) {
    const std::uint64_t word = load_word(from);
    const std::size_t bytes = k_unit * (1 + (word & 0xffff));
    const handler_name name = word >> k_name_shift;
    if (name != k_padding) {
      if (to != from) std::memmove(to, from, bytes);
      std::byte* const moved_end = to + bytes;
      if (bytes > k_unit && is_parcel(name)) {
        std::byte* const used = without_padding(to + k_parcel_overhead, moved_end);
        store_word(to, header(name, bytes_between(to, used) - k_unit));
        to = used;
      } else {
        to = moved_end;
      }
    }
    from += bytes;
  }
  return to;
}

open_parcels::open_parcels(int self, streams& all, observe::counters& counters)
    : self_(self), all_(all), counters_(counters) {}

void open_parcels::make_room(send_buffer& carrier) {
  if (!carrier.parcels) carrier.parcels = std::make_unique<carried_parcels>();
  auto& listed = carrier.parcels->streams;
  if (listed.size() == listed.capacity()) listed.reserve(2 * listed.size() + 1);
}

void open_parcels::open(send_buffer& parcel, send_buffer& carrier, std::byte* room,
                        std::size_t bytes) {
  if (!std::exchange(parcel.has_listed_parcel, true)) carrier.parcels->streams.push_back(&parcel);
  parcel.open(room + k_parcel_overhead, bytes - k_parcel_overhead);
}

void open_parcels::close(send_buffer& parcel) {
  send_buffer& carrier = all_.to(parcel.hop);
  std::byte* const messages = parcel.buffer();
  const std::byte* end = parcel.buffer_end();
  std::byte* const used = messages + parcel.close();
  counters_.messages_submitted += all_.take_created(parcel);
  if (carrier.shorten(end, used)) {
    end = used;
  } else {
    write_padding(used, end);
    carrier.parcels->padding += static_cast<std::size_t>(end - used);
  }
  std::byte* const begin = messages - k_parcel_overhead;
  write_parcel_header(begin, {self_, parcel.destination}, static_cast<std::size_t>(end - begin));
}

// `give_up` does not remove the object `parcel` from the list `carried_parcels::streams` of the
// buffer. `close_listed` and `unused` check that a listed `send_buffer` object has an open parcel
// and that the buffer is for the object's hop.
void open_parcels::give_up(send_buffer& parcel) {
  if (parcel.is_open()) close(parcel);
  parcel.has_listed_parcel = false;
}

void open_parcels::close_listed(send_buffer& carrier) {
  for (send_buffer* const parcel : carrier.parcels->streams) {
    if (parcel->hop != carrier.destination) continue;
    parcel->has_listed_parcel = false;
    if (parcel->is_open()) close(*parcel);
  }
  carrier.parcels->streams.clear();
}

std::size_t open_parcels::unused(const send_buffer& carrier) {
  if (!carrier.parcels) return 0;
  std::size_t bytes = carrier.parcels->padding;
  for (const send_buffer* const parcel : carrier.parcels->streams)
    if (parcel->is_open() && parcel->hop == carrier.destination) bytes += parcel->room();
  return bytes;
}

}  // namespace atl::message
