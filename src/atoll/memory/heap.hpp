#pragma once
// The global memory of one PE. Address space is reserved when the PE starts, and memory is
// committed when it is touched. An allocation has the same offset on all PEs. Below `k_symmetric`
// lies the owner-only part: private memory, with huge pages after the first 2 MiB, which are for
// small arrays. The symmetric segment begins there: shared memory that the other PEs of the machine
// may read and write directly.
//
// PE 0 gives out the offsets of arrays, so that they agree; see atoll/array.hpp. Each PE gives out
// its own blocks (reached_block.hpp).

#include "atoll/base/pe.hpp"
#include "atoll/machine.hpp"
#include "atoll/memory/reached_block.hpp"
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

/// The memory in which the elements of a global array lie.
enum class placement : std::uint8_t {
  owner_only,  ///< private memory of each PE: fastest random access, reached by delegates
  symmetric    ///< a shared segment per PE: also for one-sided access by other PEs
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

  /// Returns the address of `offset` of the global memory on this PE.
  std::byte* local(std::uint64_t offset) const { return bases_[offset / k_symmetric] + offset; }

  /// PE 0 only: returns an offset for `bytes` bytes on every PE. Each PE is charged with `charged`
  /// bytes, or with all if that is 0. Throws atl::error (out_of_memory) if the job would exceed its
  /// limit, before memory is touched.
  std::uint64_t allocate(std::uint64_t bytes, placement where, std::uint64_t charged = 0);

  /// PE 0 only: frees the offset, after `discard` on every PE.
  void release(std::uint64_t offset);

  /// PE 0 only: returns a number that no other array of the job gets.
  std::uint64_t next_serial() { return ++last_serial_; }

  /// Every PE: records the bytes at `offset` as a global array until `discard`. An array whose
  /// handles may be checked has a serial number.
  void admit(std::uint64_t offset, std::uint64_t bytes, std::uint64_t serial = 0);

  /// Returns the serial number of the array that begins at `offset`, or 0 if there is none.
  std::uint64_t serial_at(std::uint64_t offset) const;

  /// Any PE: returns true if the array with this number, which began at `offset`, has not been
  /// discarded.
  bool lives(std::uint64_t offset, std::uint64_t serial) const {
    return serial != 0 && (living_[serial % living_.size()] == serial || found(offset, serial));
  }

  /// Any PE: returns true if an array of `bytes` bytes begins at `offset`.
  bool has_array(std::uint64_t offset, std::uint64_t bytes) const;

  /// Adds `bytes` to the data that this PE holds; `let_go` subtracts them. Arrays are counted
  /// without it.
  void hold(std::uint64_t bytes);
  void let_go(std::uint64_t bytes) { held_bytes_ -= bytes; }

  /// Any PE, for every PE: returns true if the bytes at `offset` lie in one global array.
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
  /// Returns the array that contains `offset`, or the nearest array before it, or an empty range.
  range array_at(std::uint64_t offset) const;

  /// Every PE: returns the memory to the system; it reads as zero afterwards.
  void discard(std::uint64_t offset, std::uint64_t bytes, std::uint64_t charged = 0);

  /// Every PE: keeps the object whose address stands at `offset` until `destroy_object`, or until
  /// the job ends.
  void own_object(std::uint64_t offset, std::shared_ptr<void> object) {
    objects_[offset] = std::move(object);
  }
  void destroy_object(std::uint64_t offset) { objects_.erase(offset); }

  /// Keeps the state of a higher layer on this PE until the job ends.
  void keep(std::shared_ptr<void> object) { kept_.push_back(std::move(object)); }

  /// Allocates memory of this PE that the PEs of its node can access and that belongs to no array.
  /// Throws atl::error (out_of_memory) beyond the limit of the PE.
  reached_block give_block(std::uint64_t bytes) { return {blocks_, bytes}; }

  /// PE 0 only: returns true if there has been a symmetric array in this job.
  bool has_given_symmetric() const { return has_given_symmetric_; }

  /// Returns the bytes that all PEs together may allocate.
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
  std::map<std::uint64_t, admitted_array> arrays_;  // by their offsets
  mutable std::array<range, 4> recent_{};           // most recent first
  mutable std::array<std::uint64_t, 16> living_{};  // serial numbers that were asked for
  std::uint64_t last_serial_ = 0;
  std::map<std::uint64_t, std::shared_ptr<void>> objects_;
  std::vector<std::shared_ptr<void>> kept_;
};

}  // namespace memory
}  // namespace atl
