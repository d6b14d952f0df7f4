#pragma once
// The endpoint of a simulated PE. Each PE has a clock of its own. At each poll, the clock advances
// by a time that is random or computed by a model. At the end of a wait, the clock jumps to the
// time when the wait ends. The receiver can poll a buffer when its clock has reached the arrival
// time of the buffer. PEs of one node communicate by simulated wires (channel.hpp). PEs of
// different nodes communicate by the code of MPI jobs (internode/remote_wire.hpp), with simulated
// messages.

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
  /// Makes the endpoint of the PE `rank`. The vector `all` contains the endpoints of all PEs.
  endpoint(world& world, std::vector<std::unique_ptr<endpoint>>& all, int rank);

  std::byte* acquire(int destination) override;
  void submit(int destination, std::uint32_t bytes) override;
  delivery poll() override;
  void release() override;
  void wait(nanoseconds deadline, awaited what) override;
  nanoseconds now() override;
  void fail(int exit_status) override;
  nanoseconds network_taken() const noexcept override { return world_.time->way_taken(rank_); }

  /// If `time` is later than the clock of this PE, sets the clock to `time`. The caller then
  /// resumes the fiber of the PE.
  void advance_to(nanoseconds time) { time_ = std::max(time_, time); }

  /// Records that a message of another node arrives at this PE at the time `time`.
  void comes(const shipment& message, nanoseconds time);

  /// If this PE waits and has a reason to continue, makes the PE poll at `time`. A PE has a reason
  /// if its watched memory has changed or one of its one-sided operations has ended.
  void rouse_at(nanoseconds time);

  /// The caller must call this function when the program on this PE has ended. After this call,
  /// operations in flight no longer touch private memory of the PE, because the memory may be
  /// freed.
  void close() { memory_.close(); }

  /// Simulates messages between nodes and accesses to memory up to `time`. If another PE runs at an
  /// earlier time, the simulation stops at that time. The function advances the traffic of the
  /// whole job, so any endpoint may call it.
  void let_network_go_on(nanoseconds time);

  /// Makes the PE leave its core. The caller calls this function if the PE waits or has ended.
  void give_core_away() { world_.time->give_core_away({rank_, time_}); }

  /// Sets the fiber on which this PE runs. The caller must call this function before the program on
  /// the PE begins.
  void set_stack(fiber& stack) { stack_ = &stack; }

 private:
  // The arrival time of the oldest buffer from one sender, and the sender.
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
  // The next arrival from each sender, sorted by time with the earliest arrival last.
  std::vector<arrival> arrivals_;
  // Wires for which `acquire` has returned null and no place is free yet.
  std::vector<channel*> refused_;
  nanoseconds room_at_ = forever;  // earliest time when a wire of `refused_` has a free place
  bool waits_ = false;
  // Parameter `what` of the present `wait`.
  awaited awaited_ = awaited::anything;
  // Sender of the buffer that was polled and not released yet.
  int delivered_ = none;

  memory_access memory_;
  bool operations_ended_ = false;  // true if an operation has ended since the last return of `wait`

  std::optional<message_port> messages_;  // has a value if the job has several nodes
  std::optional<internode::remote_wire> far_;
  std::optional<internode::receive_group> arriving_;
  // Computes the remaining naps of the present wait.
  internode::naps naps_{{0, 1}};
  // Time of the last poll for messages of other nodes in the present wait.
  nanoseconds last_far_look_ = 0;
  bool far_first_ = false;
  bool delivered_far_ = false;
};

}  // namespace atl::transport::sim
