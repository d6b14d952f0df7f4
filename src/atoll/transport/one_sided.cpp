#include "atoll/transport/one_sided.hpp"

#include <atomic>

namespace atl::transport {
namespace {

template <class Word>
Word apply_to(const atomic_operation& what, std::atomic_ref<Word> at) noexcept {
  const auto operand = static_cast<Word>(what.operand);
  switch (what.kind) {
  case atomic_kind::load:
    break;
  case atomic_kind::store:
  case atomic_kind::exchange:
    return at.exchange(operand);
  case atomic_kind::add:
    return at.fetch_add(operand);
  case atomic_kind::bit_and:
    return at.fetch_and(operand);
  case atomic_kind::bit_or:
    return at.fetch_or(operand);
  case atomic_kind::bit_xor:
    return at.fetch_xor(operand);
  case atomic_kind::compare_exchange: {
    auto before = static_cast<Word>(what.expected);
    at.compare_exchange_strong(before, operand);
    return before;
  }
  }
  return at.load();
}

}  // namespace

std::uint64_t apply_atomic(const atomic_operation& what, std::byte* at) noexcept {
  if (what.bytes == 4)
    return apply_to(what, std::atomic_ref(*reinterpret_cast<std::uint32_t*>(at)));
  return apply_to(what, std::atomic_ref(*reinterpret_cast<std::uint64_t*>(at)));
}

}  // namespace atl::transport
