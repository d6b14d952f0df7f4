#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace atl {
class memory_account;
}

namespace atl::regions {

/// Zeroed memory of this PE for data, in huge pages where it is large; it counts against the memory
/// limit as global arrays do. May outlive the job of its PE, whose account does, too.
class own_memory {
 public:
  own_memory() = default;
  /// Throws atl::error (out_of_memory).
  explicit own_memory(std::uint64_t bytes);
  own_memory(own_memory&& other) noexcept { *this = std::move(other); }
  own_memory& operator=(own_memory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    std::swap(account_, other.account_);
    return *this;
  }
  ~own_memory();

  std::byte* data() const { return data_; }
  std::uint64_t bytes() const { return bytes_; }

 private:
  std::byte* data_ = nullptr;
  std::uint64_t bytes_ = 0;
  memory_account* account_ = nullptr;
};

}  // namespace atl::regions
