#pragma once

#include <cstddef>

namespace atl::observe {

/// Zeroed memory that PEs share if they are forked after the object was made. Other processes of
/// the same user find the memory in /proc: the memory is one of the open files of each PE, with the
/// name `name`. The kernel commits each page when it is first written, and frees all pages when the
/// last process ends.
class shared_memory {
 public:
  /// Allocates `bytes` bytes. Throws atl::error (environment) if the kernel refuses the memory. The
  /// text of the error names the memory by `name`.
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
