#pragma once
// What one PE sends to another in a buffer for a third that hands it on (routes.hpp): a header
// under the name k_parcel, a word that says from whom and for whom, and messages in the format of a
// buffer.

#include "atoll/message/outgoing.hpp"

#include <cstring>

namespace atoll::message {

inline constexpr std::size_t k_parcel_overhead = 2 * k_unit;

struct parcel_address {
  std::int32_t source;
  std::int32_t destination;
};

/// Writes what stands before the messages of a parcel of so many bytes, itself included.
void write_parcel_header(std::byte* parcel, parcel_address address, std::size_t bytes);

inline parcel_address address_of_parcel(const std::byte* parcel) {
  parcel_address address{};
  std::memcpy(&address, parcel + k_unit, sizeof address);
  return address;
}

/// Fills what a parcel has not used, from `at` to `end`.
void write_padding(std::byte* at, const std::byte* end);

/// Moves the contents of a closed buffer, or of a part of one, together where there is padding.
/// Returns the new end.
std::byte* without_padding(std::byte* begin, const std::byte* end);

}  // namespace atoll::message
