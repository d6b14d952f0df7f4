#pragma once
// Timing decides how long things take in a simulated job, at random or by the model of a cluster.

#include "atoll/transport/transport.hpp"

#include <cstddef>
#include <optional>

namespace atl::transport::sim {

/// A message between nodes, identified by its number.
struct shipment {
  std::uint64_t number;
  int from;
  int to;
  std::uint32_t bytes;
};

/// A PE and its time.
struct moment {
  int pe;
  nanoseconds time;
};

class timing {
 public:
  virtual ~timing() = default;

  /// Returns how late a PE begins, and how late the death of a PE is noticed.
  virtual nanoseconds start() = 0;
  virtual nanoseconds notice() = 0;

  /// Returns how long a look for messages, or at the clock, takes this PE. In the model this
  /// includes the PE's work since the last such look. Called by the PE.
  virtual nanoseconds look(moment at) = 0;
  virtual nanoseconds clock(moment at) = 0;

  // ---- within a node
  /// Returns how long a PE takes to hand a buffer over, and to take one. Called by the PE.
  virtual nanoseconds handing_over(moment at) = 0;
  virtual nanoseconds taking(moment at) = 0;

  /// Returns how long a PE takes to load or store `bytes` bytes of another one. Called by the PE.
  virtual nanoseconds reaching(moment at, std::uint32_t bytes) = 0;

  /// Returns how long a buffer is in flight, and how long its room takes to return.
  virtual nanoseconds journey() = 0;
  virtual nanoseconds return_of_room() = 0;

  // ---- between nodes
  /// Returns how long a PE takes to send `bytes` bytes, to receive them, and to look for a message
  /// that is not there. Called by the PE.
  virtual nanoseconds sending(moment at, std::uint32_t bytes) = 0;
  virtual nanoseconds receiving(moment at, std::uint32_t bytes) = 0;
  virtual nanoseconds looking_far(moment at) = 0;

  /// Returns how long a waiting PE does not look, if it asks for a nap of `nap` nanoseconds; 0: it
  /// yields its core once.
  virtual nanoseconds pause(nanoseconds nap) = 0;

  /// Returns when a shipment sent at `time` arrives. Nothing if that depends on later traffic:
  /// `take_step` then returns the arrival.
  virtual std::optional<nanoseconds> arrival(const shipment& sent, nanoseconds time) = 0;

  struct arrived {
    shipment message;
    nanoseconds time;
  };

  /// Returns the time of the next event within the network; `forever` if there is none.
  virtual nanoseconds next_step() const { return forever; }

  /// Lets that event happen. Returns the message whose arrival it decides, if there is one.
  virtual std::optional<arrived> take_step() { return std::nullopt; }

  /// Returns how long the messages of a PE have occupied the way out of its node so far.
  virtual nanoseconds way_taken(int) const { return 0; }

  /// Returns whether each PE has a core that no other one needs.
  virtual bool own_cores() const = 0;

  /// Returns the time of a PE with work if it has a core, which it keeps until it yields it.
  /// Otherwise returns when the PE must ask again.
  virtual nanoseconds core_for(moment at) { return at.time; }
  virtual void give_core_away(moment) {}

  // ----
  /// Returns which of `count` arrived buffers is delivered first; 0 is the earliest.
  virtual std::size_t one_of(std::size_t count) = 0;

  /// Returns the number of buffers of a pair of PEs, if the settings do not say it. The first
  /// function is for PEs of one node, the second for different nodes (0: the default).
  virtual std::size_t buffers_of_pair(bool own) = 0;
  virtual std::size_t far_buffers_of_pair() = 0;
};

}  // namespace atl::transport::sim
