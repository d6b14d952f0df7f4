#pragma once
// The checks of this file detect wrong uses of global memory, and report the line of the mistake.
// The checks find indices beyond the end of an array, and addresses that lie on no PE or in no
// array.

#include "atoll/base/pe.hpp"
#include "atoll/base/site.hpp"
#include "atoll/memory/heap.hpp"

#include <concepts>
#include <cstdint>

namespace atl::memory {

/// An index, with the line of the program that uses the index. The line is stored together with the
/// index, because `operator[]` cannot have a second argument.
struct element_index {
  std::uint64_t number;
  site where;

  template <std::convertible_to<std::uint64_t> Index>
  constexpr element_index(Index index, site place = site::current())
      : number(static_cast<std::uint64_t>(index)), where(place) {}
};

/// Throws atl::error (input), because elements `first` to `first + count - 1` do not all exist in
/// an array of `size` elements.
[[noreturn]] void refuse_elements(std::uint64_t first, std::uint64_t count, std::uint64_t size,
                                  site where);

/// Throws atl::error (input), because an address lies beyond the memory of PE `pe`. The address is
/// `offset` plus `count` times `each` bytes.
[[noreturn]] void refuse_step(int pe, std::uint64_t offset, std::int64_t count, std::size_t each,
                              site where);

/// Throws atl::error (input), because `count` objects of `each` bytes need more bytes than any
/// memory has.
[[noreturn]] void refuse_count(std::uint64_t count, std::size_t each, site where);

/// Returns the size in bytes of `count` objects of `each` bytes. Throws atl::error (input) if the
/// size exceeds 2^47 bytes.
[[gnu::always_inline]] inline std::uint64_t bytes_of_count(std::uint64_t count, std::size_t each,
                                                           site where) {
  if (count > (std::uint64_t{1} << 47) / each) [[unlikely]]
    refuse_count(count, each, where);
  return count * each;
}

/// Throws atl::error (input), because `local()` was called for an object of another PE `pe`. If
/// `pe` is -1, the error says that the address is null.
[[noreturn]] void refuse_local(int pe, site where);

/// Throws atl::error (input), because `check_access` found a mistake. The text of the error names
/// the mistake.
[[noreturn]] void refuse_access(int pe, std::uint64_t offset, std::uint64_t bytes, site where);

/// Throws atl::error (input) if PE `pe` does not exist, or if the `bytes` bytes at `offset` do not
/// lie in one global array. If `bytes` is 0, any offset is allowed.
[[gnu::always_inline]] inline void check_access(int pe, std::uint64_t offset, std::uint64_t bytes,
                                                site where) {
  const atl::pe& self = this_pe();
  const bool exists = static_cast<unsigned>(pe) < static_cast<unsigned>(self.size);
  if (!exists || (bytes != 0 && !self.memory->holds(offset, bytes))) [[unlikely]]
    refuse_access(pe, offset, bytes, where);
}

/// If no array of `bytes` bytes begins at `offset`, throws atl::error (input). Without the check,
/// destroying an array twice could free the memory of another array.
void check_destroyed_once(std::uint64_t offset, std::uint64_t bytes, site where);

/// Identifies one array of the job, so that a handle can test whether its array still exists. An
/// offset alone would not be enough, because a later array may get the same offset. A lifetime is
/// trivially copyable, and any PE may use it.
class lifetime {
 public:
  /// Makes the lifetime of an uninitialised handle. No array has the lifetime of an uninitialised
  /// handle, so `check` throws.
  lifetime() = default;

  /// Makes the lifetime of the array that now begins at `offset`.
  explicit lifetime(std::uint64_t offset)
      : offset_(offset), serial_(this_pe().memory->serial_at(offset)) {}

  bool has_ended() const {
    const atl::pe* const self = current_pe;
    return self == nullptr || self->memory == nullptr || !self->memory->lives(offset_, serial_);
  }

  friend bool operator==(const lifetime&, const lifetime&) = default;

  /// Throws atl::error (input) if the array was destroyed or never made. The text of the error
  /// names the array by `what`, such as "the forest". Any PE may call this function. The function
  /// does not communicate.
  void check(const char* what, site where) const {
    if (has_ended()) [[unlikely]]
      refuse(what, where);
  }

 private:
  [[noreturn]] void refuse(const char* what, site where) const;

  std::uint64_t offset_ = 0;
  std::uint64_t serial_ = 0;
};

/// Throws atl::error (input) if PE `pe` does not exist. The text of the error names `call`, the
/// function that was called with the argument `pe`.
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
