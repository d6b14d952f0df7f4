#pragma once
// Where messages wait for others that touch memory near theirs.
//
// What is executed in a row finds translations of addresses that it has just used, if it touches
// one stretch of memory. So messages of one run may wait in bins, one for each stretch of the
// memory of each PE, and go in the buffer for that PE a bin at a time (propagation blocking of
// Beamer, Asanović and Patterson, IPDPS 2017, between PEs). All bins are of one run: what others
// send meanwhile goes past them.

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

  /// Messages wait for `patience` or, while bins get full, for longer.
  bins(aggregator& aggregator, handler_table& handlers, transport::endpoint& transport,
       transport::nanoseconds patience)
      : aggregator_(aggregator), handlers_(handlers), transport_(transport), patience_(patience) {}
  bins(const bins&) = delete;
  bins& operator=(const bins&) = delete;

  /// Messages of this run, which have a slot, may wait here, in bins
  /// for 2^`log2_stretches` stretches of each PE, `k_most` in all. False: they may not, for those
  /// of another run do, or there is no memory. Throws atl::error (environment) where other PEs do
  /// not know the function.
  bool enter(const new_run& opened, unsigned log2_stretches, site where) {
    return opened.key == run_.key || (are_free() && claim(opened, log2_stretches, where));
  }

  struct bin {
    std::byte* cursor;
    std::byte* limit;
  };

  /// For loops, which have it in registers.
  class at_hand {
   public:
    explicit at_hand(bin* first) : first_(first) {}
    /// They are numbered by PE and, within that, by stretch. None has room before `make_room` was
    /// called once, nor has number -1.
    bin& operator[](int number) const { return first_[number]; }

   private:
    bin* first_;
  };
  at_hand now() const { return at_hand(memory_->table.data() + 1); }

  /// What this bin has goes in the buffer for its PE. Throws as `aggregator::begin_run`; what has
  /// not gone then waits on. The caller appends to it next: where bins are in use, something waits.
  void make_room(int number, site where);

  /// All that wait go; the overflow limit does not refuse them. True if any did.
  bool empty();

  /// The same where they have waited for long.
  bool empty_if_old();

  /// When to look next whether they are old; `forever` where none waits.
  transport::nanoseconds due() const {
    return begun_ ? looked_at_ + patience_ : transport::forever;
  }

  /// Messages that wait.
  std::uint64_t waiting() const;

 private:
  static constexpr std::size_t k_bytes = 2048;
  // Else the bins, which fill alike, would share few lines of the first cache.
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
  std::unique_ptr<memory> memory_;  // made when first needed
  new_run run_{};                   // that may wait; no key: none has claimed them
  bool begun_ = false;              // something waits, and is a part of the scope
  int count_ = 0;
  unsigned log2_stretches_ = 0;
  site where_;  // the last that made room
  transport::nanoseconds begun_at_ = 0;
  transport::nanoseconds looked_at_ = 0;
  bool got_full_ = false;  // any, since it was looked at
};

}  // namespace atl::message
