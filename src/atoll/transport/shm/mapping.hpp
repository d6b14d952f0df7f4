#pragma once
// Memory without a file name (memfd) that all PEs of a job share. PEs inherit the mapping when they
// are forked, or map the memory by a descriptor from another process (descriptor_mail.hpp). The
// kernel commits each page when it is first written. The kernel frees the memory when the last
// process ends, even if a signal kills the process.

#include <cstddef>

namespace atl::transport::shm {

inline constexpr std::size_t page_size = 4096;
inline constexpr std::size_t huge_page_size = std::size_t{2} << 20;

/// Alignment in bytes of mappings that have at least this size. Mappings from 2 MiB up to this size
/// are aligned to huge pages.
inline constexpr std::size_t largest_alignment = std::size_t{64} << 20;

class mapping {
 public:
  /// Makes and maps `bytes` bytes of zeroed memory. Throws `error` (environment) if the kernel
  /// refuses; the text names the memory by `purpose`.
  mapping(std::size_t bytes, const char* purpose);

  /// Maps memory of the same size that another process has made. The object closes `descriptor`,
  /// even if the constructor throws.
  mapping(int descriptor, std::size_t bytes, const char* purpose);
  ~mapping();
  mapping(const mapping&) = delete;
  mapping& operator=(const mapping&) = delete;

  std::byte* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }

  /// Returns the descriptor of the memory, with which other processes can map it.
  int descriptor() const noexcept { return descriptor_; }

 private:
  void map(const char* purpose);

  int descriptor_;
  std::byte* data_ = nullptr;
  std::size_t size_;
};

}  // namespace atl::transport::shm
