#pragma once
// Arrays in private memory, in huge pages if the kernel provides huge pages. Most programs touch an
// array before they measure, so that their times include no page faults.

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

namespace bench {

/// Zeroed memory that is aligned to 2 MiB and requests huge pages (MADV_HUGEPAGE). The first access
/// allocates the pages. Throws std::runtime_error if the memory cannot be mapped.
class huge_block {
 public:
  huge_block() = default;
  explicit huge_block(std::size_t bytes);
  huge_block(huge_block&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  huge_block& operator=(huge_block&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~huge_block();

  std::byte* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }
  /// Writes to every page, so that the pages are allocated before the measurement, near the calling
  /// thread.
  void touch() const;

 private:
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

template <class T>
class huge_array {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  huge_array() = default;
  explicit huge_array(std::size_t size) : block_(size * sizeof(T)), size_(size) {}

  T* data() const { return reinterpret_cast<T*>(block_.data()); }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) const { return data()[i]; }
  T* begin() const { return data(); }
  T* end() const { return data() + size_; }
  void touch() const { block_.touch(); }

 private:
  huge_block block_;
  std::size_t size_ = 0;
};

/// Throws std::runtime_error if the machine has less than `bytes` bytes of available memory
/// (MemAvailable). If memory is not checked in advance, the kernel may kill the process while the
/// process touches the memory.
void require_memory(double bytes);

/// Returns how many bytes of this process are in huge pages now (AnonHugePages of
/// /proc/self/smaps_rollup).
double bytes_in_huge_pages();

}  // namespace bench
