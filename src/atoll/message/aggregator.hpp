#pragma once
// The aggregator is the part of the engine (engine.hpp) that sends messages. The aggregator fills
// one network buffer for each PE to which this PE sends directly. A buffer is sent when the buffer
// is full or flushed.
//
// If a message goes through another PE (a hop), the aggregator puts the message into a parcel: a
// group of messages for one destination. A parcel is a part of the buffer that this PE sends to the
// forwarding PE, and the forwarding PE sends the parcel to the destination.

#include "atoll/base/pe.hpp"
#include "atoll/base/site.hpp"
#include "atoll/message/flow_control.hpp"
#include "atoll/message/handler.hpp"
#include "atoll/message/open_buffers.hpp"
#include "atoll/message/parcels.hpp"
#include "atoll/message/routes.hpp"
#include "atoll/message/send_buffer.hpp"
#include "atoll/message/streams.hpp"
#include "atoll/observe/recorder.hpp"
#include "atoll/transport/transport.hpp"

#include <cstddef>
#include <cstdint>

namespace atl::message {

/// A buffer for another node counts as large if at least this number of bytes is filled. A large
/// buffer gains little by waiting for more messages.
inline constexpr std::size_t k_large_buffer = 4096;

class aggregator {
 public:
  /// If `aggregates` is false, each message is sent in a buffer of its own.
  aggregator(pe& self, bool aggregates, handler_table& handlers, route_table& routes,
             flow_control& flow);
  ~aggregator();
  aggregator(const aggregator&) = delete;
  aggregator& operator=(const aggregator&) = delete;

  /// Returns the object that collects messages for `destination`. Throws atl::error (input) if PE
  /// `destination` does not exist.
  send_buffer& to(int destination, site where = {}) {
    send_buffer* const found = streams_.at_hand(destination);
    if (found != nullptr) [[likely]]
      return *found;
    return bring(destination, where);
  }

  /// Returns a small function object that finds the `send_buffer` object of a destination. A loop
  /// can keep the returned object in registers.
  streams::places_at_hand at_hand() { return streams_.at_hand(); }

  /// Opens a run (a sequence of messages for the same function) in `out`. If the current buffer has
  /// no room, takes a new buffer. Throws the errors of `flow_control::open`.
  void begin_run(send_buffer& out, const new_run& opened, site where);

  /// Copies `parcel`, a group of messages for PE `destination`, into the buffer for the next PE on
  /// the route. If there is no memory for the copy, this PE ends the job.
  void forward(int destination, const std::byte* parcel, std::size_t bytes);

  /// If a buffer with messages for `destination` is open, sends the buffer.
  void flush(int destination);

  /// Sends `buffer`, which must be open.
  void flush(send_buffer& buffer);

  /// Makes messages for `destination` bypass the routing: the messages are put into a buffer that
  /// is sent to `destination` itself. After creating the messages, the caller must call
  /// `end_detour`, which sends the buffer. Throws the same errors as the function `to`.
  send_buffer& begin_detour(int destination, site where = {}) {
    to(destination, where);
    return streams_.begin_detour(destination);
  }
  void end_detour(send_buffer& detour);

  /// Sends each message directly to its destination from now on. No buffer may be open when this
  /// function is called.
  void go_directly() noexcept;

  bool aggregates() const { return aggregates_; }

  open_buffers& buffers() { return buffers_; }

  /// Returns the number of buffers sent so far, including buffers that wait in private memory (the
  /// overflow) until their receivers have room.
  const std::uint64_t& buffers_sent() const { return buffers_sent_; }

  /// Returns how many application messages this PE has created for itself so far.
  std::uint64_t created_for_own() const { return streams_.created_for_own(); }
  /// Returns how many application messages this PE has created for all PEs so far.
  std::uint64_t created() const { return streams_.created(); }

 private:
  send_buffer& bring(int destination, site where);
  void open_buffer(send_buffer& out, traffic kind, site where);
  void fill_fresh_buffer(send_buffer& out, traffic kind, site where);
  void open_parcel(send_buffer& out, std::size_t bytes, traffic kind, site where);
  std::byte* room_in_buffer(send_buffer& carrier, std::size_t bytes, traffic kind, site where);
  void submit(send_buffer& out);
  void hand_over(int destination, std::uint32_t bytes);

  streams streams_;
  bool aggregates_;
  transport::endpoint& transport_;
  observe::recorder& recorder_;
  observe::counters& counters_;
  handler_table& handlers_;
  route_table& routes_;
  flow_control& flow_;
  std::uint64_t buffers_sent_ = 0;
  open_buffers buffers_;
  open_parcels parcels_;
};

}  // namespace atl::message
