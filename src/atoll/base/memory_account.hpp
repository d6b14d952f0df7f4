#pragma once
// What one PE holds of the memory that its job may use: global arrays, tasks, and messages that
// wait for room. The setting memory-limit is for all PEs together; each has an equal share of it.

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace atl {

/// Of one PE, and used by that alone.
class memory_account {
 public:
  /// Without a limit.
  memory_account() = default;

  /// `memory_limit` as set, in bytes, for `pes` PEs; 0: no limit but that of the machine.
  memory_account(std::uint64_t memory_limit, int pes)
      : limit_(memory_limit), share_(memory_limit / static_cast<std::uint64_t>(pes)) {}

  /// For what tasks need. Throws atl::error (out_of_memory) beyond the share, and counts nothing.
  void charge(std::size_t bytes) {
    if (limit_ != 0 && held_ + signed_(bytes) > most_for_tasks()) [[unlikely]]
      refuse(bytes);
    held_ += signed_(bytes);
  }

  /// For what has its own limit, and is there already.
  void add(std::size_t bytes) noexcept { held_ += signed_(bytes); }
  void release(std::size_t bytes) noexcept { held_ -= signed_(bytes); }

  /// Bytes. Global arrays count everywhere soon after PE 0 has granted them.
  std::uint64_t held() const noexcept { return held_ < 0 ? 0 : static_cast<std::uint64_t>(held_); }

  bool is_exceeded() const noexcept { return limit_ != 0 && held_ > most_for_tasks(); }

  /// The sentence for an error: what this PE holds, and what it may.
  [[noreturn]] void refuse(std::size_t bytes) const;

 private:
  // A program that has hardly a task runs under the smallest limit.
  static constexpr std::int64_t k_least = std::int64_t{4} << 20;

  static std::int64_t signed_(std::size_t bytes) { return static_cast<std::int64_t>(bytes); }
  std::int64_t most_for_tasks() const noexcept {
    return std::max(k_least, static_cast<std::int64_t>(share_));
  }

  std::uint64_t limit_ = 0;
  std::uint64_t share_ = 0;
  std::int64_t held_ = 0;  // a release may overtake what it releases
};

}  // namespace atl
