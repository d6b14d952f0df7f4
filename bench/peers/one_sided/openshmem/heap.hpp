#pragma once
// One-sided operations of OpenSHMEM on an area of the symmetric heap. The class of this file has
// the interface `wire` that transfers.hpp describes.

#include <shmem.h>

#include <cstddef>
#include <cstdint>

#include "peers/one_sided/library.hpp"

namespace bench::one_sided {

class symmetric_heap {
 public:
  symmetric_heap(library& all, std::size_t bytes)
      : area_(all.memory(bytes)), word_(reinterpret_cast<long*>(area_)) {}

  std::byte* area() const { return area_; }

  void put(const std::byte* from, std::size_t offset, std::size_t bytes, std::size_t pe) {
    shmem_putmem(area_ + offset, from, bytes, static_cast<int>(pe));
    shmem_quiet();
  }
  void get(std::byte* to, std::size_t offset, std::size_t bytes, std::size_t pe) {
    shmem_getmem(to, area_ + offset, bytes, static_cast<int>(pe));
  }
  void start_put(const std::byte* from, std::size_t offset, std::size_t bytes, std::size_t pe) {
    shmem_putmem_nbi(area_ + offset, from, bytes, static_cast<int>(pe));
  }
  void start_get(std::byte* to, std::size_t offset, std::size_t bytes, std::size_t pe) {
    shmem_getmem_nbi(to, area_ + offset, bytes, static_cast<int>(pe));
  }
  void complete(std::size_t) { shmem_quiet(); }

  std::int64_t add(std::size_t pe) {
    return shmem_long_atomic_fetch_add(word_, 1, static_cast<int>(pe));
  }

  void put_word(std::int64_t value, std::size_t pe) {
    shmem_fence();
    shmem_long_p(word_, value, static_cast<int>(pe));
  }
  std::int64_t wait_word(std::int64_t old) {
    shmem_long_wait_until(word_, SHMEM_CMP_NE, old);
    return word();
  }
  std::int64_t word() {
    long value = 0;
    shmem_long_get(&value, word_, 1, shmem_my_pe());
    return value;
  }
  void synchronise() { shmem_quiet(); }

 private:
  std::byte* area_;
  long* word_;
};

}  // namespace bench::one_sided
