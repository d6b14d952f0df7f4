#pragma once
// What the PEs have sent to one of them: a part each, where it arrived.

#include "atoll/memory/reached_block.hpp"

#include <memory>
#include <span>
#include <vector>

namespace atl {
namespace memory {

/// Bytes that were sent here, in memory that is theirs.
class received_bytes {
 public:
  received_bytes() = default;
  explicit received_bytes(std::uint64_t size)
      : own_(std::make_unique_for_overwrite<std::byte[]>(size)), all_(own_.get(), size) {}
  received_bytes(reached_block block, std::uint64_t size)
      : block_(std::move(block)), all_(block_.data(), size) {}

  std::span<std::byte> all() const { return all_; }
  const reached_block& block() const { return block_; }

 private:
  std::unique_ptr<std::byte[]> own_;
  reached_block block_;
  std::span<std::byte> all_;
};

}  // namespace memory

/// What each PE has sent to this one: a range of spans, by PE. Used on its PE only; the elements
/// end with it.
template <class T>
class received_parts {
  static_assert(std::is_trivially_copyable_v<T>, "what travels must be trivially copyable");
  static_assert(alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__, "parts have this alignment");

 public:
  received_parts() = default;
  explicit received_parts(std::vector<memory::received_bytes> from) : from_(std::move(from)) {
    for (const auto& part : from_) {
      const auto bytes = part.all();
      parts_.emplace_back(reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T));
    }
  }

  /// PEs; 0 where nothing is received here.
  std::size_t size() const { return parts_.size(); }
  std::span<const T> operator[](std::size_t pe) const { return parts_[pe]; }
  auto begin() const { return parts_.begin(); }
  auto end() const { return parts_.end(); }

 private:
  std::vector<memory::received_bytes> from_;
  std::vector<std::span<const T>> parts_;
};

}  // namespace atl
