#pragma once
// Anonymous memory that all PEs of a job share (memfd): mapped before they are started, gone with
// the last of them however they end, committed page by page when it is written.

#include "atoll/base/namespace.hpp"

#include <cstddef>

namespace atoll::transport::shm {

inline constexpr std::size_t page_size = 4096;

class mapping {
 public:
  /// Throws `error` (environment), where `purpose` says what the memory was for.
  mapping(std::size_t bytes, const char* purpose);
  ~mapping();
  mapping(const mapping&) = delete;
  mapping& operator=(const mapping&) = delete;

  std::byte* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }

 private:
  std::byte* data_;
  std::size_t size_;
};

}  // namespace atoll::transport::shm
