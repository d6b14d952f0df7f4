#pragma once
// This file has the two-sided communication of one PE: open sends and receives of its tasks,
// unexpected messages, and the matching of both. An unexpected message has arrived before its
// receive was called.
//
// Every message to a PE begins with a `message_head`, and heads from one PE arrive in the order in
// which they were sent. The receives of a PE and tag therefore match the messages of that PE in the
// order of sending. The order is the same whether the data come with the head (eager) or wait at
// their sender (rendezvous).
//
// A PE keeps unexpected messages in private memory, with a limit per sender. A sender counts the
// bytes that it has sent eagerly. The receiver gives these bytes back when it receives the message.
// At the limit, a message waits at its sender, however small it is.

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

/// The call that began a send or a receive.
struct message_call {
  const char* name = "";
  bool hands_over = false;  ///< whether to send at once, because the task may compute for long
  site where{};
};

/// A send or a receive of a task. The object lives until the message is complete and the task has
/// given the object back.
struct open_message {
  enum class stage : std::uint8_t { begun, matched, complete };

  open_message* next = nullptr;
  message_call by{};
  int pe = 0;  ///< the other PE
  int tag = 0;
  std::size_t element_bytes = 1;
  std::span<const std::byte> values{};  ///< data to be sent
  std::span<std::byte> room{};          ///< buffer of a receive
  std::size_t bytes = 0;                ///< size of the message, once it is known
  std::size_t moved = 0;                ///< bytes that have been moved so far
  stage at = stage::begun;
  /// whether no task awaits the message any more; its buffer may be gone
  bool is_forsaken = false;
  tasks::frame* waiter = nullptr;
  std::exception_ptr failure{};
};

/// The head of a message, which the sender sends first.
struct message_head {
  std::int32_t tag = 0;
  std::uint64_t bytes = 0;
  std::uint64_t sender = 0;  ///< 0: the data follow; otherwise the sender's open_message

  std::size_t payload_bytes() const { return sender == 0 ? bytes : 0; }
};

class two_sided_state {
 public:
  explicit two_sided_state(pe& self);

  /// Begins a send to PE `wanted.pe`, which must exist. Returns null if the send is complete,
  /// because its data are in flight. Throws `job_ended`, std::bad_alloc, and atl::error
  /// (out_of_memory, overflow) if this PE has too many incomplete messages. After an exception,
  /// nothing has been sent.
  open_message* begin_send(const open_message& wanted);

  /// Begins a receive from PE `wanted.pe`, which must exist. Throws the errors of `begin_send`.
  open_message& begin_receive(const open_message& wanted);

  /// Abandons a send or receive that no task awaits any more. The object ends as soon as it can.
  void drop(open_message& dropped) noexcept;

  // Messages of other PEs call the next functions. If a PE has more unexpected messages than it may
  // keep, the error ends the job, because no task would get the error.
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
  /// Receives, or unexpected messages, of one PE and tag that wait for their counterparts.
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
  std::size_t eager_limit_;                  // in bytes
  std::uint64_t room_;                       // bytes for unexpected messages per sender
  std::vector<std::uint64_t> in_use_;        // bytes of the room at each receiver that this PE uses
  std::vector<std::uint64_t> to_give_back_;  // bytes to be given back, per sender
  channels channels_;
  recycled<open_message> open_;
  recycled<early_message> early_;
};

}  // namespace atl::memory
