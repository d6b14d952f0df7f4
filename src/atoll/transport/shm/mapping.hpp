#pragma once
// Anonymous memory that all PEs of a job share (memfd): mapped before they are started, or by a
// descriptor that a process was handed (descriptor_mail.hpp); gone with the last PE however that
// ends, committed page by page when it is written.

#include <cstddef>

namespace atl::transport::shm {

inline constexpr std::size_t page_size = 4096;
inline constexpr std::size_t huge_page_size = std::size_t{2} << 20;

/// Memory at least as large begins at a multiple of this, other large memory at one of a huge page.
inline constexpr std::size_t largest_alignment = std::size_t{64} << 20;

class mapping {
 public:
  /// Throws `error` (environment), where `purpose` says what the memory was for.
  mapping(std::size_t bytes, const char* purpose);

  /// Maps what another process has made with the same size. Owns the descriptor, also where it
  /// throws.
  mapping(int descriptor, std::size_t bytes, const char* purpose);
  ~mapping();
  mapping(const mapping&) = delete;
  mapping& operator=(const mapping&) = delete;

  std::byte* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }

  /// To be handed to other processes.
  int descriptor() const noexcept { return descriptor_; }

 private:
  void map(const char* purpose);

  int descriptor_;
  std::byte* data_ = nullptr;
  std::size_t size_;
};

}  // namespace atl::transport::shm
