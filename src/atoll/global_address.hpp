#pragma once
// A global address is the address of an object in the memory of any PE. The 64 bits of an address
// hold the PE and the offset.

#include "atoll/error.hpp"
#include "atoll/memory/checks.hpp"
#include "atoll/memory/heap.hpp"
#include "atoll/pe.hpp"

#include <compare>
#include <cstdint>

namespace atl {

/// The address of a T in the global memory of the job. An address has 16 bits for the PE, and 48
/// bits for the offset in the memory of that PE. An address is a plain value that means the same on
/// every PE. A default-constructed address is null, and so is an address in zeroed memory. Access
/// through a null address by a message, `put` or `get` throws atl::error (input).
template <class T>
class global_address {
 public:
  constexpr global_address() = default;
  constexpr global_address(int pe, std::uint64_t offset)
      : word_((static_cast<std::uint64_t>(pe) + 1) << 48 | offset) {}

  /// Returns the PE of the object, or -1 for a null address.
  constexpr int pe() const { return static_cast<int>(word_ >> 48) - 1; }
  constexpr std::uint64_t offset() const { return word_ & ((std::uint64_t{1} << 48) - 1); }
  bool is_local() const { return pe() == my_pe(); }

  /// Returns a pointer to the object. Only the PE that owns the object may call this function.
  /// Throws atl::error (input) on another PE, and if the object lies in no global array.
  T* local(site where = site::current()) const {
    const atl::pe& self = pe_of_job("local", where);
    if (pe() != self.rank) [[unlikely]]
      memory::refuse_local(pe(), where);
    memory::check_access(pe(), offset(), sizeof(T), where);
    return reinterpret_cast<T*>(self.memory->local(offset()));
  }

  /// Returns the address `n` objects further in the memory of the same PE; `n` may be negative.
  /// Throws atl::error (input) if the offset would not fit into 48 bits.
  constexpr global_address operator+(memory::element_index n) const {
    const auto objects = static_cast<std::int64_t>(n.number);
    std::int64_t bytes = 0;
    const bool wraps = __builtin_mul_overflow(objects, std::int64_t{sizeof(T)}, &bytes);
    const std::uint64_t moved = offset() + static_cast<std::uint64_t>(bytes);
    if (wraps || moved >> 48 != 0) [[unlikely]]
      memory::refuse_step(pe(), offset(), objects, sizeof(T), n.where);
    global_address there;
    there.word_ = word_ - offset() + moved;
    return there;
  }

  friend constexpr auto operator<=>(const global_address&, const global_address&) = default;

 private:
  std::uint64_t word_ = 0;  // PE + 1 in the upper 16 bits, the offset in the lower 48
};

/// Returns the object at `offset` of this PE's memory.
template <class T>
T& object_at(std::uint64_t offset) {
  return *reinterpret_cast<T*>(this_pe().memory->local(offset));
}

}  // namespace atl
