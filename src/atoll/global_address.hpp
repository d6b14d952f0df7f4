#pragma once
// The address of an object in the memory of some PE: 64 bits, which name the PE and the place.

#include "atoll/error.hpp"
#include "atoll/memory/checks.hpp"
#include "atoll/memory/heap.hpp"
#include "atoll/pe.hpp"

#include <compare>
#include <cstdint>

namespace atl {

/// The address of a T in the global memory of the job: 16 bits of PE and 48 bits of offset in that
/// PE's memory. A plain value that means the same on every PE. By default, and where memory is
/// zero, it is null: an object of no PE, and every access through it from a
/// message, `put` or `get` throws atl::error (input).
template <class T>
class global_address {
 public:
  constexpr global_address() = default;
  constexpr global_address(int pe, std::uint64_t offset)
      : word_((static_cast<std::uint64_t>(pe) + 1) << 48 | offset) {}

  /// -1: of none.
  constexpr int pe() const { return static_cast<int>(word_ >> 48) - 1; }
  constexpr std::uint64_t offset() const { return word_ & ((std::uint64_t{1} << 48) - 1); }
  bool is_local() const { return pe() == my_pe(); }

  /// The object itself. On its owner only: throws atl::error (input) on another PE, and where the
  /// object lies in no global array.
  T* local(site where = site::current()) const {
    const atl::pe& self = pe_of_job("local", where);
    if (pe() != self.rank) [[unlikely]]
      memory::refuse_local(pe(), where);
    memory::check_access(pe(), offset(), sizeof(T), where);
    return reinterpret_cast<T*>(self.memory->local(offset()));
  }

  /// The address `n` objects further in the memory of the same PE, or before it. Throws atl::error
  /// (input) where no PE has memory there.
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
  std::uint64_t word_ = 0;  // the PE counts from 1 here
};

/// The object at `offset` of this PE's memory.
template <class T>
T& object_at(std::uint64_t offset) {
  return *reinterpret_cast<T*>(this_pe().memory->local(offset));
}

}  // namespace atl
