#pragma once
// A memory account counts the bytes of the job's memory that one PE uses. Each byte counts as data
// or as work. Global arrays, parts of containers, and results of data exchanges count as data.
// Tasks, and messages that wait for network buffers, count as work. The setting memory-limit bounds
// all PEs together, and each PE has an equal share.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace atl {

/// The account of one PE. Only the PE that owns the account may use the object.
class memory_account {
 public:
  /// Makes an account without a limit.
  memory_account() = default;

  /// Bytes that every PE may use for tasks and messages, even if the memory limit is smaller. A PE
  /// with few tasks can therefore run under any limit.
  static constexpr std::uint64_t usual_least_work = std::uint64_t{4} << 20;

  /// Returns the bytes that every PE may use for tasks and messages if a control group sets the
  /// limit. The result is at most a quarter of a PE's share, because the kernel would kill a job
  /// that exceeds the group's limit.
  static constexpr std::uint64_t least_work_within(std::uint64_t memory_limit, int pes) noexcept {
    return std::min(usual_least_work, memory_limit / static_cast<std::uint64_t>(pes) / 4);
  }

  /// Makes the account of one of `pes` PEs. `memory_limit` is the memory of all PEs together in
  /// bytes, and 0 means no limit. Every PE may use `least_work` bytes for tasks and messages, even
  /// if the memory limit is smaller.
  memory_account(std::uint64_t memory_limit, int pes, std::uint64_t least_work = usual_least_work)
      : limit_(memory_limit),
        share_(memory_limit / static_cast<std::uint64_t>(pes)),
        least_(static_cast<std::int64_t>(least_work)) {}

  /// Makes an account that limits tasks and messages to `share` bytes and does not limit data.
  static memory_account of_work_alone(std::uint64_t share) {
    memory_account result(share, 1);
    result.limits_data_ = false;
    return result;
  }

  /// Adds `bytes` bytes of tasks or messages. If tasks, messages and data together would exceed the
  /// PE's share, the function throws atl::error (out_of_memory) and adds nothing. The function
  /// never refuses the first `least_work` bytes of tasks and messages.
  void charge(std::size_t bytes) {
    if (is_beyond(work_ + static_cast<std::int64_t>(bytes))) [[unlikely]]
      refuse(bytes);
    add(bytes);
  }

  /// Adds `bytes` bytes of tasks or messages without checking the limit, because the memory is
  /// already allocated.
  void add(std::size_t bytes) noexcept { work_ += static_cast<std::int64_t>(bytes); }
  void release(std::size_t bytes) noexcept { work_ -= static_cast<std::int64_t>(bytes); }

  /// Adds `bytes` bytes of a global array. The function never fails, because PE 0 has already
  /// checked the limit for all PEs. Messages of PE 0 make the other PEs call this function.
  void add_array(std::size_t bytes) noexcept { arrays_ += static_cast<std::int64_t>(bytes); }
  void release_array(std::size_t bytes) noexcept { arrays_ -= static_cast<std::int64_t>(bytes); }

  /// Adds `bytes` bytes of data other than global arrays, such as the growth of a container. Throws
  /// atl::error (out_of_memory) if data, tasks and messages together would exceed the PE's share.
  /// The text of the error names the data by `what`.
  void charge_data(std::size_t bytes, const char* what = "a container's part") {
    const auto all = arrays_ + work_ + static_cast<std::int64_t>(bytes);
    if (limit_ != 0 && limits_data_ && all > static_cast<std::int64_t>(share_)) [[unlikely]]
      refuse_data(bytes, what);
    add_array(bytes);
  }
  void release_data(std::size_t bytes) noexcept { release_array(bytes); }

  /// Returns the end of an error message, such as ", of --memory-limit, 24 MiB". The text is empty
  /// if the account does not limit data.
  std::string limit_text() const;

  /// Returns the bytes in use that count towards the memory limit. Tasks and messages count as 0
  /// bytes while they use at most `least_work` bytes. If tasks and messages use more than
  /// `least_work` bytes, they count in full.
  std::uint64_t held() const noexcept {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(0, arrays_) + beyond_least(work_));
  }

  /// Returns whether tasks and messages use more than half of the memory that the PE's data leave
  /// free in its share. The result is false while tasks and messages use at most `least_work`
  /// bytes.
  bool has_much_work() const noexcept {
    return limit_ != 0 && work_ > least_ && 2 * work_ > left_by_data();
  }

  /// Returns whether tasks and messages use more memory than the PE's data leave free in its share.
  /// The result is false while tasks and messages use at most `least_work` bytes.
  bool is_exceeded() const noexcept { return is_beyond(work_); }

 private:
  /// Returns the PE's share minus the bytes of data. An account made by `of_work_alone` does not
  /// subtract the data.
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
  // The message about the release of an array can arrive before the message about its allocation,
  // so `arrays_` can be negative for a short time.
  std::int64_t work_ = 0;
  std::int64_t arrays_ = 0;
};

}  // namespace atl
