#pragma once
// Chunks of (slot, partial result) pairs for one PE, each as it travels: first all slots, then all
// partial results.

#include "atoll/region/chunk_memory.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

namespace atl::regions {

/// The pairs in a received or finished chunk.
template <class Partial>
class entry_view {
 public:
  explicit entry_view(std::span<const std::byte> chunk)
      : slots_(chunk.data()),
        size_(chunk.size() / (sizeof(std::uint32_t) + sizeof(Partial))),
        values_(chunk.data() + size_ * sizeof(std::uint32_t)) {}

  std::size_t size() const { return size_; }
  std::uint32_t slot(std::size_t k) const { return at<std::uint32_t>(slots_, k); }
  Partial value(std::size_t k) const { return at<Partial>(values_, k); }

 private:
  template <class T>
  static T at(const std::byte* from, std::size_t k) {
    T value;
    std::memcpy(&value, from + k * sizeof(T), sizeof(T));
    return value;
  }

  const std::byte* slots_;
  std::size_t size_;
  const std::byte* values_;
};

/// Appends pairs, in chunks that grow up to what one message takes.
template <class Partial>
class entry_chunks {
 public:
  static constexpr std::size_t k_entry = sizeof(std::uint32_t) + sizeof(Partial);

  bool is_full() const { return left_ == 0; }

  void add(std::uint32_t slot, const Partial& value) {
    std::memcpy(slots_, &slot, sizeof slot);
    std::memcpy(values_, &value, sizeof value);
    slots_ += sizeof slot;
    values_ += sizeof value;
    --left_;
  }

  /// Pairs that the present chunk takes in all.
  std::size_t capacity() const { return capacity_; }

  /// The present chunk, which is full, and its memory again for others.
  std::span<const std::byte> full_chunk() const { return {begin_, capacity_ * k_entry}; }
  void restart() { begin_at(begin_, capacity_); }

  /// Room for more: twice as many as the last time, up to `most`.
  void grow(chunk_memory& memory, std::size_t most) {
    const std::size_t entries = std::min(most, std::max(k_first, 2 * capacity_));
    std::byte* const chunk = memory.take(entries * k_entry);
    close();
    begin_at(chunk, entries);
  }

  /// All pairs so far are in `chunks` then.
  void close() {
    const std::size_t entries = capacity_ - left_;
    if (entries == 0 || begin_ == nullptr) return;
    std::memmove(slots_, begin_ + capacity_ * sizeof(std::uint32_t), entries * sizeof(Partial));
    chunks_.emplace_back(begin_, entries * k_entry);
    begin_ = nullptr;
    left_ = 0;
  }

  std::span<const std::span<const std::byte>> chunks() const { return chunks_; }

 private:
  static constexpr std::size_t k_first = 32;

  void begin_at(std::byte* chunk, std::size_t entries) {
    begin_ = slots_ = chunk;
    values_ = chunk + entries * sizeof(std::uint32_t);
    left_ = capacity_ = entries;
  }

  std::byte* slots_ = nullptr;
  std::byte* values_ = nullptr;
  std::size_t left_ = 0;
  std::size_t capacity_ = 0;
  std::byte* begin_ = nullptr;
  std::vector<std::span<const std::byte>> chunks_;
};

}  // namespace atl::regions
