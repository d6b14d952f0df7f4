#pragma once
// A common part is data shared by many messages. A run is a sequence of messages for the same
// function behind one header (send_buffer.hpp). If the messages of a run have a common part, the
// run contains the common part only once, behind the header. Messages with a common part are never
// relayed (runs.hpp), because relaying PEs do not know the common part.

#include "atoll/message/engine.hpp"

#include <array>
#include <cstddef>
#include <cstring>
#include <optional>
#include <type_traits>

namespace atl::message {

/// A value that many messages of one PE have in common. Each run (a sequence of messages for the
/// same function) whose messages share the value contains the value once. For each run of messages,
/// the receiving PE calls `value.on_this_pe(walk)`, where `walk` is a function that goes through
/// the messages. `on_this_pe` must call `walk(executor)` with an object `executor` that executes
/// single messages. `executor(message)` executes one message, and must send no messages and spawn
/// no tasks. `executor.prefetch(message)` prefetches the memory that the message will touch.
template <bitwise_copyable Value>
class common_part {
  static_assert(alignof(Value) <= k_unit, "what messages have in common lies in units");

 public:
  explicit common_part(const Value& value) { std::memcpy(bytes_.data(), &value, sizeof(Value)); }
  common_part(const common_part&) = delete;
  common_part& operator=(const common_part&) = delete;

  /// Returns the key of runs (sequences of messages) that contain this value and belong to `scope`;
  /// no other run of this PE has the key.
  run_key key_within(engine& messages, const activity* scope) {
    if (key_ == 0 || scope != scope_) {
      key_ = messages.new_key();
      scope_ = scope;
    }
    return key_;
  }

  /// Returns the value as it is stored before the messages of a run, padded to a multiple of
  /// `k_unit` bytes.
  const auto& bytes() const { return bytes_; }

 private:
  run_key key_ = 0;
  const activity* scope_ = nullptr;
  std::array<std::byte, round_up(sizeof(Value), k_unit)> bytes_{};
};

template <traffic Kind, class Value, class Message>
std::uint32_t execute_run_in_common(engine& messages, const std::byte* at, const std::byte* end) {
  constexpr std::size_t slot = k_slot<Message>;
  const auto& common = closure_at<Value>(at);
  at += round_up(sizeof(Value), k_unit);
  const auto count = static_cast<std::uint32_t>((end - at) / slot);
  const without_parts watch(messages);
  common.on_this_pe([at, count](const auto& executor) {
    static_assert(std::is_nothrow_invocable_v<decltype(executor), const Message&>);
    const auto touch = [executor](const std::byte* each) __attribute__((always_inline)) {
      executor.prefetch(closure_at<Message>(each));
    };
    const auto execute = [executor](const std::byte* each) { executor(closure_at<Message>(each)); };
    walk_run<slot>(at, at + count * slot, touch, execute);
  });
  messages.count_executed(Kind, count, count * sizeof(Message), count * lines_touched_by<Value>());
  return has_scope(Kind) ? count : 0;
}

/// Sends messages with a common part (data that a run of messages contains only once). Use this
/// class only if the engine does not relay messages (`engine::relays`). Use each sender object in
/// only one loop of one task or handler. The members of a sender stay in registers while a loop
/// calls only `append`.
template <traffic Kind, class Value>
class sender_in_common {
 public:
  sender_in_common(engine& messages, common_part<Value>& common)
      : aggregator_(messages.aggregator_),
        bins_(messages.bins_),
        common_(common),
        scope_(has_scope(Kind) ? &messages.enclosing() : nullptr),
        key_(common.key_within(messages, scope_)),
        at_hand_(aggregator_.at_hand()) {}

  /// Returns 0, because this sender does not group messages by the stretch (contiguous part) of
  /// memory that they touch (bins.hpp).
  static constexpr unsigned log2_stretches() { return 0; }

  /// Appends `message` to an open run (a sequence of messages that is being filled) for
  /// `destination`. If no open run has room, appends nothing and returns false.
  template <bitwise_copyable Message>
  [[gnu::always_inline]] bool append(int destination, const Message& message) const {
    send_buffer* const out = at_hand_(destination);
    if (out == nullptr || !out->takes<traffic::control>(key_, nullptr, k_slot<Message>))
        [[unlikely]]
      return false;
    engine::store_message(out->cursor, message);
    return true;
  }

  /// Appends `message` for `destination`. If no open run has room, the function first opens a new
  /// run. Throws the errors of `engine::send`.
  template <bitwise_copyable Message>
  [[gnu::noinline]] void append_first(int destination, const Message& message, site where) const {
    send_buffer& out = aggregator_.to(destination, where);
    if (!out.takes<traffic::control>(key_, nullptr, k_slot<Message>))
      aggregator_.begin_run(out, run_of<Message>(), where);
    engine::store_message(out.cursor, message);
  }

  /// A sender that puts messages into bins (bins.hpp). The functions of `by_bins` take the number
  /// of a bin instead of a destination PE.
  class by_bins {
   public:
    by_bins(const sender_in_common& direct, unsigned log2_stretches)
        : direct_(direct), log2_stretches_(log2_stretches), at_hand_(direct.bins_.now()) {}

    unsigned log2_stretches() const { return log2_stretches_; }

    template <bitwise_copyable Message>
    [[gnu::always_inline]] bool append(int number, const Message& message) const {
      static_assert(alignof(Message) <= k_unit, "messages lie in bins as in buffers");
      bins::bin& found = at_hand_[number];
      if (found.cursor == found.limit) [[unlikely]]
        return false;
      engine::store_message(found.cursor, message);
      return true;
    }

    template <bitwise_copyable Message>
    [[gnu::noinline]] void append_first(int number, const Message& message, site where) const {
      const bool enters = direct_.enters_bins<Message>(log2_stretches_, where);
      ATOLL_ASSERT(enters, "a function that makes messages has handed some over");
      direct_.bins_.make_room(number, where);
      append(number, message);
    }

   private:
    const sender_in_common& direct_;
    unsigned log2_stretches_;
    bins::at_hand at_hand_;
  };

  /// Returns a sender that puts messages into bins. If the bins cannot be used now, returns an
  /// empty optional. Throws the errors of `bins::enter`.
  template <bitwise_copyable Message>
  std::optional<by_bins> in_bins(unsigned log2_stretches, site where) const {
    if (!enters_bins<Message>(log2_stretches, where)) return std::nullopt;
    return by_bins(*this, log2_stretches);
  }

 private:
  template <bitwise_copyable Message>
  new_run run_of() const {
    static_assert(sizeof(Value) + sizeof(Message) <= k_largest_message,
                  "a message and what it has in common must fit the smallest network buffer");
    static_assert(k_largest_message / k_unit < 128, "send_buffer counts units in 7 bits");
    constexpr std::size_t slot = k_slot<Message>;
    return {key_,
            &execute_run_in_common<Kind, Value, Message>,
            Kind,
            scope_,
            round_up(slot, k_unit),
            slot,
            common_.bytes()};
  }

  template <bitwise_copyable Message>
  bool enters_bins(unsigned log2_stretches, site where) const {
    return bins_.enter(run_of<Message>(), log2_stretches, where);
  }

  aggregator& aggregator_;
  bins& bins_;
  const common_part<Value>& common_;
  activity* scope_;
  // key of the runs that contain the value of `common_` and belong to `scope_`; no other runs have
  // this key
  run_key key_;
  streams::places_at_hand at_hand_;
};

}  // namespace atl::message
