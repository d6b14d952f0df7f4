#pragma once
// Bins delay messages, so that messages that touch nearby memory are executed together.
//
// If messages that are executed one after another touch the same stretch of memory, they cause few
// TLB misses. A run is a sequence of messages for the same function (send_buffer.hpp). To bring
// together messages that touch nearby memory, the messages of one run (for the same function) can
// wait in bins before they are sent. The sender divides the memory of each destination PE into
// stretches (contiguous parts), and has one bin for the messages to each stretch. When a bin is
// full, its messages are moved together to the buffer for their destination PE. Bins apply the
// propagation blocking of Beamer, Asanović and Patterson (IPDPS 2017) to messages between PEs. At
// any time, only one run (a sequence of messages for the same function) can use the bins. While one
// run (a sequence of messages for the same function) uses the bins, messages of other runs bypass
// the bins.

#include "atoll/message/aggregator.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace atl::message {

/// The bins of one PE. Only the PE that owns the bins may call their functions.
class bins {
 public:
  static constexpr std::size_t k_most = 128;

  /// The parameter `patience` is the usual time in nanoseconds that messages wait in bins. As long
  /// as bins still become full, messages can wait up to 64 times `patience`.
  bins(aggregator& aggregator, handler_table& handlers, transport::endpoint& transport,
       transport::nanoseconds patience)
      : aggregator_(aggregator), handlers_(handlers), transport_(transport), patience_(patience) {}
  bins(const bins&) = delete;
  bins& operator=(const bins&) = delete;

  /// Claims the bins for the run `opened`, whose messages must all have the same size. There are
  /// 2^`log2_stretches` bins for each destination PE, and at most `k_most` bins in total. If
  /// messages of another run (for example for another function) use the bins, or if memory is
  /// short, returns false. Throws atl::error (environment) if the function of the run has no name
  /// that other PEs know.
  bool enter(const new_run& opened, unsigned log2_stretches, site where) {
    return opened.key == run_.key || (are_free() && claim(opened, log2_stretches, where));
  }

  struct bin {
    std::byte* cursor;
    std::byte* limit;
  };

  /// Gives loops access to the bins. Loops keep this object in registers.
  class at_hand {
   public:
    explicit at_hand(bin* first) : first_(first) {}
    /// Returns the bin with the number `number`. Bins are numbered by destination PE and, for each
    /// PE, by stretch of memory. No bin has room before the first call of `make_room`. The number
    /// -1 stands for a message to an array element that does not exist. Bin -1 never has room, so
    /// that the sending loop takes its slow path, which reports that the array element does not
    /// exist.
    bin& operator[](int number) const { return first_[number]; }

   private:
    bin* first_;
  };
  at_hand now() const { return at_hand(memory_->table.data() + 1); }

  /// Moves the messages of the bin `number` to the buffer for its PE. The first call after `enter`
  /// moves no messages, but makes room in all bins. Throws the errors of `aggregator::begin_run`.
  /// After an error, messages that were not moved are still in the bin. If the call does not throw,
  /// the caller must append a message to the bin `number`, because the bins are treated as not
  /// empty afterwards.
  void make_room(int number, site where);

  /// Moves all messages to buffers, and frees the bins for another run. The messages are moved even
  /// if the overflow limit (for messages that wait for room at their receivers) is exceeded.
  /// Returns true if the bins contained any messages.
  bool empty();

  /// Moves all messages to buffers if no bin has become full for about `patience` nanoseconds (see
  /// the constructor). If messages have waited for 64 times `patience`, moves all messages even if
  /// bins still become full. Returns true if messages were moved.
  bool empty_if_old();

  /// Returns the time at which `empty_if_old` should be called next, or `forever` if no message
  /// waits.
  transport::nanoseconds due() const {
    return begun_ ? looked_at_ + patience_ : transport::forever;
  }

  /// Returns the number of messages in bins.
  std::uint64_t waiting() const;

 private:
  static constexpr std::size_t k_bytes = 2048;
  // Padding between bins, in bytes. Bins fill at the same rate, so without padding their write
  // positions would map to the same few sets of the L1 cache.
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
  // the run that has claimed the bins; the key 0 means that no run has claimed them
  new_run run_{};
  // Whether messages wait in bins. All waiting messages together count as one unfinished part of
  // their scope (work that one task can wait for).
  bool begun_ = false;
  int count_ = 0;
  unsigned log2_stretches_ = 0;
  site where_;  // source code location passed to the last call of `claim` or `make_room`
  transport::nanoseconds begun_at_ = 0;
  transport::nanoseconds looked_at_ = 0;
  bool got_full_ = false;  // whether a bin has become full since the time `looked_at_`
};

}  // namespace atl::message
