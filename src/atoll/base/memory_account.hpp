#pragma once
// Memory that one PE uses of the memory of its job. Data are global arrays, parts of containers and
// results of exchanges. Work is tasks, and messages that wait for room. The setting memory-limit is
// for all PEs together; each has an equal share.

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace atl {

/// The account of one PE, used by that PE alone.
class memory_account {
 public:
  /// Makes an account without a limit.
  memory_account() = default;

  /// Work that is never refused, so that a nearly idle PE works under any limit.
  static constexpr std::uint64_t usual_least_work = std::uint64_t{4} << 20;

  /// Returns the work that is never refused if a control group sets the limit. Memory in addition
  /// to the share may not exist then.
  static constexpr std::uint64_t least_work_within(std::uint64_t memory_limit, int pes) noexcept {
    return std::min(usual_least_work, memory_limit / static_cast<std::uint64_t>(pes) / 4);
  }

  /// Makes the account of one of `pes` PEs. `memory_limit` is the setting in bytes; 0: only the
  /// machine's limit. Work of at most `least_work` bytes is never refused, and does not count
  /// against the limit.
  memory_account(std::uint64_t memory_limit, int pes, std::uint64_t least_work = usual_least_work)
      : limit_(memory_limit),
        share_(memory_limit / static_cast<std::uint64_t>(pes)),
        least_(static_cast<std::int64_t>(least_work)) {}

  /// Makes the account of a PE whose work may take `share` bytes, while its data has no limit.
  static memory_account of_work_alone(std::uint64_t share) {
    memory_account result(share, 1);
    result.limits_data_ = false;
    return result;
  }

  /// Charges work. Throws atl::error (out_of_memory) beyond the share, and then charges nothing.
  void charge(std::size_t bytes) {
    if (is_beyond(work_ + static_cast<std::int64_t>(bytes))) [[unlikely]]
      refuse(bytes);
    add(bytes);
  }

  /// Adds work that exists already.
  void add(std::size_t bytes) noexcept { work_ += static_cast<std::int64_t>(bytes); }
  void release(std::size_t bytes) noexcept { work_ -= static_cast<std::int64_t>(bytes); }

  /// Adds memory of global arrays, which PE 0 grants; other PEs learn of it soon. Never refused
  /// here.
  void add_array(std::size_t bytes) noexcept { arrays_ += static_cast<std::int64_t>(bytes); }
  void release_array(std::size_t bytes) noexcept { arrays_ -= static_cast<std::int64_t>(bytes); }

  /// Charges data: growth of a container, or `what`, which is large enough to leave its PE only the
  /// least memory for tasks. Throws atl::error (out_of_memory) beyond the share.
  void charge_data(std::size_t bytes, const char* what = "a container's part") {
    const auto all = arrays_ + work_ + static_cast<std::int64_t>(bytes);
    if (limit_ != 0 && limits_data_ && all > static_cast<std::int64_t>(share_)) [[unlikely]]
      refuse_data(bytes, what);
    add_array(bytes);
  }
  void release_data(std::size_t bytes) noexcept { release_array(bytes); }

  /// Returns the bytes held. Work counts only if it exceeds the least that any PE may have, and
  /// then as a whole.
  std::uint64_t held() const noexcept {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(0, arrays_) + beyond_least(work_));
  }

  /// Returns whether work takes more than half of the share that data leaves.
  bool has_much_work() const noexcept {
    return limit_ != 0 && work_ > least_ && 2 * work_ > left_by_data();
  }

  /// Returns whether work exceeds the share that data leaves.
  bool is_exceeded() const noexcept { return is_beyond(work_); }

 private:
  std::int64_t left_by_data() const noexcept {
    return static_cast<std::int64_t>(share_) - (limits_data_ ? arrays_ : 0);
  }
  std::int64_t beyond_least(std::int64_t work) const noexcept { return work > least_ ? work : 0; }
  bool is_beyond(std::int64_t work) const noexcept {
    return limit_ != 0 && work > least_ && work > left_by_data();
  }
  [[noreturn]] void refuse(std::size_t bytes) const;
  [[noreturn]] void refuse_data(std::size_t bytes, const char* what) const;

  std::uint64_t limit_ = 0;
  std::uint64_t share_ = 0;
  bool limits_data_ = true;
  std::int64_t least_ = static_cast<std::int64_t>(usual_least_work);
  // Both may be negative for a while, because a release may overtake its addition.
  std::int64_t work_ = 0;
  std::int64_t arrays_ = 0;
};

}  // namespace atl
