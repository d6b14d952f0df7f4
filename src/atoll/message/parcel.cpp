#include "atoll/message/parcel.hpp"

#include "atoll/message/words.hpp"

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

}  // namespace atl::message
