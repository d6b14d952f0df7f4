#pragma once
// A PE's end of a simulated job. Each PE has a time of its own. That time advances by the cost of
// each look for messages, drawn at random or computed by the model. It jumps over waits. A buffer
// from another PE is there once this PE's time has reached its arrival. PEs of the same node are
// reached by simulated wires. Other PEs are reached by the same wire as under MPI, over simulated
// messages.

#include "atoll/transport/far/remote_wire.hpp"
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
  /// `all` has the endpoints of the job, by PE, including this one.
  endpoint(world& world, std::vector<std::unique_ptr<endpoint>>& all, int rank);

  std::byte* acquire(int destination) override;
  void submit(int destination, std::uint32_t bytes) override;
  delivery poll() override;
  void release() override;
  void wait(nanoseconds deadline, awaited what) override;
  nanoseconds now() override;
  void fail(int exit_status) override;
  nanoseconds network_taken() const noexcept override { return world_.time->way_taken(rank_); }

  /// Advances this PE to `time`, before its fiber is resumed.
  void advance_to(nanoseconds time) { time_ = std::max(time_, time); }

  /// Announces a message of another node that arrives here at `time`.
  void comes(const shipment& message, nanoseconds time);

  /// Makes this PE look at `time`, if it waits and its memory or an operation gives it a reason.
  void rouse_at(nanoseconds time);

  /// Closes the memory of this PE, whose body has ended.
  void close() { memory_.close(); }

  /// Advances traffic between nodes and to memory until `time`, or until a PE is earlier. May be
  /// called on any endpoint of the job.
  void let_network_go_on(nanoseconds time);

  /// Yields the core: the PE waits, or has ended.
  void give_core_away() { world_.time->give_core_away({rank_, time_}); }

  /// Sets the fiber of this PE, before its body begins.
  void set_stack(fiber& stack) { stack_ = &stack; }

 private:
  using arrival = std::pair<nanoseconds, int>;  // of the first buffer of a source

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
  std::vector<arrival> arrivals_;  // sorted, earliest last
  std::vector<channel*> refused_;  // wires that had no room
  nanoseconds room_at_ = forever;  // when the first refused wire has room
  bool waits_ = false;
  awaited awaited_ = awaited::anything;  // while it waits
  int delivered_ = none;                 // source of the outstanding delivery

  memory_access memory_;
  bool operations_ended_ = false;  // any, since `wait` last returned

  std::optional<message_port> messages_;  // exists if there are PEs on other nodes
  std::optional<far::remote_wire> far_;
  std::optional<far::receive_group> arriving_;
  far::naps naps_{{0, 1}};         // remaining naps of this wait
  nanoseconds last_far_look_ = 0;  // of this wait
  bool far_first_ = false;
  bool delivered_far_ = false;
};

}  // namespace atl::transport::sim
