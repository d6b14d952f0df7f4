#pragma once
// Memory that the PEs of a node share: an anonymous file in memory (memfd). PEs inherit the mapping
// when they are forked, or map the file by a descriptor from another process (descriptor_mail.hpp).
// The kernel allocates memory for a page when the page is first written. The kernel frees all
// memory when the last process has ended, even if a signal has killed the process.

#include <cstddef>

namespace atl::transport::shm {

inline constexpr std::size_t page_size = 4096;
inline constexpr std::size_t huge_page_size = std::size_t{2} << 20;

/// Alignment in bytes of mappings of at least 64 MiB. Mappings of 2 MiB to 64 MiB are aligned to
/// huge pages (2 MiB).
inline constexpr std::size_t largest_alignment = std::size_t{64} << 20;

class mapping {
 public:
  /// Makes and maps `bytes` bytes of zeroed memory. If the kernel refuses, throws `error`
  /// (environment) with a text that contains `purpose`.
  mapping(std::size_t bytes, const char* purpose);

  /// Maps memory of `bytes` bytes that another process has made. The object owns `descriptor` and
  /// closes it, even if the constructor throws.
  mapping(int descriptor, std::size_t bytes, const char* purpose);
  ~mapping();
  mapping(const mapping&) = delete;
  mapping& operator=(const mapping&) = delete;

  std::byte* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }

  /// Returns the file descriptor of the memory. Another process that receives the descriptor can
  /// map the memory.
  int descriptor() const noexcept { return descriptor_; }

 private:
  void map(const char* purpose);

  int descriptor_;
  std::byte* data_ = nullptr;
  std::size_t size_;
};

}  // namespace atl::transport::shm
