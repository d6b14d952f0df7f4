#pragma once
// The endpoint of a simulated PE. Each PE has a clock of its own. The clock advances at each poll
// by a cost that is drawn at random or computed by the model. During a wait, the clock jumps to the
// time at which the wait ends. A buffer becomes visible when the receiver's clock has reached the
// time of arrival. PEs of one node communicate by simulated wires (channel.hpp). PEs of different
// nodes use the wire of MPI jobs (far/remote_wire.hpp) with simulated messages.

#include "atoll/transport/internode/remote_wire.hpp"
#include "atoll/transport/sim/fiber.hpp"
#include "atoll/transport/sim/memory_access.hpp"
#include "atoll/transport/sim/message_port.hpp"
#include "atoll/transport/sim/world.hpp"
#include "atoll/transport/transport.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace atl::transport::sim {

class endpoint final : public transport::endpoint {
 public:
  /// `all` contains the endpoints of all PEs, including this one.
  endpoint(world& world, std::vector<std::unique_ptr<endpoint>>& all, int rank);

  std::byte* acquire(int destination) override;
  void submit(int destination, std::uint32_t bytes) override;
  delivery poll() override;
  void release() override;
  void wait(nanoseconds deadline, awaited what) override;
  nanoseconds now() override;
  void fail(int exit_status) override;
  nanoseconds network_taken() const noexcept override { return world_.time->way_taken(rank_); }

  /// Sets the clock of this PE to `time`, if that is later, before its fiber is resumed.
  void advance_to(nanoseconds time) { time_ = std::max(time_, time); }

  /// Announces that a message of another node arrives at this PE at `time`.
  void comes(const shipment& message, nanoseconds time);

  /// Makes this PE poll at `time` if it waits and its watched memory has changed or an operation
  /// has ended.
  void rouse_at(nanoseconds time);

  /// Ends the access to memory of this PE, because its body has ended.
  void close() { memory_.close(); }

  /// Advances traffic between nodes and to memory up to `time`, or up to the time of the earliest
  /// PE if that comes first. Any endpoint of the job may do this for all.
  void let_network_go_on(nanoseconds time);

  /// Makes the PE leave its core, because it waits or has ended.
  void give_core_away() { world_.time->give_core_away({rank_, time_}); }

  /// Sets the fiber on which this PE runs. Call this before the body of the PE begins.
  void set_stack(fiber& stack) { stack_ = &stack; }

 private:
  // Time of arrival of a source's oldest buffer, and the source.
  using arrival = std::pair<nanoseconds, int>;

  static constexpr int none = -1;

  bool is_near(int pe) const { return world_.of_one_node(rank_, pe); }
  void look();
  void wait_for_a_core();
  delivery poll_near();
  delivery poll_far();
  void comes_near(int source, nanoseconds time);
  bool near_arrived(awaited what) const;
  void wait_beside_others(nanoseconds deadline, awaited what);
  void sleep(nanoseconds deadline, awaited what);
  nanoseconds far_arrival(awaited what) const;
  nanoseconds next_far_look(nanoseconds arrival) const;
  void pass_far_looks();
  void leave_until(nanoseconds time);
  void die();
  nanoseconds wakes_at(nanoseconds deadline, awaited what) const;
  void expect(arrival first);
  void expect_room(nanoseconds time);
  void forget_returned_room();
  void throw_if_ended();
  bool memory_gives_news();

  world& world_;
  std::vector<std::unique_ptr<endpoint>>& all_;
  fiber* stack_ = nullptr;
  nanoseconds time_;
  nanoseconds dies_at_;
  std::vector<arrival> arrivals_;  // sorted by time, the earliest last
  std::vector<channel*> refused_;  // wires for which `acquire` has returned null
  nanoseconds room_at_ = forever;  // earliest time at which a wire of `refused_` has a free place
  bool waits_ = false;
  awaited awaited_ = awaited::anything;  // what the present `wait` waits for
  int delivered_ = none;                 // source of the delivery that was not released yet

  memory_access memory_;
  bool operations_ended_ = false;  // whether an operation has ended since `wait` returned last

  std::optional<message_port> messages_;  // exists if the job has several nodes
  std::optional<internode::remote_wire> far_;
  std::optional<internode::receive_group> arriving_;
  internode::naps naps_{{0, 1}};   // remaining naps of the present wait
  nanoseconds last_far_look_ = 0;  // time of the last poll of other nodes in the present wait
  bool far_first_ = false;
  bool delivered_far_ = false;
};

}  // namespace atl::transport::sim
