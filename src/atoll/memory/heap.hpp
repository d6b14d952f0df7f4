#pragma once
// The heap is the part of the global memory that lies on one PE. The heap reserves address space
// when the PE starts. The system provides physical memory for a page when the page is first
// touched. An allocation has the same offset on all PEs. Offsets below `k_symmetric` form the
// owner-only part, which is private memory of the PE. The first 2 MiB of the owner-only part are
// for small arrays and use pages of the usual size; the rest uses huge pages. The symmetric segment
// begins at `k_symmetric`. The symmetric segment is shared memory, which the other PEs of the same
// machine may read and write directly.
//
// PE 0 chooses the offsets of all arrays, so that all PEs agree (see atoll/array.hpp). Each PE
// allocates its own blocks (mapped_block.hpp).

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
  /// private memory of each PE, with the fastest random access; other PEs can access this memory
  /// only by delegates
  owner_only,
  /// a shared segment per PE; other PEs may also access this memory by one-sided puts and gets
  symmetric
};

namespace memory {

inline constexpr std::uint64_t k_symmetric = std::uint64_t{1} << 46;

class heap {
 public:
  /// Reserves the address space. `memory` is the memory status of the machine when the job began.
  heap(pe& self, const settings& options, const memory_status& memory);
  ~heap();
  heap(const heap&) = delete;
  heap& operator=(const heap&) = delete;

  /// Returns the address on this PE of the byte at `offset` of the global memory.
  std::byte* local(std::uint64_t offset) const { return bases_[offset / k_symmetric] + offset; }

  /// Allocates `bytes` bytes at the same offset on every PE, and returns the offset. Only PE 0
  /// calls this function. `charged` is the number of bytes that are charged to the memory limit of
  /// each PE; 0 means `bytes`. Throws atl::error (out_of_memory) if the job would exceed its limit.
  /// The function checks the limit before any memory is touched.
  std::uint64_t allocate(std::uint64_t bytes, placement where, std::uint64_t charged = 0);

  /// Frees the memory that `allocate` returned as `offset`. Only PE 0 calls this function, after
  /// every PE has called `discard`.
  void release(std::uint64_t offset);

  /// Returns a new serial number, which no other array of the job has. Only PE 0 calls this
  /// function.
  std::uint64_t next_serial() { return ++last_serial_; }

  /// Records that a global array of `bytes` bytes begins at `offset`. Every PE calls this function.
  /// Later, `discard` removes the record. `serial` is the serial number of the array. If `serial`
  /// is 0, handles of the array are not checked.
  void admit(std::uint64_t offset, std::uint64_t bytes, std::uint64_t serial = 0);

  /// Returns the serial number of the array that begins at `offset`. Returns 0 if no array begins
  /// at `offset`.
  std::uint64_t serial_at(std::uint64_t offset) const;

  /// Returns true if the array with this serial number, which began at `offset`, has not been
  /// discarded. Any PE may call this function.
  bool lives(std::uint64_t offset, std::uint64_t serial) const {
    return serial != 0 && (living_[serial % living_.size()] == serial || found(offset, serial));
  }

  /// Returns true if an array of `bytes` bytes begins at `offset`. Any PE may call this function.
  bool has_array(std::uint64_t offset, std::uint64_t bytes) const;

  /// Adds `bytes` to the number of bytes of data that this PE holds. `let_go` subtracts `bytes`
  /// again. For arrays, `admit` calls `hold`, and `discard` calls `let_go`.
  void hold(std::uint64_t bytes);
  void let_go(std::uint64_t bytes) { held_bytes_ -= bytes; }

  /// Returns true if the `bytes` bytes at `offset` lie in one global array. The result is the same
  /// on every PE. Any PE may call this function.
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
  /// array before `offset`. If no array lies before `offset`, returns an empty range.
  range array_at(std::uint64_t offset) const;

  /// Removes the record of an array, and returns the array's memory to the system. Reads of the
  /// memory return zeros afterwards. Every PE calls this function.
  void discard(std::uint64_t offset, std::uint64_t bytes, std::uint64_t charged = 0);

  /// Keeps an object alive until `destroy_object(offset)` or the end of the job. The object's
  /// address is stored at `offset` of this PE's heap. Every PE calls this function.
  void own_object(std::uint64_t offset, std::shared_ptr<void> object) {
    objects_[offset] = std::move(object);
  }
  void destroy_object(std::uint64_t offset) { objects_.erase(offset); }

  /// Keeps an object, which holds the state of a higher layer, alive until the job ends.
  void keep(std::shared_ptr<void> object) { kept_.push_back(std::move(object)); }

  /// Allocates memory of this PE that other PEs of the node can access directly. The memory belongs
  /// to no array. Throws atl::error (out_of_memory) if the PE would exceed its limit.
  mapped_block give_block(std::uint64_t bytes) { return {blocks_, bytes}; }

  /// Returns true if a symmetric array has been allocated in this job. Only PE 0 calls this
  /// function.
  bool has_given_symmetric() const { return has_given_symmetric_; }

  /// Returns the memory limit of the job in bytes.
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
  // arrays found by the latest look-ups, most recent first
  mutable std::array<range, 4> recent_{};
  mutable std::array<std::uint64_t, 16> living_{};  // cache of serial numbers of arrays that exist
  std::uint64_t last_serial_ = 0;
  std::map<std::uint64_t, std::shared_ptr<void>> objects_;
  std::vector<std::shared_ptr<void>> kept_;
};

}  // namespace memory
}  // namespace atl
