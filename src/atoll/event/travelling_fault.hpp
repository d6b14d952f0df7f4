#pragma once
// A fault inside a message. Its text is a payload.

#include "atoll/event.hpp"
#include "atoll/transport/site_word.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace atl::events {

/// What stands in front of the text.
class travelling_fault {
 public:
  explicit travelling_fault(const event_fault& fault);

  /// The fault, on the PE that has got it. The PE where it arose is put before the text once.
  event_fault arrived(std::span<const std::byte> text) const;

 private:
  transport::travelling_site where_;
  int pe_;
  errc code_;
};

/// The text of a fault, `most` bytes of it at most.
std::string text_of(const event_fault& fault, std::size_t most);

/// A fault as a payload of `most` bytes at most, and back.
std::vector<std::byte> packed(const event_fault& fault, std::size_t most);
event_fault unpacked(std::span<const std::byte> bytes);

}  // namespace atl::events
