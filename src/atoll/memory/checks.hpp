#pragma once
// Checks that refuse wrong use of global memory where it happens: elements that an array does not
// have, addresses of no PE or of no array.

#include "atoll/base/pe.hpp"
#include "atoll/base/site.hpp"
#include "atoll/memory/heap.hpp"

#include <concepts>
#include <cstdint>

namespace atl::memory {

/// An index with the site where it was written, because `[]` takes no further argument.
struct element_index {
  std::uint64_t number;
  site where;

  template <std::convertible_to<std::uint64_t> Index>
  constexpr element_index(Index index, site place = site::current())
      : number(static_cast<std::uint64_t>(index)), where(place) {}
};

/// Throws atl::error (input): an array of `size` elements does not have the `count` elements from
/// `first` on.
[[noreturn]] void refuse_elements(std::uint64_t first, std::uint64_t count, std::uint64_t size,
                                  site where);

/// Throws atl::error (input): there is no memory for `count` objects of `each` bytes after `offset`
/// of PE `pe`.
[[noreturn]] void refuse_step(int pe, std::uint64_t offset, std::int64_t count, std::size_t each,
                              site where);

/// Throws atl::error (input): `count` objects of `each` bytes are larger than any memory.
[[noreturn]] void refuse_count(std::uint64_t count, std::size_t each, site where);

/// Returns the bytes of `count` objects. Throws atl::error (input) if the product could wrap
/// around.
[[gnu::always_inline]] inline std::uint64_t bytes_of_count(std::uint64_t count, std::size_t each,
                                                           site where) {
  if (count > (std::uint64_t{1} << 47) / each) [[unlikely]]
    refuse_count(count, each, where);
  return count * each;
}

/// Throws atl::error (input): the object belongs to PE `pe`, which is not this PE, or to none if
/// `pe` is -1.
[[noreturn]] void refuse_local(int pe, site where);

/// Throws the atl::error (input) of `check_access`.
[[noreturn]] void refuse_access(int pe, std::uint64_t offset, std::uint64_t bytes, site where);

/// Throws atl::error (input) if `pe` does not exist, or if the bytes at `offset` do not lie in one
/// global array. A range of no bytes lies everywhere.
[[gnu::always_inline]] inline void check_access(int pe, std::uint64_t offset, std::uint64_t bytes,
                                                site where) {
  const atl::pe& self = this_pe();
  const bool exists = static_cast<unsigned>(pe) < static_cast<unsigned>(self.size);
  if (!exists || (bytes != 0 && !self.memory->holds(offset, bytes))) [[unlikely]]
    refuse_access(pe, offset, bytes, where);
}

/// Throws atl::error (input) unless an array of `bytes` bytes begins at `offset`. Destroying an
/// array twice would otherwise free the memory of another array.
void check_destroyed_once(std::uint64_t offset, std::uint64_t bytes, site where);

/// Tells whether the array of a handle still exists, because offsets are given out again. A
/// lifetime is trivially copyable, and means the same on every PE.
class lifetime {
 public:
  /// Makes the lifetime of an uninitialised handle.
  lifetime() = default;

  /// Makes the lifetime of the array that begins at `offset` now.
  explicit lifetime(std::uint64_t offset)
      : offset_(offset), serial_(this_pe().memory->serial_at(offset)) {}

  bool has_ended() const {
    const atl::pe* const self = current_pe;
    return self == nullptr || self->memory == nullptr || !self->memory->lives(offset_, serial_);
  }

  friend bool operator==(const lifetime&, const lifetime&) = default;

  /// Throws atl::error (input), which says that `what` was destroyed or never made. Any PE may call
  /// it; it does not communicate.
  void check(const char* what, site where) const {
    if (has_ended()) [[unlikely]]
      refuse(what, where);
  }

 private:
  [[noreturn]] void refuse(const char* what, site where) const;

  std::uint64_t offset_ = 0;
  std::uint64_t serial_ = 0;
};

/// Throws atl::error (input) if PE `pe` does not exist. `call` names the call that has it as the
/// root of a collective, a sender or a receiver.
void check_pe(const char* call, int pe, site where);

/// Calls `check_access` in debug builds only.
inline void check_access_in_debug([[maybe_unused]] int pe, [[maybe_unused]] std::uint64_t offset,
                                  [[maybe_unused]] std::uint64_t bytes,
                                  [[maybe_unused]] site where) {
#ifdef ATOLL_CHECKED
  check_access(pe, offset, bytes, where);
#endif
}

}  // namespace atl::memory
