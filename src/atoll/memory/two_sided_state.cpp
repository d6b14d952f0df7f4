#include "atoll/memory/two_sided_state.hpp"

#include "atoll/base/memory_account.hpp"
#include "atoll/error.hpp"
#include "atoll/memory/checks.hpp"
#include "atoll/settings.hpp"
#include "atoll/task.hpp"
#include "atoll/two_sided.hpp"

#include <algorithm>
#include <cstring>

namespace atl::memory {
namespace {

using message::traffic;
using stage = open_message::stage;

// The space for unexpected messages from one sender is `k_early_messages` times the setting
// `eager-limit`, plus 4 KiB.
constexpr std::uint64_t k_early_messages = 16;
constexpr std::uint64_t k_least_early_room = 4096;
constexpr std::uint64_t k_cost_of_early_message = 64;
constexpr std::size_t k_most_idle_channels = 1024;

// Bytes of memory that a message needs in addition to its data. The next constants assume the worst
// case, in which each message has a channel of its own.
constexpr std::size_t k_memory_of_channel = 96;
constexpr std::size_t k_memory_of_early_message = 96 + k_memory_of_channel;
constexpr std::size_t k_memory_of_open_message = sizeof(open_message) + k_memory_of_channel;

two_sided_state& own_state() { return *this_pe().two_sided; }
open_message& open_at(std::uint64_t word) { return *reinterpret_cast<open_message*>(word); }
std::uint64_t word_of(const open_message& open) { return reinterpret_cast<std::uintptr_t>(&open); }

std::uint64_t channel_key(int pe, int tag) {
  return static_cast<std::uint64_t>(pe) << 32 | static_cast<std::uint32_t>(tag);
}

// The first message of each transfer. Every transfer begins with an `arriving_message`, because
// only messages of one kind stay in order (send_buffer.hpp). An `arriving_message` is sent as
// `traffic::owed`, so that no memory limit refuses the message. The memory for waiting messages is
// bounded, because each send of a task has only one `arriving_message`.
struct arriving_message : message_head {
  void operator()(std::span<const std::byte> data) const {
    own_state().arrived(this_pe().messages->source(), *this, data);
  }
};

/// A message that tells the sender that a receive has matched. `receiver` identifies the receive. A
/// `receiver` of 0 means that the sender must not send the data, because the receive has failed.
struct granted_message {
  std::uint64_t sender;
  std::uint64_t receiver;

  void operator()() const { own_state().granted(open_at(sender), receiver); }
};

struct moved_piece {
  std::uint64_t receiver;
  /// 1 if the sender has abandoned the send, so that no other piece follows; 0 otherwise
  std::uint64_t is_given_up;

  void operator()(std::span<const std::byte> piece) const {
    own_state().piece_arrived(open_at(receiver), is_given_up != 0, piece);
  }
};

struct returned_room {
  std::uint64_t bytes;

  void operator()() const { own_state().room_returned(this_pe().messages->source(), bytes); }
};

/// Returns an error for the receive. The text of the error describes the matched message and ends
/// with `what`.
std::exception_ptr receive_error(errc code, const open_message& receive, const std::string& what) {
  return std::make_exception_ptr(
      error(code, fmt::format("{}: {}: a message of {} bytes from PE {} with tag {} {}",
                              to_string(receive.by.where), receive.by.name, receive.bytes,
                              receive.pe, receive.tag, what)));
}

/// Returns null if the matched message fits into the buffer of the receive. If the message does not
/// fit, returns the error.
std::exception_ptr misfit(const open_message& receive) {
  const std::size_t element = receive.element_bytes;
  if (receive.bytes > receive.room.size()) {
    return receive_error(errc::input, receive,
                         fmt::format("has {} elements, the room of {} bytes takes {}",
                                     receive.bytes / element, receive.room.size(),
                                     receive.room.size() / element));
  }
  if (receive.bytes % element == 0) return nullptr;
  return receive_error(errc::input, receive,
                       fmt::format("is no whole number of elements of {} bytes", element));
}

std::exception_ptr error_of_given_up(const open_message& receive) {
  return receive_error(errc::withdrawn, receive, "was given up by its sender");
}

/// Sends the data of a message in pieces, which the receiver stores directly in the buffer of its
/// receive. If the program abandons the send before the last piece, no more pieces are sent.
task<> move_message(open_message& sent, std::uint64_t receiver) {
  auto& messages = *this_pe().messages;
  const std::size_t most = messages.payload_capacity<moved_piece>();
  bool is_whole = false;
  while (!is_whole && !sent.is_forsaken) {
    const auto rest = sent.values.subspan(sent.moved);
    const auto piece = rest.first(std::min(most, rest.size()));
    messages.send_with<traffic::owed>(sent.pe, moved_piece{receiver, 0}, piece, sent.by.where);
    sent.moved += piece.size();
    is_whole = piece.size() == rest.size();
    if (!is_whole) co_await room(sent.by.where);
  }
  if (!is_whole)
    messages.send_with<traffic::owed>(sent.pe, moved_piece{receiver, 1}, {}, sent.by.where);
  messages.flush(sent.pe);
  own_state().complete(sent);
}

}  // namespace

two_sided_state::two_sided_state(pe& self)
    : self_(self),
      eager_limit_(std::min<std::size_t>(self.options->eager_limit,
                                         self.messages->payload_capacity<arriving_message>())),
      room_(k_early_messages * eager_limit_ + k_least_early_room),
      in_use_(static_cast<std::size_t>(self.size)),
      to_give_back_(in_use_.size()) {}

open_message& two_sided_state::open(const open_message& wanted) {
  try {
    self_.account->charge(k_memory_of_open_message);
  } catch (const error& refusal) {
    fail(refusal.code(), "{}: {}: no memory for one more message that is not complete: {}",
         to_string(wanted.by.where), wanted.by.name, refusal.what());
  }
  open_message& opened = open_.take();
  opened = wanted;
  return opened;
}

void two_sided_state::close(open_message& ended) noexcept {
  self_.account->release(k_memory_of_open_message);
  open_.give_back(ended);
}

bool two_sided_state::takes_room(int pe, std::size_t bytes) {
  const std::uint64_t cost = bytes + k_cost_of_early_message;
  if (bytes > eager_limit_ || in_use_[pe] + cost > room_) return false;
  in_use_[pe] += cost;
  return true;
}

// Flushes the messages to PE `pe`, because a task on PE `pe` waits for messages, and this PE may
// compute for long. If this PE has many messages in flight, the function flushes nothing, so that
// messages share buffers.
void two_sided_state::flush_while_room(int pe) {
  if (self_.messages->has_room()) self_.messages->flush(pe);
}

void two_sided_state::give_room_back(int pe, std::size_t bytes) {
  to_give_back_[pe] += bytes + k_cost_of_early_message;
  if (to_give_back_[pe] < room_ / 2) return;
  const std::uint64_t all = std::exchange(to_give_back_[pe], 0);
  if (pe == self_.rank) return room_returned(pe, all);
  self_.messages->send<traffic::owed>(pe, returned_room{all}, site::current());
  flush_while_room(pe);
}

/// Sends the head of a message, and the eager data if any, to the receiver. If sending fails, calls
/// `undo` and rethrows the exception.
template <class Undo>
void two_sided_state::announce(const open_message& sent, std::uint64_t sender,
                               std::span<const std::byte> data, const Undo& undo) {
  const arriving_message head{{.tag = sent.tag, .bytes = sent.values.size(), .sender = sender}};
  try {
    if (sent.pe == self_.rank) return arrived(sent.pe, head, data);
    self_.messages->send_with<traffic::owed>(sent.pe, head, data, sent.by.where);
  } catch (...) {
    undo();
    throw;
  }
  if (sent.by.hands_over) self_.messages->flush(sent.pe);
}

open_message* two_sided_state::begin_send(const open_message& wanted) {
  self_.messages->check_room(wanted.by.where);
  const std::size_t bytes = wanted.values.size();
  if (takes_room(wanted.pe, bytes)) {
    announce(wanted, 0, wanted.values,
             [&] { in_use_[wanted.pe] -= bytes + k_cost_of_early_message; });
    return nullptr;
  }
  open_message& sent = open(wanted);
  sent.bytes = bytes;
  announce(sent, word_of(sent), {}, [&] { close(sent); });
  return &sent;
}

open_message& two_sided_state::begin_receive(const open_message& wanted) {
  open_message& receive = open(wanted);
  const auto key = channel_key(wanted.pe, wanted.tag);
  const auto found = channels_.find(key);
  if (found == channels_.end() || found->second.messages.empty()) {
    channels_[key].receives.push(receive);
    return receive;
  }
  early_message& met = found->second.messages.pop();
  leave(found);
  match(receive, met.head, met.data);
  self_.account->release(met.data.size() + k_memory_of_early_message);
  early_.give_back(met);
  return receive;
}

// Most channels are used again, so an idle channel is erased only if there are many channels.
void two_sided_state::leave(channels::iterator left) noexcept {
  const channel& one = left->second;
  if (channels_.size() > k_most_idle_channels && one.receives.empty() && one.messages.empty())
    channels_.erase(left);
}

void two_sided_state::arrived(int source, const message_head& head,
                              std::span<const std::byte> data) {
  const auto found = channels_.find(channel_key(source, head.tag));
  if (found == channels_.end() || found->second.receives.empty()) return keep(source, head, data);
  open_message& receive = found->second.receives.pop();
  leave(found);
  match(receive, head, data);
}

void two_sided_state::keep(int source, const message_head& head, std::span<const std::byte> data) {
  try {
    self_.account->charge(data.size() + k_memory_of_early_message);
  } catch (const error& refusal) {
    fail(refusal.code(),
         "no memory for messages that nobody receives, the last one from PE {} with tag {}: {}",
         source, head.tag, refusal.what());
  }
  early_message& kept = early_.take();
  kept.head = head;
  kept.data.assign(data.begin(), data.end());
  channels_[channel_key(source, head.tag)].messages.push(kept);
}

void two_sided_state::match(open_message& receive, const message_head& head,
                            std::span<const std::byte> data) {
  receive.bytes = head.bytes;
  receive.failure = misfit(receive);
  receive.at = stage::matched;
  if (head.sender != 0) return grant(receive, head.sender);
  if (!receive.failure) fill(receive, data);
  give_room_back(receive.pe, head.bytes);
  complete(receive);
}

void two_sided_state::grant(open_message& receive, std::uint64_t sender) {
  if (receive.pe == self_.rank) return move_within(open_at(sender), receive);
  const std::uint64_t receiver = receive.failure ? 0 : word_of(receive);
  self_.messages->send<traffic::owed>(receive.pe, granted_message{sender, receiver},
                                      receive.by.where);
  if (receive.by.hands_over)
    self_.messages->flush(receive.pe);
  else
    flush_while_room(receive.pe);
  if (receive.failure) complete(receive);
}

void two_sided_state::move_within(open_message& from, open_message& to) {
  if (from.is_forsaken) {
    to.failure = error_of_given_up(to);
  } else if (!to.failure) {
    fill(to, from.values);
  }
  complete(from);
  complete(to);
}

void two_sided_state::fill(open_message& receive, std::span<const std::byte> data) {
  if (!data.empty()) std::memcpy(receive.room.data() + receive.moved, data.data(), data.size());
  receive.moved += data.size();
}

void two_sided_state::granted(open_message& sent, std::uint64_t receiver) {
  if (receiver == 0) return complete(sent);
  sent.at = stage::matched;
  tasks::spawn_owed([&sent, receiver] { return move_message(sent, receiver); }, sent.by.where);
}

// Pieces are messages of one kind, so they arrive in order. Nothing more arrives for a message
// after its last piece, or after the notice that the sender has abandoned the message. After the
// last piece, and after an abandoned send, the function therefore completes the receive.
void two_sided_state::piece_arrived(open_message& received, bool is_given_up,
                                    std::span<const std::byte> piece) {
  if (is_given_up) {
    received.failure = error_of_given_up(received);
    return complete(received);
  }
  if (received.is_forsaken) {
    received.moved += piece.size();
  } else {
    fill(received, piece);
  }
  if (received.moved == received.bytes) complete(received);
}

void two_sided_state::complete(open_message& done) noexcept {
  done.at = stage::complete;
  if (done.is_forsaken) return close(done);
  if (done.waiter != nullptr) self_.tasks->ready(*std::exchange(done.waiter, nullptr));
}

void two_sided_state::drop(open_message& dropped) noexcept {
  if (dropped.at == stage::complete) return close(dropped);
  const auto found = channels_.find(channel_key(dropped.pe, dropped.tag));
  if (found != channels_.end() && found->second.receives.remove(dropped)) {
    leave(found);
    return close(dropped);
  }
  dropped.is_forsaken = true;
}

two_sided::request begin_send(const message_call& by, int pe, int tag,
                              message_data<const std::byte> data) {
  check_pe(by.name, pe, by.where);
  open_message* const open = this_pe().two_sided->begin_send(
      {.by = by, .pe = pe, .tag = tag, .element_bytes = data.element_bytes, .values = data.bytes});
  if (open == nullptr) return two_sided::request(data.bytes.size() / data.element_bytes);
  return two_sided::request(*open);
}

two_sided::request begin_receive(const message_call& by, int pe, int tag,
                                 message_data<std::byte> room) {
  check_pe(by.name, pe, by.where);
  return two_sided::request(this_pe().two_sided->begin_receive(
      {.by = by, .pe = pe, .tag = tag, .element_bytes = room.element_bytes, .room = room.bytes}));
}

task<> send_message(int pe, int tag, message_data<const std::byte> data, site where) {
  two_sided::request begun = begin_send({"send", false, where}, pe, tag, data);
  co_await begun;
  co_await room(where);
}

task<std::size_t> receive_message(int pe, int tag, message_data<std::byte> room, site where) {
  two_sided::request begun = begin_receive({"receive", false, where}, pe, tag, room);
  co_return co_await begun;
}

task<std::size_t> send_and_receive(int to, int to_tag, message_data<const std::byte> data, int from,
                                   int from_tag, message_data<std::byte> room, site where) {
  const message_call by{"send_receive", false, where};
  two_sided::request receive = begin_receive(by, from, from_tag, room);
  two_sided::request send = begin_send(by, to, to_tag, data);
  co_await send;
  co_return co_await receive;
}

}  // namespace atl::memory
