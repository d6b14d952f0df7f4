#pragma once
// Anonymous memory that all PEs of a job share (memfd). It is mapped before the PEs are started, or
// by a descriptor from another process (descriptor_mail.hpp). The memory is freed with its last PE,
// however that ends, and committed page by page when written.

#include <cstddef>

namespace atl::transport::shm {

inline constexpr std::size_t page_size = 4096;
inline constexpr std::size_t huge_page_size = std::size_t{2} << 20;

/// Memory of this size or more begins at a multiple of it; smaller large memory begins at a huge
/// page.
inline constexpr std::size_t largest_alignment = std::size_t{64} << 20;

class mapping {
 public:
  /// Throws `error` (environment); `purpose` says in its text what the memory was for.
  mapping(std::size_t bytes, const char* purpose);

  /// Maps memory that another process has made with the same size. Owns the descriptor, even if
  /// this throws.
  mapping(int descriptor, std::size_t bytes, const char* purpose);
  ~mapping();
  mapping(const mapping&) = delete;
  mapping& operator=(const mapping&) = delete;

  std::byte* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }

  /// Descriptor to hand to other processes.
  int descriptor() const noexcept { return descriptor_; }

 private:
  void map(const char* purpose);

  int descriptor_;
  std::byte* data_ = nullptr;
  std::size_t size_;
};

}  // namespace atl::transport::shm
