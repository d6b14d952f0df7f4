#pragma once

#include <cstddef>

namespace atl::observe {

/// Zeroed memory that the PEs forked after it was made share, and that other processes of the same
/// user find by its name among the descriptors of any of them. Committed page by page when written;
/// gone with the last process.
class shared_memory {
 public:
  /// Throws atl::error (environment), where `name` says what the memory was for.
  shared_memory(const char* name, std::size_t bytes);
  ~shared_memory();
  shared_memory(const shared_memory&) = delete;
  shared_memory& operator=(const shared_memory&) = delete;

  std::byte* data() const noexcept { return data_; }

 private:
  int descriptor_;
  std::byte* data_ = nullptr;
  std::size_t bytes_;
};

}  // namespace atl::observe
