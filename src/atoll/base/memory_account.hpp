#pragma once
// What one PE holds of the memory that its job may use: data, which is global arrays, its parts of
// containers and what exchanges have brought, and its work, which is tasks and messages that wait
// for room. The setting memory-limit is for all PEs together; each has an equal share of it.

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace atl {

/// Of one PE, and used by that alone.
class memory_account {
 public:
  /// Without a limit.
  memory_account() = default;

  /// A PE that does hardly anything works under the smallest limit that somebody sets.
  static constexpr std::uint64_t usual_least_work = std::uint64_t{4} << 20;

  /// Where the limit is what a control group leaves: so much beside the share may not be there.
  static constexpr std::uint64_t least_work_within(std::uint64_t memory_limit, int pes) noexcept {
    return std::min(usual_least_work, memory_limit / static_cast<std::uint64_t>(pes) / 4);
  }

  /// `memory_limit` as set, in bytes, for `pes` PEs; 0: no limit but that of the machine. Work up
  /// to `least_work` is never refused, and is beside the limit.
  memory_account(std::uint64_t memory_limit, int pes, std::uint64_t least_work = usual_least_work)
      : limit_(memory_limit),
        share_(memory_limit / static_cast<std::uint64_t>(pes)),
        least_(static_cast<std::int64_t>(least_work)) {}

  /// The account of a PE whose work may take `share` bytes, while nothing limits its data.
  static memory_account of_work_alone(std::uint64_t share) {
    memory_account result(share, 1);
    result.limits_data_ = false;
    return result;
  }

  /// Of work. Throws atl::error (out_of_memory) beyond the share, and counts nothing then.
  void charge(std::size_t bytes) {
    if (is_beyond(work_ + static_cast<std::int64_t>(bytes))) [[unlikely]]
      refuse(bytes);
    add(bytes);
  }

  /// Of work that is there already.
  void add(std::size_t bytes) noexcept { work_ += static_cast<std::int64_t>(bytes); }
  void release(std::size_t bytes) noexcept { work_ -= static_cast<std::int64_t>(bytes); }

  /// Global arrays: PE 0 grants them, and the other PEs hear of it soon. Never refused here.
  void add_array(std::size_t bytes) noexcept { arrays_ += static_cast<std::int64_t>(bytes); }
  void release_array(std::size_t bytes) noexcept { arrays_ -= static_cast<std::int64_t>(bytes); }

  /// Of a container that grows where it lies, or of `what` else is data like the arrays, so that
  /// much of it leaves its PE the least that tasks may have. Throws atl::error (out_of_memory)
  /// beyond the share.
  void charge_data(std::size_t bytes, const char* what = "a container's part") {
    const auto all = arrays_ + work_ + static_cast<std::int64_t>(bytes);
    if (limit_ != 0 && limits_data_ && all > static_cast<std::int64_t>(share_)) [[unlikely]]
      refuse_data(bytes, what);
    add_array(bytes);
  }
  void release_data(std::size_t bytes) noexcept { release_array(bytes); }

  /// Bytes. Work counts only when it is more than any PE may have, and then as a whole.
  std::uint64_t held() const noexcept {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(0, arrays_) + beyond_least(work_));
  }

  /// Work takes more than half of what data leaves of the share.
  bool has_much_work() const noexcept {
    return limit_ != 0 && work_ > least_ && 2 * work_ > left_by_data();
  }

  /// There is too much work.
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
  // Of either a release may overtake what it releases.
  std::int64_t work_ = 0;
  std::int64_t arrays_ = 0;
};

}  // namespace atl
