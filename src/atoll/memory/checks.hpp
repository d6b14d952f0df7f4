#pragma once
// Wrong use of global memory is refused where it is seen: an element that an array does not have,
// an address of no PE or of no array.

#include "atoll/base/pe.hpp"
#include "atoll/base/site.hpp"
#include "atoll/memory/heap.hpp"

#include <concepts>
#include <cstdint>

namespace atl::memory {

/// An index with the place where it was written: `[]` takes no further argument.
struct element_index {
  std::uint64_t number;
  site where;

  template <std::convertible_to<std::uint64_t> Index>
  constexpr element_index(Index index, site place = site::current())
      : number(static_cast<std::uint64_t>(index)), where(place) {}
};

/// Throws atl::error (input): an array of `size` elements does not have these.
[[noreturn]] void refuse_elements(std::uint64_t first, std::uint64_t count, std::uint64_t size,
                                  site where);

/// Throws atl::error (input): `count` objects of `each` bytes behind `offset` of PE `pe` there is
/// no memory.
[[noreturn]] void refuse_step(int pe, std::uint64_t offset, std::int64_t count, std::size_t each,
                              site where);

/// Throws atl::error (input): so many objects of `each` bytes have more bytes than any memory.
[[noreturn]] void refuse_count(std::uint64_t count, std::size_t each, site where);

/// The bytes of so many objects. Throws atl::error (input) where the product could wrap around.
[[gnu::always_inline]] inline std::uint64_t bytes_of_count(std::uint64_t count, std::size_t each,
                                                           site where) {
  if (count > (std::uint64_t{1} << 47) / each) [[unlikely]]
    refuse_count(count, each, where);
  return count * each;
}

/// Throws atl::error (input): the object is of PE `pe`, which is not this one; -1: of none.
[[noreturn]] void refuse_local(int pe, site where);

/// Throws atl::error (input), as `check_access` says.
[[noreturn]] void refuse_access(int pe, std::uint64_t offset, std::uint64_t bytes, site where);

/// Throws atl::error (input) where `pe` does not exist, or where the bytes at `offset`, if there
/// are any, do not lie in one global array.
[[gnu::always_inline]] inline void check_access(int pe, std::uint64_t offset, std::uint64_t bytes,
                                                site where) {
  const atl::pe& self = this_pe();
  const bool exists = static_cast<unsigned>(pe) < static_cast<unsigned>(self.size);
  if (!exists || (bytes != 0 && !self.memory->holds(offset, bytes))) [[unlikely]]
    refuse_access(pe, offset, bytes, where);
}

/// Throws atl::error (input) where no array of so many bytes begins at `offset`: who destroys one
/// again would take the memory of another.
void check_destroyed_once(std::uint64_t offset, std::uint64_t bytes, site where);

/// Whether the memory of a handle is that of its array: offsets are given out again. Trivially
/// copyable, and means the same on every PE.
class lifetime {
 public:
  /// That of a handle which nobody has made.
  lifetime() = default;

  /// That of the array which begins at `offset` now.
  explicit lifetime(std::uint64_t offset)
      : offset_(offset), serial_(this_pe().memory->serial_at(offset)) {}

  bool has_ended() const {
    const atl::pe* const self = current_pe;
    return self == nullptr || self->memory == nullptr || !self->memory->lives(offset_, serial_);
  }

  friend bool operator==(const lifetime&, const lifetime&) = default;

  /// Throws atl::error (input), which says that `what` was destroyed, or never made. Any PE; does
  /// not communicate.
  void check(const char* what, site where) const {
    if (has_ended()) [[unlikely]]
      refuse(what, where);
  }

 private:
  [[noreturn]] void refuse(const char* what, site where) const;

  std::uint64_t offset_ = 0;
  std::uint64_t serial_ = 0;
};

/// Throws atl::error (input) where the PE that a call names does not exist: the root of a
/// collective, or who sends or receives.
void check_pe(const char* call, int pe, site where);

/// As `check_access`, in debug builds only.
inline void check_access_in_debug([[maybe_unused]] int pe, [[maybe_unused]] std::uint64_t offset,
                                  [[maybe_unused]] std::uint64_t bytes,
                                  [[maybe_unused]] site where) {
#ifdef ATOLL_CHECKED
  check_access(pe, offset, bytes, where);
#endif
}

}  // namespace atl::memory
