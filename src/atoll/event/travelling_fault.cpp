#include "atoll/event/travelling_fault.hpp"

#include "atoll/error.hpp"
#include "atoll/message/engine.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <iterator>
#include <string_view>

namespace atl::events {

travelling_fault::travelling_fault(const event_fault& fault)
    : where_(fault.where), pe_(fault.pe), code_(carried_code(fault.failure)) {}

event_fault travelling_fault::arrived(std::span<const std::byte> text) const {
  const std::string_view said(reinterpret_cast<const char*>(text.data()), text.size());
  if (pe_ != this_pe().messages->source()) return {carried_failure(code_, said), where_, pe_};
  return {carried_failure(code_, fmt::format("PE {}: {}", pe_, said)), where_, pe_};
}

std::string text_of(const event_fault& fault, std::size_t most) {
  std::string text = describe(fault.failure);
  text.resize(std::min(text.size(), most));
  return text;
}

std::vector<std::byte> packed(const event_fault& fault, std::size_t most) {
  const std::string text = text_of(fault, most - sizeof(travelling_fault));
  const auto front =
      std::bit_cast<std::array<std::byte, sizeof(travelling_fault)>>(travelling_fault(fault));
  std::vector<std::byte> all(front.begin(), front.end());
  std::ranges::copy(std::as_bytes(std::span(text)), std::back_inserter(all));
  return all;
}

event_fault unpacked(std::span<const std::byte> bytes) {
  std::array<std::byte, sizeof(travelling_fault)> front;
  std::memcpy(front.data(), bytes.data(), front.size());
  return std::bit_cast<travelling_fault>(front).arrived(bytes.subspan(front.size()));
}

}  // namespace atl::events
