#pragma once
// The class `timing` decides how long each action takes in a simulated job. One implementation
// draws times at random (world.cpp). Another implementation computes times by a model of a cluster
// (cluster.hpp). All times are in nanoseconds.

#include "atoll/transport/transport.hpp"

#include <cstddef>
#include <optional>

namespace atl::transport::sim {

/// A message between nodes. The number identifies the message.
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

  /// The function `start` returns how long after the start of the job a PE begins. The function
  /// `notice` returns how long the other PEs need to notice the death of a PE.
  virtual nanoseconds start() = 0;
  virtual nanoseconds notice() = 0;

  /// The function `look` returns how long a poll for messages takes. The function `clock` returns
  /// how long reading the clock takes. In the model of a cluster, the result includes the time of
  /// all work of the PE since the last call. Only the PE itself calls `look` and `clock`.
  virtual nanoseconds look(moment at) = 0;
  virtual nanoseconds clock(moment at) = 0;

  // The next functions return times of communication within a node.

  /// The function `handing_over` returns how long a PE takes to send a buffer within its node. The
  /// function `taking` returns how long a PE takes to receive a buffer. Only the PE itself calls
  /// `handing_over` and `taking`.
  virtual nanoseconds handing_over(moment at) = 0;
  virtual nanoseconds taking(moment at) = 0;

  /// Returns how long a PE takes to load or store `bytes` bytes of another PE's memory. Only the PE
  /// itself calls this function.
  virtual nanoseconds reaching(moment at, std::uint32_t bytes) = 0;

  /// The function `journey` returns how long a buffer is in flight. The function `return_of_room`
  /// returns how long after the release of a buffer the sender can use it again.
  virtual nanoseconds journey() = 0;
  virtual nanoseconds return_of_room() = 0;

  // The next functions return times of communication between nodes.

  /// The function `sending` returns how long a PE takes to send `bytes` bytes. The function
  /// `receiving` returns how long a PE takes to receive `bytes` bytes. The function `looking_far`
  /// returns the time of a poll that finds no message. Only the PE itself calls the three functions
  /// `sending`, `receiving` and `looking_far`.
  virtual nanoseconds sending(moment at, std::uint32_t bytes) = 0;
  virtual nanoseconds receiving(moment at, std::uint32_t bytes) = 0;
  virtual nanoseconds looking_far(moment at) = 0;

  /// Returns the time between two polls of a waiting PE. Between the polls, the PE sleeps for `nap`
  /// nanoseconds or, if `nap` is 0, yields its core once.
  virtual nanoseconds pause(nanoseconds nap) = 0;

  /// Returns the time when a message that is sent at `time` arrives. If the arrival depends on
  /// later traffic, returns nothing, and a later call of `take_step` returns the arrival.
  virtual std::optional<nanoseconds> arrival(const shipment& sent, nanoseconds time) = 0;

  struct arrived {
    shipment message;
    nanoseconds time;
  };

  /// Returns the time of the next event within the network, or `forever` if there is no event.
  virtual nanoseconds next_step() const { return forever; }

  /// Simulates the next event within the network. If the event is the last one of a message,
  /// returns the message and the time of its arrival.
  virtual std::optional<arrived> take_step() { return std::nullopt; }

  /// Returns how long, in ns, messages of a PE have occupied the outgoing link of its node so far.
  virtual nanoseconds way_taken(int) const { return 0; }

  /// Returns true if each PE has a core that no other PE needs.
  virtual bool own_cores() const = 0;

  /// Asks for a core for the PE `at.pe`, which has work. If the PE gets or has a core at the time
  /// `at.time`, returns that time. If the PE does not get a core, returns the later time at which
  /// the PE must ask again. To give the core away, the PE calls `give_core_away`.
  virtual nanoseconds core_for(moment at) { return at.time; }
  virtual void give_core_away(moment) {}

  /// Returns which of `count` arrived buffers is delivered next. The result 0 means the buffer that
  /// arrived first.
  virtual std::size_t one_of(std::size_t count) = 0;

  /// The function `buffers_of_pair` returns the default number of buffers from one PE to another PE
  /// of its node. If `own` is true, the number is for buffers of a PE to itself. The function
  /// `far_buffers_of_pair` returns the default number for PEs of different nodes, where 0 means the
  /// default of internode/remote_wire.hpp.
  virtual std::size_t buffers_of_pair(bool own) = 0;
  virtual std::size_t far_buffers_of_pair() = 0;
};

}  // namespace atl::transport::sim
