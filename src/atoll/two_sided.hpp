#pragma once
// In two-sided communication, one task sends and another task receives. The two tasks may be on
// different PEs or on the same PE. Messages are matched by PE and tag. Messages with the same PE
// and tag are received in the order in which they were sent. The page
// docs/explanation/memory-model.md says what is visible after a receive.
//
// A short message carries its data (eager, up to --eager-limit), and its send is complete at once.
// For a longer message, the sender first sends an announcement, and the data is moved when there is
// a matching receive (rendezvous). A send may therefore wait for its receive. A deadlock occurs if
// a task awaits a long send, and the receiver first waits for a later operation of this task. A PE
// buffers at most 16 times --eager-limit + 4 KiB of unexpected messages per sender. Further
// messages wait at their sender, however short they are.
//
// Tasks of a PE may call these functions, any number of tasks at a time. Waiting suspends the task,
// not the PE; data moves while tasks wait or yield. All calls throw atl::error (input) if the PE
// does not exist.

#include "atoll/error.hpp"
#include "atoll/memory/two_sided_state.hpp"
#include "atoll/message/serialization.hpp"
#include "atoll/task.hpp"
#include "atoll/task/scheduler.hpp"

#include <cstddef>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>

namespace atl {
namespace two_sided {

/// A message that is being sent or received. Until the request is complete, the program must leave
/// the data in place and unchanged. One task of the PE may await the request, which suspends the
/// task until the request is complete and returns the number of elements.
///
/// If a receive is destroyed early, it may consume no message, or lose one. If a send is destroyed
/// early, it may be cancelled; its receive then throws atl::error (withdrawn).
class [[nodiscard]] request {
 public:
  /// Makes a request that is complete, for a message of `elements` elements.
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

  /// Returns whether the request is complete. Does not block and makes no progress, so the task
  /// must `yield` before it asks again.
  bool is_complete() const {
    return open_ == nullptr || open_->at == memory::open_message::stage::complete;
  }

  /// Suspends the task until the request is complete, and returns the number of elements. If the
  /// received message does not fit, throws atl::error (input); the message is then lost.
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
    // True if the task is a worker that is not counted as a worker while it waits. Other tasks,
    // which send or receive, may need to run as workers meanwhile.
    bool held_place_ = false;
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

  memory::open_message* open_ = nullptr;  ///< null if the request is complete
  std::size_t elements_ = 0;
};

}  // namespace two_sided

namespace memory {

/// A contiguous range whose elements stay in place when the range is copied.
template <class Values>
concept sent_range = std::ranges::contiguous_range<Values> && std::ranges::sized_range<Values> &&
                     std::ranges::borrowed_range<Values> &&
                     message::bitwise_copyable<std::ranges::range_value_t<Values>>;

/// A `sent_range` whose elements can be written.
template <class Room>
concept received_range =
    sent_range<Room> &&
    !std::is_const_v<std::remove_reference_t<std::ranges::range_reference_t<Room>>>;

/// The data of a send or receive, and the size of its elements in bytes.
template <class Byte>
struct message_data {
  std::span<Byte> bytes;
  std::size_t element_bytes;
};

/// Returns the bytes of a range. Throws atl::error (input) if the number of bytes overflows.
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

/// Sends the elements of `values` to a receive on PE `pe` that names this PE and this tag. `values`
/// is a vector, a span or a similar range of trivially copyable elements. Suspends the task until
/// `values` may be changed. An eager message suspends the task only for `room()`. A longer message
/// suspends the task until there is a receive and the data is in flight.
template <memory::sent_range Values>
task<> send(int pe, int tag, Values&& values, site where = site::current()) {
  return memory::send_message(pe, tag, memory::data_of(values, where), where);
}

/// Receives the next message of PE `pe` with this tag into `room`, and returns the number of its
/// elements. Suspends the task until the data has arrived. Throws atl::error (input) if the message
/// is longer than `room`, or is not a whole number of elements. The message is then lost, and its
/// sender continues.
template <memory::received_range Room>
task<std::size_t> receive(int pe, int tag, Room&& room, site where = site::current()) {
  return memory::receive_message(pe, tag, memory::room_in(room, where), where);
}

/// Begins to send the elements of `values`, as `send` does, and hands the message to the transport
/// at once. Does not block. `values` must not be changed until the request is complete.
template <memory::sent_range Values>
request send_nbi(int pe, int tag, Values&& values, site where = site::current()) {
  return memory::begin_send({"send_nbi", true, where}, pe, tag, memory::data_of(values, where));
}

/// Begins to receive the next message of PE `pe` with this tag into `room`. Does not block.
/// Receives of one PE and tag get its messages in the order in which the receives began. The
/// request throws the errors of `receive`.
template <memory::received_range Room>
request receive_nbi(int pe, int tag, Room&& room, site where = site::current()) {
  return memory::begin_receive({"receive_nbi", true, where}, pe, tag, memory::room_in(room, where));
}

/// Sends to one PE and receives from the same or another PE at the same time. Returns the number of
/// received elements. Suspends the task until both are complete. Throws the errors of `receive`.
template <memory::sent_range Values, memory::received_range Room>
task<std::size_t> send_receive(int to, int to_tag, Values&& values, int from, int from_tag,
                               Room&& room, site where = site::current()) {
  return memory::send_and_receive(to, to_tag, memory::data_of(values, where), from, from_tag,
                                  memory::room_in(room, where), where);
}

}  // namespace two_sided
}  // namespace atl
