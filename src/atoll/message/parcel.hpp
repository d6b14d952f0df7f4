#pragma once
// Messages of one PE to another that travel in a buffer for a third PE, which hands them on
// (routes.hpp): a header with the name k_parcel, a word with source and destination, and messages
// in the format of a buffer.

#include "atoll/message/outgoing.hpp"

#include <cstring>

namespace atl::message {

inline constexpr std::size_t k_parcel_overhead = 2 * k_unit;

struct parcel_address {
  std::int32_t source;
  std::int32_t destination;
};

/// Writes the header and the address of a parcel of `bytes` bytes in all.
void write_parcel_header(std::byte* parcel, parcel_address address, std::size_t bytes);

inline parcel_address address_of_parcel(const std::byte* parcel) {
  parcel_address address{};
  std::memcpy(&address, parcel + k_unit, sizeof address);
  return address;
}

/// Fills what a parcel has not used, from `at` to `end`.
void write_padding(std::byte* at, const std::byte* end);

/// Takes the padding out of a closed buffer, or out of a part of it. Returns the new end.
std::byte* without_padding(std::byte* begin, const std::byte* end);

}  // namespace atl::message
