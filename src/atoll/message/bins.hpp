#pragma once
// Bins hold messages back until there are others that touch memory near theirs.
//
// Messages executed in a row have few TLB misses if they touch one stretch of memory. Messages of
// one run may therefore wait in bins, one bin per stretch of the memory of each PE. A bin is moved
// as a whole to the buffer for its PE. This is the propagation blocking of Beamer, Asanović and
// Patterson (IPDPS 2017), between PEs. All bins hold messages of one run; messages of other runs
// bypass them.

#include "atoll/message/aggregator.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace atl::message {

/// Called by its own PE only.
class bins {
 public:
  static constexpr std::size_t k_most = 128;

  /// Messages wait for `patience`, or for longer while bins still get full.
  bins(aggregator& aggregator, handler_table& handlers, transport::endpoint& transport,
       transport::nanoseconds patience)
      : aggregator_(aggregator), handlers_(handlers), transport_(transport), patience_(patience) {}
  bins(const bins&) = delete;
  bins& operator=(const bins&) = delete;

  /// Claims the bins for the run `opened`, whose messages have a slot. There are 2^`log2_stretches`
  /// bins per PE, `k_most` in all. Returns false if another run holds the bins or memory is short.
  /// Throws atl::error (environment) if other PEs do not know the function.
  bool enter(const new_run& opened, unsigned log2_stretches, site where) {
    return opened.key == run_.key || (are_free() && claim(opened, log2_stretches, where));
  }

  struct bin {
    std::byte* cursor;
    std::byte* limit;
  };

  /// Access to the bins for loops, which keep it in registers.
  class at_hand {
   public:
    explicit at_hand(bin* first) : first_(first) {}
    /// Returns the bin `number`; bins are numbered by PE and, within a PE, by stretch. No bin has
    /// room before the first call of `make_room`, and bin -1 never has.
    bin& operator[](int number) const { return first_[number]; }

   private:
    bin* first_;
  };
  at_hand now() const { return at_hand(memory_->table.data() + 1); }

  /// Moves the messages of this bin to the buffer for its PE. Throws as `aggregator::begin_run`;
  /// messages that were not moved stay in the bin. The caller must append to the bin next: bins in
  /// use are never all empty.
  void make_room(int number, site where);

  /// Moves all messages to buffers; the overflow limit does not refuse them. Returns true if there
  /// were any.
  bool empty();

  /// Moves all messages to buffers if they have waited longer than `patience`. Returns true if
  /// there were any.
  bool empty_if_old();

  /// Returns when `empty_if_old` should be called next; `forever` if no message waits.
  transport::nanoseconds due() const {
    return begun_ ? looked_at_ + patience_ : transport::forever;
  }

  /// Returns the number of messages in bins.
  std::uint64_t waiting() const;

 private:
  static constexpr std::size_t k_bytes = 2048;
  // Padding: bins fill at the same rate and would otherwise map to the same few sets of the L1
  // cache.
  static constexpr std::size_t k_between = 64;

  struct memory {
    std::array<bin, k_most + 1> table;
    std::array<std::byte, k_largest_message> common;
    alignas(64) std::array<std::byte, k_most*(k_bytes + k_between)> messages;
  };

  bool are_free() const { return run_.key == 0; }
  bool claim(const new_run& opened, unsigned log2_stretches, site where);
  void begin();
  void move(int number, const new_run& as, site where);
  void set_room(std::size_t bytes);
  std::byte* first_of(int number) const {
    return memory_->messages.data() + static_cast<std::size_t>(number) * (k_bytes + k_between);
  }

  aggregator& aggregator_;
  handler_table& handlers_;
  transport::endpoint& transport_;
  transport::nanoseconds patience_;
  std::unique_ptr<memory> memory_;  // allocated when first needed
  new_run run_{};                   // the run whose messages may wait; key 0: no run has claimed
                                    // the bins
  bool begun_ = false;              // messages wait, and the bins are a part of the scope
  int count_ = 0;
  unsigned log2_stretches_ = 0;
  site where_;  // place of the last `make_room`
  transport::nanoseconds begun_at_ = 0;
  transport::nanoseconds looked_at_ = 0;
  bool got_full_ = false;  // a bin got full since the last look
};

}  // namespace atl::message
