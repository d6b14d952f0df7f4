#pragma once
// The heap is the global memory of one PE. Address space is reserved when the PE starts, and the
// system commits memory when it is first touched. An allocation has the same offset on all PEs.
// Offsets below `k_symmetric` form the owner-only part, which is private memory of the PE. The
// first 2 MiB of this part are for small arrays and have no huge pages; the rest has huge pages.
// The symmetric segment begins at `k_symmetric`. The segment is shared memory that the other PEs of
// the machine may read and write directly.
//
// PE 0 gives out the offsets of arrays, so that all PEs agree (see atoll/array.hpp). Each PE gives
// out its own blocks (mapped_block.hpp).

#include "atoll/base/pe.hpp"
#include "atoll/machine.hpp"
#include "atoll/memory/mapped_block.hpp"
#include "atoll/settings.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace atl {

/// The kind of memory in which the elements of a global array lie.
enum class placement : std::uint8_t {
  owner_only,  ///< private memory of each PE: fastest random access; other PEs use delegates
  symmetric    ///< a shared segment per PE: other PEs may also use one-sided access
};

namespace memory {

inline constexpr std::uint64_t k_symmetric = std::uint64_t{1} << 46;

class heap {
 public:
  /// `memory` is the memory status of the machine when the job began.
  heap(pe& self, const settings& options, const memory_status& memory);
  ~heap();
  heap(const heap&) = delete;
  heap& operator=(const heap&) = delete;

  /// Returns the address on this PE of the byte at `offset` of the global memory.
  std::byte* local(std::uint64_t offset) const { return bases_[offset / k_symmetric] + offset; }

  /// Returns an offset for `bytes` bytes on every PE; only PE 0 calls this function. Each PE is
  /// charged with `charged` bytes, or with `bytes` if `charged` is 0. Throws atl::error
  /// (out_of_memory) if the job would exceed its limit, before memory is touched.
  std::uint64_t allocate(std::uint64_t bytes, placement where, std::uint64_t charged = 0);

  /// Frees the offset. Only PE 0 calls this function, after every PE has called `discard`.
  void release(std::uint64_t offset);

  /// Returns a serial number that no other array of the job gets. Only PE 0 calls this function.
  std::uint64_t next_serial() { return ++last_serial_; }

  /// Records the bytes at `offset` as a global array until `discard`. Every PE calls this function.
  /// An array whose handles may be checked has a serial number; for any other array, `serial` is 0.
  void admit(std::uint64_t offset, std::uint64_t bytes, std::uint64_t serial = 0);

  /// Returns the serial number of the array that begins at `offset`, or 0 if there is none.
  std::uint64_t serial_at(std::uint64_t offset) const;

  /// Returns true if the array with this serial number, which began at `offset`, has not been
  /// discarded. Any PE may call this function.
  bool lives(std::uint64_t offset, std::uint64_t serial) const {
    return serial != 0 && (living_[serial % living_.size()] == serial || found(offset, serial));
  }

  /// Returns true if an array of `bytes` bytes begins at `offset`. Any PE may call this function.
  bool has_array(std::uint64_t offset, std::uint64_t bytes) const;

  /// Adds `bytes` to the data that this PE holds, for the counters; `let_go` subtracts them.
  /// `admit` and `discard` call these functions for arrays.
  void hold(std::uint64_t bytes);
  void let_go(std::uint64_t bytes) { held_bytes_ -= bytes; }

  /// Returns true if the `bytes` bytes at `offset` lie in one global array, on this PE and thus on
  /// every PE. Any PE may call this function.
  bool holds(std::uint64_t offset, std::uint64_t bytes) const {
    return recent_[0].covers(offset, bytes) || looks_up(offset, bytes);
  }

  struct range {
    std::uint64_t begin = 0;
    std::uint64_t bytes = 0;

    bool covers(std::uint64_t offset, std::uint64_t length) const {
      return offset - begin <= bytes && length <= bytes - (offset - begin);
    }
  };
  /// Returns the array that contains `offset`. If no array contains `offset`, returns the nearest
  /// array before it, or an empty range.
  range array_at(std::uint64_t offset) const;

  /// Returns the memory of an array to the system, so that it reads as zero afterwards. Every PE
  /// calls this function.
  void discard(std::uint64_t offset, std::uint64_t bytes, std::uint64_t charged = 0);

  /// Keeps the object whose address is stored at `offset`, until `destroy_object` or the end of the
  /// job. Every PE calls this function.
  void own_object(std::uint64_t offset, std::shared_ptr<void> object) {
    objects_[offset] = std::move(object);
  }
  void destroy_object(std::uint64_t offset) { objects_.erase(offset); }

  /// Keeps the state of a higher layer on this PE until the job ends.
  void keep(std::shared_ptr<void> object) { kept_.push_back(std::move(object)); }

  /// Allocates memory of this PE that belongs to no array and that the other PEs of its node can
  /// access. Throws atl::error (out_of_memory) beyond the limit of the PE.
  mapped_block give_block(std::uint64_t bytes) { return {blocks_, bytes}; }

  /// Returns true if a symmetric array has been allocated in this job. Only PE 0 calls this
  /// function.
  bool has_given_symmetric() const { return has_given_symmetric_; }

  /// Returns the number of bytes that all PEs together may allocate.
  std::uint64_t limit() const { return limit_; }

 private:
  void reserve();
  bool looks_up(std::uint64_t offset, std::uint64_t bytes) const;
  bool found(std::uint64_t offset, std::uint64_t serial) const;
  void check_limit(std::uint64_t bytes) const;
  void tell_others_of(std::uint64_t bytes);

  pe& self_;
  bool huge_pages_;
  std::uint64_t limit_ = 0;
  std::string limit_source_;
  std::uint64_t part_bytes_ = 0;
  std::array<std::byte*, 2> bases_{};
  std::byte* reservation_ = nullptr;
  std::uint64_t reservation_bytes_ = 0;
  std::uint64_t held_bytes_ = 0;
  offset_allocator owner_only_;
  offset_allocator symmetric_;
  std::shared_ptr<block_space> blocks_;
  bool has_given_symmetric_ = false;
  struct admitted_array {
    std::uint64_t bytes;
    std::uint64_t serial;
  };
  std::map<std::uint64_t, admitted_array> arrays_;  // by offset
  mutable std::array<range, 4> recent_{};           // ranges looked up, most recent first
  mutable std::array<std::uint64_t, 16> living_{};  // serial numbers of arrays found alive
  std::uint64_t last_serial_ = 0;
  std::map<std::uint64_t, std::shared_ptr<void>> objects_;
  std::vector<std::shared_ptr<void>> kept_;
};

}  // namespace memory
}  // namespace atl
