#pragma once
// Two-sided communication of one PE: what its tasks have begun to send or to receive, what has come
// that nobody receives yet, and how one finds the other.
//
// All that is sent to a PE begins with a message of one kind (`message_head`), and those stay in
// order. So the receives of a PE and tag meet its messages in the order in which they were sent,
// whether the data came along (eager) or waits at its sender (rendezvous).
//
// A PE keeps what comes early in private memory. What it may keep of each other PE is bounded: a
// sender counts the bytes that it has sent along, the receiver gives them back when they are
// received, and without room left a message waits at its sender, however small it is.

#include "atoll/base/site.hpp"
#include "atoll/memory/recycled.hpp"
#include "atoll/task/frame.hpp"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <unordered_map>
#include <vector>

namespace atl::memory {

/// Which call has begun something.
struct message_call {
  const char* name = "";
  bool hands_over = false;  ///< what it sends goes at once, for its task may compute for long
  site where{};
};

/// What a task has begun to send or to receive, until it is complete and has been given back.
struct open_message {
  enum class stage : std::uint8_t { begun, matched, complete };

  open_message* next = nullptr;
  message_call by{};
  int pe = 0;  ///< the other one
  int tag = 0;
  std::size_t element_bytes = 1;
  std::span<const std::byte> values{};  ///< to be sent
  std::span<std::byte> room{};          ///< for what is received
  std::size_t bytes = 0;                ///< of the message, once that is known
  std::size_t moved = 0;                ///< of these
  stage at = stage::begun;
  bool is_forsaken = false;  ///< nobody awaits it any more, and its memory may be gone
  tasks::frame* waiter = nullptr;
  std::exception_ptr failure{};
};

/// What a message begins with.
struct message_head {
  std::int32_t tag = 0;
  std::uint64_t bytes = 0;
  std::uint64_t sender = 0;  ///< 0: the data follows; else the open_message that has it

  std::size_t payload_bytes() const { return sender == 0 ? bytes : 0; }
};

class two_sided_state {
 public:
  explicit two_sided_state(pe& self);

  /// A message to `pe`, which exists. Null: it is complete, for its data is on its way. Throws
  /// `job_ended`, bad_alloc, and atl::error (out_of_memory, overflow) where the messages that are
  /// not complete are more than this PE may have; nothing has been sent then.
  open_message* begin_send(const open_message& wanted);

  /// A receive from `pe`, which exists. Throws the same.
  open_message& begin_receive(const open_message& wanted);

  /// Whoever had it does not want it any more: it ends as soon as it can, if it has not.
  void drop(open_message& dropped) noexcept;

  // For the messages between PEs. Where more come that nobody receives than this PE may keep, the
  // error ends the job, for nobody waits for it.
  void arrived(int source, const message_head& head, std::span<const std::byte> data);
  void granted(open_message& sent, std::uint64_t receiver);
  void piece_arrived(open_message& received, bool is_given_up, std::span<const std::byte> piece);
  void room_returned(int pe, std::uint64_t bytes) { in_use_[pe] -= bytes; }
  void complete(open_message& done) noexcept;

 private:
  struct early_message {
    early_message* next = nullptr;
    message_head head;
    std::vector<std::byte> data;
  };
  /// What waits for its counterpart, of one PE and tag: receives, or messages.
  struct channel {
    linked_queue<open_message> receives;
    linked_queue<early_message> messages;
  };

  using channels = std::unordered_map<std::uint64_t, channel>;

  open_message& open(const open_message& wanted);
  void close(open_message& ended) noexcept;
  bool takes_room(int pe, std::size_t bytes);
  void flush_while_room(int pe);
  void leave(channels::iterator left) noexcept;
  void give_room_back(int pe, std::size_t bytes);
  template <class Undo>
  void announce(const open_message& sent, std::uint64_t sender, std::span<const std::byte> data,
                const Undo& undo);
  void keep(int source, const message_head& head, std::span<const std::byte> data);
  void match(open_message& receive, const message_head& head, std::span<const std::byte> data);
  void grant(open_message& receive, std::uint64_t sender);
  void move_within(open_message& from, open_message& to);
  void fill(open_message& receive, std::span<const std::byte> data);

  pe& self_;
  std::size_t eager_limit_;                  // bytes
  std::uint64_t room_;                       // for what comes early of each PE, bytes
  std::vector<std::uint64_t> in_use_;        // of that at each PE, by what this one has sent
  std::vector<std::uint64_t> to_give_back_;  // to each PE
  channels channels_;
  recycled<open_message> open_;
  recycled<early_message> early_;
};

}  // namespace atl::memory
