#pragma once
// The aggregator is the sending half of the engine. For each PE that this one sends to directly,
// the aggregator fills a network buffer, and hands it over when it is full or flushed.
//
// Messages for a PE behind a hop (routes.hpp) go to a parcel in the buffer for that hop.

#include "atoll/base/pe.hpp"
#include "atoll/base/site.hpp"
#include "atoll/message/flow_control.hpp"
#include "atoll/message/handler.hpp"
#include "atoll/message/open_buffers.hpp"
#include "atoll/message/outgoing.hpp"
#include "atoll/message/parcels.hpp"
#include "atoll/message/routes.hpp"
#include "atoll/message/streams.hpp"
#include "atoll/observe/recorder.hpp"
#include "atoll/transport/transport.hpp"

#include <cstddef>
#include <cstdint>

namespace atl::message {

/// Bytes in a buffer for another node beyond which waiting for more gains little.
inline constexpr std::size_t k_large_buffer = 4096;

class aggregator {
 public:
  /// `aggregates`: if false, each message goes in a buffer of its own.
  aggregator(pe& self, bool aggregates, handler_table& handlers, route_table& routes,
             flow_control& flow);
  ~aggregator();
  aggregator(const aggregator&) = delete;
  aggregator& operator=(const aggregator&) = delete;

  /// Returns the object to fill for `destination`. Throws atl::error (input) if there is no such
  /// PE.
  outgoing& to(int destination, site where = {}) {
    outgoing* const found = streams_.at_hand(destination);
    if (found != nullptr) [[likely]]
      return *found;
    return bring(destination, where);
  }

  /// Access to the objects for loops, which keep it in registers.
  streams::places_at_hand at_hand() { return streams_.at_hand(); }

  /// Opens a run, in a fresh buffer if necessary. Throws as `flow_control::open`.
  void begin_run(outgoing& out, const new_run& opened, site where);

  /// Copies a parcel for another PE into the buffer for its next hop. Throws only out_of_memory.
  void forward(int destination, const std::byte* parcel, std::size_t bytes);

  /// Hands over the buffer that messages for `destination` are in, if there is one.
  void flush(int destination);

  /// Hands over this buffer, which is open.
  void flush(outgoing& buffer);

  /// Gives messages for `destination` a buffer of their own until `end_detour`, which hands that
  /// buffer over. Throws as `to`.
  outgoing& begin_detour(int destination, site where = {}) {
    to(destination, where);
    return streams_.begin_detour(destination);
  }
  void end_detour(outgoing& detour);

  /// Sends each message straight to its destination from now on. Nothing may be open.
  void go_directly() noexcept;

  bool aggregates() const { return aggregates_; }

  open_buffers& buffers() { return buffers_; }

  /// Number of buffers handed over so far, including those that wait for room.
  const std::uint64_t& buffers_sent() const { return buffers_sent_; }

  /// Number of application messages created so far, for this PE or for all.
  std::uint64_t created_for_own() const { return streams_.created_for_own(); }
  std::uint64_t created() const { return streams_.created(); }

 private:
  outgoing& bring(int destination, site where);
  void open_buffer(outgoing& out, traffic kind, site where);
  void fill_fresh_buffer(outgoing& out, traffic kind, site where);
  void open_parcel(outgoing& out, std::size_t bytes, traffic kind, site where);
  std::byte* room_in_buffer(outgoing& carrier, std::size_t bytes, traffic kind, site where);
  void submit(outgoing& out);
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
