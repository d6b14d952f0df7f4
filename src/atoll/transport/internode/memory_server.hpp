#pragma once
// The class `memory_server` executes the requests by which PEs of other nodes access the memory of
// this PE. Both the PE and its helper thread call the functions below. The caller must hold the
// lock of the class `far_memory`.

#include "atoll/transport/internode/memory_records.hpp"
#include "atoll/transport/internode/receive_rings.hpp"
#include "atoll/transport/internode/record_box.hpp"

#include <deque>
#include <span>
#include <vector>

namespace atl::transport::internode {

class memory_server {
 public:
  /// The memory `segment` is the symmetric segment of this PE. The memory `exposed` is additional
  /// memory, which other PEs address by offsets from `exposed_offset` on.
  memory_server(message_layer& layer, std::span<std::byte> segment, std::span<std::byte> exposed);

  /// Adds the receives for requests to `group`, which then finds arriving requests. Without a
  /// group, the caller must call `look` to find arriving requests.
  void join(receive_group& group) { group.add(requests_); }
  void look() { requests_.look_alone(); }

  /// Executes the requests that have arrived, and sends the answers. Returns true if requests or
  /// large data had arrived.
  bool serve();

  /// Returns true if all sends of answers and data are complete.
  bool is_done();

  /// The functions `sent` and `received` return the numbers of messages that were sent and received
  /// so far.
  std::uint64_t sent() const { return answers_.messages() + data_sent_; }
  std::uint64_t received() const { return requests_received_ + data_received_; }

  /// The function `parts` returns how many parts of large data were sent or received so far. The
  /// function `small_requests` returns how many executed requests had no large data and may be
  /// awaited by another PE.
  std::uint64_t parts() const { return data_sent_ + data_received_; }
  std::uint64_t small_requests() const { return small_requests_; }

 private:
  struct source {
    // Posted receives for data of large puts that has not arrived yet.
    std::deque<message_request> receiving;
    // Received requests that wait behind a fence. The fence waits until the data of `receiving` has
    // arrived.
    std::deque<std::vector<std::byte>> kept;
    bool is_listed = false;  // true if `receiving_from_` contains this rank
  };

  static bool is_short(const request& head, std::span<const std::byte> record);
  std::byte* place_of(const request& head) const;
  source& of(int rank) { return sources_[static_cast<std::size_t>(rank)]; }
  std::size_t execute(int from, std::span<const std::byte> records);
  std::size_t execute_one(int from, const request& head, std::span<const std::byte> record);
  bool may_pass_fence(int from) const {
    return sources_[static_cast<std::size_t>(from)].receiving.empty();
  }
  void receive_data(int from, const request& head);
  void send_data(int to, const request& head);
  void update(int from, const update_request& asked);
  void answer_with(int to, std::uint64_t number, std::span<const std::byte> data, bool is_flush);
  bool take_all_data();
  bool take_data(int from);
  void go_on(int from);

  message_layer& layer_;
  const std::span<std::byte> segment_;
  const std::span<std::byte> exposed_;
  receive_ring requests_;
  record_box answers_;
  std::vector<source> sources_;
  std::vector<int> receiving_from_;  // ranks from which data of large puts is in flight
  std::deque<message_request> sending_;
  std::uint64_t requests_received_ = 0;
  std::uint64_t data_sent_ = 0;
  std::uint64_t data_received_ = 0;
  std::uint64_t small_requests_ = 0;
};

}  // namespace atl::transport::internode
