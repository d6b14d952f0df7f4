#pragma once
// Two-sided communication of tasks: one sends, another receives, on any two PEs or on one, matched
// by PE and tag. Messages of a PE and tag are received in the order in which they were sent.
//
// A short message takes its data along (eager, up to --eager-limit), and its send is complete at
// once; of a longer one the receiver is told first, and the data is moved into the room of the
// receive when there is one (rendezvous). So a send may wait for its receive, and must not be
// awaited before what its partner waits for. Of what comes early a PE keeps 16 times --eager-limit
// and 4 KiB from each other PE; what is more waits at its sender, however short.
//
// For tasks of a PE, any number at a time. What waits suspends its task, not the PE, and data moves
// while tasks wait or give way. All calls throw atl::error (input) where the PE does not exist.

#include "atoll/error.hpp"
#include "atoll/memory/two_sided_state.hpp"
#include "atoll/message/travel.hpp"
#include "atoll/task.hpp"
#include "atoll/task/scheduler.hpp"

#include <cstddef>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>

namespace atl {
namespace two_sided {

/// A message that a task has begun to send or to receive. Its memory stays, and is left alone,
/// until it is complete. Awaited, by one task of the PE: until it is; the number of its elements.
/// Dropped before that, a receive takes no message, or what comes is lost, and a send may be given
/// up: its receive then throws atl::error (withdrawn).
class [[nodiscard]] request {
 public:
  /// Complete, with so many elements.
  explicit request(std::size_t elements) : elements_(elements) {}
  explicit request(memory::open_message& open) : open_(&open) {}
  request(request&& other) noexcept
      : open_(std::exchange(other.open_, nullptr)), elements_(other.elements_) {}
  request& operator=(request&& other) noexcept {
    std::swap(open_, other.open_);
    std::swap(elements_, other.elements_);
    return *this;
  }
  ~request() {
    if (open_ != nullptr) this_pe().two_sided->drop(*open_);
  }

  /// Does not block, and brings nothing about: the task gives way (`yield`) before it asks again.
  bool is_complete() const {
    return open_ == nullptr || open_->at == memory::open_message::stage::complete;
  }

  /// Throws atl::error (input) where a message was received that does not fit; it is lost.
  auto operator co_await() noexcept { return awaiter{*this}; }

 private:
  struct awaiter {
    request& of;

    bool await_ready() const noexcept { return of.is_complete(); }
    template <tasks::task_promise Promise>
    void await_suspend(std::coroutine_handle<Promise> suspended) {
      tasks::frame& waiter = suspended.promise();
      ATOLL_ASSERT(of.open_->waiter == nullptr, "one task awaits a request");
      waiter.waiting_at = of.open_->by.where;
      of.open_->waiter = &waiter;
      held_place_ = this_pe().tasks->give_place_back(*waiter.owner);
      owner_ = waiter.owner;
    }
    std::size_t await_resume() {
      if (held_place_) this_pe().tasks->take_place(*owner_);
      return of.end();
    }

    tasks::root* owner_ = nullptr;
    bool held_place_ = false;  // of a worker; who sends or receives here next may need it
  };

  std::size_t end() {
    if (open_ == nullptr) return elements_;
    memory::open_message& ended = *std::exchange(open_, nullptr);
    elements_ = ended.bytes / ended.element_bytes;
    const std::exception_ptr failure = std::move(ended.failure);
    this_pe().two_sided->drop(ended);
    if (failure) std::rethrow_exception(failure);
    return elements_;
  }

  memory::open_message* open_ = nullptr;  ///< null: it is complete
  std::size_t elements_ = 0;
};

}  // namespace two_sided

namespace memory {

/// Elements side by side that stay where they are when the range is copied.
template <class Values>
concept sent_range =
    std::ranges::contiguous_range<Values> && std::ranges::sized_range<Values> &&
    std::ranges::borrowed_range<Values> && message::travels<std::ranges::range_value_t<Values>>;

/// The same, to be written.
template <class Room>
concept received_range =
    sent_range<Room> &&
    !std::is_const_v<std::remove_reference_t<std::ranges::range_reference_t<Room>>>;

/// Data of a call, and what its elements take.
template <class Byte>
struct message_data {
  std::span<Byte> bytes;
  std::size_t element_bytes;
};

/// Throws atl::error (input) where the number of bytes wraps around.
template <std::ranges::contiguous_range Values>
message_data<const std::byte> data_of(const Values& values, site where) {
  bytes_of_count(std::ranges::size(values), sizeof(std::ranges::range_value_t<Values>), where);
  return {std::as_bytes(std::span(std::ranges::data(values), std::ranges::size(values))),
          sizeof(std::ranges::range_value_t<Values>)};
}

template <std::ranges::contiguous_range Room>
message_data<std::byte> room_in(Room& room, site where) {
  bytes_of_count(std::ranges::size(room), sizeof(std::ranges::range_value_t<Room>), where);
  return {std::as_writable_bytes(std::span(std::ranges::data(room), std::ranges::size(room))),
          sizeof(std::ranges::range_value_t<Room>)};
}

two_sided::request begin_send(const message_call& by, int pe, int tag,
                              message_data<const std::byte> data);
two_sided::request begin_receive(const message_call& by, int pe, int tag,
                                 message_data<std::byte> room);

task<> send_message(int pe, int tag, message_data<const std::byte> data, site where);
task<std::size_t> receive_message(int pe, int tag, message_data<std::byte> room, site where);
task<std::size_t> send_and_receive(int to, int to_tag, message_data<const std::byte> data, int from,
                                   int from_tag, message_data<std::byte> room, site where);

}  // namespace memory

namespace two_sided {

/// Sends the elements of `values` (a vector, a span, ...; trivially copyable) to whoever receives
/// this tag from this PE on `pe`; returns when `values` may be changed: at once where the data is
/// sent along, but for `room()`, else when there is a receive and the data is on its way.
template <memory::sent_range Values>
task<> send(int pe, int tag, Values&& values, site where = site::current()) {
  return memory::send_message(pe, tag, memory::data_of(values, where), where);
}

/// Receives the next message of `pe` with this tag into `room`; returns how many elements it had.
/// Throws atl::error (input) where it is longer than the room, or is no whole number of its
/// elements; the message is lost then, and its sender goes on.
template <memory::received_range Room>
task<std::size_t> receive(int pe, int tag, Room&& room, site where = site::current()) {
  return memory::receive_message(pe, tag, memory::room_in(room, where), where);
}

/// Begins to send, as `send`, and hands the message over at once; `values` is left alone until the
/// request is complete. Does not block.
template <memory::sent_range Values>
request send_nbi(int pe, int tag, Values&& values, site where = site::current()) {
  return memory::begin_send({"send_nbi", true, where}, pe, tag, memory::data_of(values, where));
}

/// Begins to receive, as `receive`; receives of one PE and tag get its messages in the order in
/// which they began. Does not block.
template <memory::received_range Room>
request receive_nbi(int pe, int tag, Room&& room, site where = site::current()) {
  return memory::begin_receive({"receive_nbi", true, where}, pe, tag, memory::room_in(room, where));
}

/// Sends to one PE and receives from another, or from the same, at once; returns how many elements
/// were received. Throws as both.
template <memory::sent_range Values, memory::received_range Room>
task<std::size_t> send_receive(int to, int to_tag, Values&& values, int from, int from_tag,
                               Room&& room, site where = site::current()) {
  return memory::send_and_receive(to, to_tag, memory::data_of(values, where), from, from_tag,
                                  memory::room_in(room, where), where);
}

}  // namespace two_sided
}  // namespace atl
