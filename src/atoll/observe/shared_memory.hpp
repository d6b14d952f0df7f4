#pragma once

#include <cstddef>

namespace atl::observe {

/// Zeroed memory, shared by PEs forked after it was made. Other processes of the same user find it
/// by its name among the descriptors of any PE. The memory is committed page by page when written,
/// and freed with the last process.
class shared_memory {
 public:
  /// Throws atl::error (environment); `name` says in its text what the memory was for.
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
