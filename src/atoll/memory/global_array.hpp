#pragma once
// One array over all PEs. The handle is a small trivially copyable value: capture it, send it.

#include "atoll/base/bits.hpp"
#include "atoll/memory/checks.hpp"
#include "atoll/memory/loops.hpp"

#include <algorithm>
#include <span>

namespace atl {

/// An array of `size()` zero-initialised T in blocks of `block_size()` elements, dealt round-robin
/// to the PEs. Without a block size there is one block for each PE.
template <class T>
class global_array {
  static_assert(std::is_trivially_copyable_v<T>,
                "elements of global memory are trivially copyable");

 public:
  global_array() = default;
  global_array(std::uint64_t offset, std::uint64_t size, std::uint64_t block_size, int pes)
      : offset_(offset), size_(size), block_(block_size), pes_(static_cast<std::uint64_t>(pes)) {}

  /// What of it travels where bytes count: the rest follows. Of a job with so many PEs as this one.
  struct shape {
    std::uint64_t offset;
    std::uint64_t size;
    std::uint64_t block_size;
  };
  explicit global_array(const shape& of) : global_array(of.offset, of.size, of.block_size, pes()) {}
  shape compact() const { return {offset_, size_, block_size()}; }

  std::uint64_t size() const { return size_; }
  std::uint64_t block_size() const { return block_.divisor(); }

  /// The address of element `i`. Any PE; does not communicate. Throws atl::error (input) where
  /// there is no such element.
  [[gnu::always_inline]] global_address<T> operator[](memory::element_index i) const {  // NOLINT
    const auto [pe, offset] = place_of(i.number, i.where);
    return {pe, offset};
  }

  /// An address in its two parts.
  struct place {
    int pe;
    std::uint64_t offset;
  };

  /// The same as the address of element `i`.
  [[gnu::always_inline]] place place_of(std::uint64_t i, site where = site::current()) const {
    if (i >= size_) [[unlikely]]
      memory::refuse_elements(i, 1, size_, where);
    const auto [block, within] = block_.split(i);
    if (block < pes_.divisor()) return {static_cast<int>(block), offset_ + within * sizeof(T)};
    const auto [row, pe] = pes_.split(block);
    return {static_cast<int>(pe), offset_ + (row * block_.divisor() + within) * sizeof(T)};
  }

  /// Calls `function(stretch_of)` with a function that tells the stretch of element `i`, or -1
  /// where there is no such element: the memory of each PE has 2^`log2_stretches`, those of PE 0
  /// come first. In two forms, as for arrays of one block a PE, whose size is a power of two, that
  /// is a shift.
  template <class Function>
  [[gnu::always_inline]] void with_stretch_of(unsigned log2_stretches,
                                              const Function& function) const {
    if (const auto power = block_.power();
        power && *power >= log2_stretches && has_one_block_a_pe()) {
      function([shift = *power - log2_stretches, size = size_](std::uint64_t i) __attribute__((
                   always_inline)) { return i < size ? static_cast<int>(i >> shift) : -1; });
    } else {
      const unsigned shift = ceil_log2(std::max<std::uint64_t>(1, bytes_a_pe())) - log2_stretches;
      function([array = *this, shift, log2_stretches](std::uint64_t i) {
        if (i >= array.size_) return -1;
        const auto [pe, offset] = array.place_of(i);
        if (log2_stretches == 0) return pe;
        return pe << log2_stretches | static_cast<int>((offset - array.offset_) >> shift);
      });
    }
  }

  /// Calls `function(element_at)` with a function that finds an element of this PE by its index: in
  /// two forms, as for arrays of one block a PE that is a subtraction, done before.
  template <class Function>
  void with_own_elements(const Function& function) const {
    const auto first = reinterpret_cast<std::uintptr_t>(&object_at<T>(offset_));
    if (has_one_block_a_pe()) {
      const std::uintptr_t zeroth = first - index_of_local(0) * sizeof(T);
      function([zeroth](std::uint64_t i) -> T& {
        return *reinterpret_cast<T*>(zeroth + i * sizeof(T));
      });
    } else {
      function([first, array = *this](std::uint64_t i) -> T& {
        return *reinterpret_cast<T*>(first + (array.place_of(i).offset - array.offset_));
      });
    }
  }

  /// The elements of this PE, in the order of their indices. Throws atl::error (input) where the
  /// array was destroyed.
  std::span<T> local(site where = site::current()) const {
    const atl::pe& self = pe_of_job("local", where);
    const std::span<T> mine(self.memory == nullptr ? nullptr : &object_at<T>(offset_),
                            elements_of(self.rank));
    if (!mine.empty()) memory::check_access(self.rank, offset_, mine.size_bytes(), where);
    return mine;
  }

  /// The index of the k-th local element of this PE.
  std::uint64_t index_of_local(std::uint64_t k) const {
    const auto [row, within] = block_.split(k);
    const auto block = row * pes_.divisor() + static_cast<std::uint64_t>(my_pe());
    return block * block_.divisor() + within;
  }

  /// How many elements PE `pe` holds.
  std::uint64_t elements_of(int pe) const {
    const std::uint64_t whole_blocks = size_ / block_.divisor();
    const auto rank = static_cast<std::uint64_t>(pe);
    const std::uint64_t rows = whole_blocks / pes_.divisor();
    const std::uint64_t rest = whole_blocks % pes_.divisor();
    const std::uint64_t blocks = rows + (rank < rest ? 1 : 0);
    return blocks * block_.divisor() + (rank == rest ? size_ % block_.divisor() : 0);
  }

  /// Bytes of it on each PE.
  std::uint64_t bytes_a_pe() const {
    return ceil_divide(ceil_divide(size_, block_.divisor()), pes_.divisor()) * block_.divisor() *
           sizeof(T);
  }

  /// Tells whether the elements are there.
  memory::lifetime life() const { return memory::lifetime(offset_); }

  /// Gives the memory back, on all PEs. One task, once; nothing may use the array any more. Throws
  /// atl::error (input) where that was done before.
  task<> destroy(site where = site::current()) const {
    memory::check_destroyed_once(offset_, bytes_a_pe(), where);
    co_await memory::release_everywhere(offset_, bytes_a_pe(), where);
  }

 private:
  bool has_one_block_a_pe() const { return size_ <= block_.divisor() * pes_.divisor(); }

  std::uint64_t offset_ = 0;
  std::uint64_t size_ = 0;
  fast_divisor block_;
  fast_divisor pes_;
};

/// async_update of element `i` of the array, in fewer steps than by its address. Throws atl::error
/// (input), too, where there is no such element.
template <class T, class Function>
[[gnu::always_inline]] inline void async_update(const global_array<T>& array, std::uint64_t i,
                                                Function function, site where = site::current()) {
  const auto [owner, offset] = array.place_of(i, where);
  memory::check_access_in_debug(owner, offset, sizeof(T), where);
  memory::async_update_at<T>(owner, offset, function, where);
}

/// What `make_array` may be told.
struct array_options {
  std::uint64_t block_size = 0;  ///< elements; 0: one block a PE
  placement where = placement::owner_only;

  array_options() = default;
  array_options(placement where_) : where(where_) {}
  array_options(std::uint64_t block_size_, placement where_ = placement::owner_only)
      : block_size(block_size_), where(where_) {}
};

/// Makes an array for all PEs. One task calls it; it waits for PE 0, which gives out the memory.
/// Throws atl::error (out_of_memory) before anything is touched if the job would exceed its
/// limit.
template <class T>
task<global_array<T>> make_array(std::uint64_t size, array_options options = {},
                                 site where = site::current()) {
  const auto all = static_cast<std::uint64_t>(pes());
  const std::uint64_t block = options.block_size != 0
                                  ? options.block_size
                                  : std::max<std::uint64_t>(1, ceil_divide(size, all));
  const std::uint64_t rows = ceil_divide(ceil_divide(size, block), all);
  memory::check_addressable(rows, block, sizeof(T));
  const std::uint64_t bytes = rows * block * sizeof(T);
  const std::uint64_t offset = co_await memory::allocate_everywhere(bytes, options.where, where);
  co_return global_array<T>(offset, size, block, pes());
}

}  // namespace atl
