#pragma once
// The class `timing` decides how long each action takes in a simulated job. One implementation
// draws times at random (world.cpp), another one computes them by the model of a cluster
// (cluster.hpp). All times are in nanoseconds.

#include "atoll/transport/transport.hpp"

#include <cstddef>
#include <optional>

namespace atl::transport::sim {

/// A message between nodes, which its number identifies.
struct shipment {
  std::uint64_t number;
  int from;
  int to;
  std::uint32_t bytes;
};

/// A PE and the time of its clock.
struct moment {
  int pe;
  nanoseconds time;
};

class timing {
 public:
  virtual ~timing() = default;

  /// `start` returns how long after the start of the job a PE begins. `notice` returns how long
  /// after the death of a PE the death is noticed.
  virtual nanoseconds start() = 0;
  virtual nanoseconds notice() = 0;

  /// `look` returns how long a poll for messages takes the PE, and `clock` how long reading the
  /// clock takes. In the model of a cluster the result includes the time of all work since the last
  /// call. Only the PE calls these functions.
  virtual nanoseconds look(moment at) = 0;
  virtual nanoseconds clock(moment at) = 0;

  // The next functions are about communication within a node.

  /// `handing_over` returns how long it takes a PE to send a buffer within its node. `taking`
  /// returns how long it takes a PE to receive a buffer. Only the PE calls these functions.
  virtual nanoseconds handing_over(moment at) = 0;
  virtual nanoseconds taking(moment at) = 0;

  /// Returns how long a PE takes to load or store `bytes` bytes of another PE's memory. Only the PE
  /// calls this.
  virtual nanoseconds reaching(moment at, std::uint32_t bytes) = 0;

  /// `journey` returns how long a buffer is in flight. `return_of_room` returns how long it takes
  /// until the sender knows that a buffer was released.
  virtual nanoseconds journey() = 0;
  virtual nanoseconds return_of_room() = 0;

  // The next functions are about communication between nodes.

  /// `sending` and `receiving` return how long a PE takes to send and to receive `bytes` bytes.
  /// `looking_far` returns how long a poll takes that finds no message. Only the PE calls these
  /// functions.
  virtual nanoseconds sending(moment at, std::uint32_t bytes) = 0;
  virtual nanoseconds receiving(moment at, std::uint32_t bytes) = 0;
  virtual nanoseconds looking_far(moment at) = 0;

  /// Returns the time between two polls of a waiting PE that naps for `nap` nanoseconds in between.
  /// If `nap` is 0, the PE yields its core once instead.
  virtual nanoseconds pause(nanoseconds nap) = 0;

  /// Returns the time at which a message sent at `time` arrives. Returns nothing if that depends on
  /// later traffic. A later call of `take_step` then returns the arrival.
  virtual std::optional<nanoseconds> arrival(const shipment& sent, nanoseconds time) = 0;

  struct arrived {
    shipment message;
    nanoseconds time;
  };

  /// Returns the time of the next event within the network; `forever` if there is none.
  virtual nanoseconds next_step() const { return forever; }

  /// Simulates the next event within the network. If the event determines when a message arrives,
  /// returns the message and the time of its arrival.
  virtual std::optional<arrived> take_step() { return std::nullopt; }

  /// Returns how long messages of a PE have occupied the outgoing link of its node so far.
  virtual nanoseconds way_taken(int) const { return 0; }

  /// Returns whether each PE has a core that no other PE needs.
  virtual bool own_cores() const = 0;

  /// Returns `at.time` if the PE `at.pe`, which has work, has a core at that time. The PE keeps the
  /// core until it calls `give_core_away`. If the PE has no core, returns the time at which the PE
  /// must ask again.
  virtual nanoseconds core_for(moment at) { return at.time; }
  virtual void give_core_away(moment) {}

  /// Returns which of `count` arrived buffers is delivered next. 0 stands for the buffer that
  /// arrived first.
  virtual std::size_t one_of(std::size_t count) = 0;

  /// Both functions return the number of buffers per pair of PEs if the settings leave it open.
  /// `buffers_of_pair` is for PEs of one node, `far_buffers_of_pair` for PEs of different nodes. 0
  /// means the default of far/remote_wire.hpp.
  virtual std::size_t buffers_of_pair(bool own) = 0;
  virtual std::size_t far_buffers_of_pair() = 0;
};

}  // namespace atl::transport::sim
