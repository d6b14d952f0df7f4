#pragma once
// This file has the two-sided communication (send and receive) of one PE. The state consists of the
// incomplete sends and receives of the PE's tasks, and of unexpected messages. An unexpected
// message is a message that has arrived before its receive was called.
//
// Every message to a PE begins with a `message_head`, and heads from one PE arrive in the order in
// which they were sent. Receives from one PE with one tag therefore match messages in the order in
// which the messages were sent. The data are either sent together with the head (eager), or wait at
// the sender until a receive has matched (rendezvous). Receives match eager and rendezvous messages
// alike in the order of sending.
//
// A PE keeps unexpected messages in private memory, with a limit per sender. Each sender counts the
// bytes that it has sent eagerly to a receiver. When receives have matched eager messages, the
// receiver notifies the sender, which subtracts the bytes of the matched messages. If a message
// would make the counted bytes exceed the limit, even a small message waits at its sender
// (rendezvous).

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

/// The call by which the program began a send or a receive.
struct message_call {
  const char* name = "";
  /// true if messages are flushed at once, because the calling task may compute for long
  bool hands_over = false;
  site where{};
};

/// A send or a receive of a task. The object exists until the send or receive is complete, and the
/// task has dropped the object.
struct open_message {
  enum class stage : std::uint8_t { begun, matched, complete };

  open_message* next = nullptr;
  message_call by{};
  int pe = 0;  ///< the other PE
  int tag = 0;
  std::size_t element_bytes = 1;
  std::span<const std::byte> values{};  ///< data to be sent
  std::span<std::byte> room{};          ///< memory for the data of a receive
  std::size_t bytes = 0;  ///< size of the message in bytes; valid only after the size is known
  std::size_t moved = 0;  ///< number of bytes that have been moved so far
  stage at = stage::begun;
  /// true if the task has abandoned the message; its buffer may no longer exist
  bool is_forsaken = false;
  tasks::frame* waiter = nullptr;
  std::exception_ptr failure{};
};

/// The head of a message: the tag and the size, which the sender sends first.
struct message_head {
  std::int32_t tag = 0;
  std::uint64_t bytes = 0;
  /// 0 if the data follow; otherwise the address of the sender's open_message
  std::uint64_t sender = 0;

  std::size_t payload_bytes() const { return sender == 0 ? bytes : 0; }
};

class two_sided_state {
 public:
  explicit two_sided_state(pe& self);

  /// Begins a send to PE `wanted.pe`, which must exist. Returns null if the send is complete: the
  /// data are in flight, and the program may reuse their buffer. If this PE has too many incomplete
  /// messages, throws atl::error (out_of_memory, overflow). Also throws `job_ended` and
  /// std::bad_alloc. If the function throws an exception, nothing has been sent.
  open_message* begin_send(const open_message& wanted);

  /// Begins a receive from PE `wanted.pe`, which must exist. Throws the errors of `begin_send`.
  open_message& begin_receive(const open_message& wanted);

  /// Ends a send or receive that no task awaits any more. If the transfer of the data is in
  /// progress, `dropped` is freed only when the transfer has ended.
  void drop(open_message& dropped) noexcept;

  // The handlers of messages from other PEs call the next functions. If this PE has no memory for
  // an unexpected message, the error ends the job, because no task waits that could catch the
  // error.
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
  /// The unmatched receives, or the unexpected messages, of one sender and tag. A channel never has
  /// both unmatched receives and unexpected messages.
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
  std::size_t eager_limit_;  // in bytes
  // largest number of bytes of unexpected messages per sender
  std::uint64_t room_;
  // For each receiver, an upper bound of the bytes of unexpected messages from this PE that the
  // receiver holds at present.
  std::vector<std::uint64_t> in_use_;
  // For each sender, the number of bytes of room that matched messages of the sender have freed,
  // and that this PE has not yet returned.
  std::vector<std::uint64_t> to_give_back_;
  channels channels_;
  recycled<open_message> open_;
  recycled<early_message> early_;
};

}  // namespace atl::memory
