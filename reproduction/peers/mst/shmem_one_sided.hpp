#pragma once
// The memory of one_sided_lists.hpp over OpenSHMEM. The code uses only calls of OpenSHMEM 1.4,
// because few libraries have the calls of later versions.

#include <atomic>
#include <cstddef>
#include <span>

#include "reproduction/peers/mst/one_sided_lists.hpp"
#include "reproduction/peers/mst/shmem_basis.hpp"

namespace bench::mst {

/// The words, the buffer and the window of one process. All processes must make and destroy the
/// object at the same time, because constructor and destructor are collective.
class shmem_memory : public shmem_basis {
 public:
  explicit shmem_memory(std::size_t bytes)
      : bytes_(bytes),
        words_(symmetric<unsigned long>(count_of_words())),
        buffer_(symmetric<std::byte>(bytes)),
        window_(symmetric<std::byte>(bytes)) {
    std::fill_n(words_, count_of_words(), 0ul);
    shmem_barrier_all();
  }
  ~shmem_memory() {
    shmem_barrier_all();
    shmem_free(window_);
    shmem_free(buffer_);
    shmem_free(words_);
  }
  shmem_memory(const shmem_memory&) = delete;
  shmem_memory& operator=(const shmem_memory&) = delete;

  std::size_t bytes() const { return bytes_; }
  std::byte* buffer() const { return buffer_; }
  std::byte* window() const { return window_; }

  static void publish() {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    shmem_fence();
  }

  void put_word(std::size_t word, int pe, std::uint64_t value) {
    shmem_fence();
    shmem_ulong_p(words_ + word, value, pe);
  }

  void add(std::size_t word, int pe, std::uint64_t value) {
    (void)shmem_ulong_atomic_fetch_add(words_ + word, value, pe);
  }

  std::uint64_t wait(std::size_t word, std::uint64_t least) {
    shmem_ulong_wait_until(words_ + word, SHMEM_CMP_GE, least);
    return std::atomic_ref(words_[word]).load();
  }

  void begin_get(std::span<std::byte> to, int pe, std::size_t offset) {
    shmem_getmem_nbi(to.data(), buffer_ + offset, to.size(), pe);
  }

  void put(int pe, std::size_t offset, std::span<const std::byte> from) {
    shmem_putmem(window_ + offset, from.data(), from.size(), pe);
  }

  static void complete(int) { shmem_quiet(); }

 private:
  static std::size_t count_of_words() { return k_announced + static_cast<std::size_t>(pes()); }

  const std::size_t bytes_;
  unsigned long* const words_;
  std::byte* const buffer_;
  std::byte* const window_;
};

using shmem_one_sided = one_sided_lists<shmem_memory>;

}  // namespace bench::mst
