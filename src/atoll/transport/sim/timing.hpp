#pragma once
// What decides how long things take in a simulated job: chance, or the model of a cluster.

#include "atoll/transport/transport.hpp"

#include <cstddef>
#include <optional>

namespace atl::transport::sim {

/// A message between nodes; its number says which.
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

  /// How late a PE begins, and how late the death of a PE is noticed.
  virtual nanoseconds start() = 0;
  virtual nanoseconds notice() = 0;

  /// How long a look for messages takes this PE, or a look at the clock. In the model also what the
  /// PE has done since the last such look. Called by the PE.
  virtual nanoseconds look(moment at) = 0;
  virtual nanoseconds clock(moment at) = 0;

  // ---- within a node
  /// What a PE takes to hand a buffer over, and to take one. Called by the PE.
  virtual nanoseconds handing_over(moment at) = 0;
  virtual nanoseconds taking(moment at) = 0;

  /// What a PE takes to load or store so many bytes of another one. Called by the PE.
  virtual nanoseconds reaching(moment at, std::uint32_t bytes) = 0;

  /// How long a buffer is under way, and how long its room is on the way back.
  virtual nanoseconds journey() = 0;
  virtual nanoseconds return_of_room() = 0;

  // ---- between nodes
  /// What a PE takes to send so many bytes, to receive them, and to look for a message that is not
  /// there. Called by the PE.
  virtual nanoseconds sending(moment at, std::uint32_t bytes) = 0;
  virtual nanoseconds receiving(moment at, std::uint32_t bytes) = 0;
  virtual nanoseconds looking_far(moment at) = 0;

  /// How long a PE that waits does not look: a nap of so many nanoseconds is asked for; 0: it gives
  /// its core away once.
  virtual nanoseconds pause(nanoseconds nap) = 0;

  /// When what a PE sends at `time` arrives; nothing where that depends on what others send
  /// meanwhile: then `next_step` comes and `take_step` says it.
  virtual std::optional<nanoseconds> arrival(const shipment& sent, nanoseconds time) = 0;

  struct arrived {
    shipment message;
    nanoseconds time;
  };

  /// The time of the next event within the network; `forever` where there is none.
  virtual nanoseconds next_step() const { return forever; }

  /// Lets that event happen. Returns the message whose arrival it decides, if there is one.
  virtual std::optional<arrived> take_step() { return std::nullopt; }

  /// How long the messages of a PE have taken the way from its node so far.
  virtual nanoseconds way_taken(int) const { return 0; }

  /// Each PE has a core that no other one needs.
  virtual bool own_cores() const = 0;

  /// The time of a PE that has work, where it has a core, which it keeps until it gives it away;
  /// else when it has to ask again.
  virtual nanoseconds core_for(moment at) { return at.time; }
  virtual void give_core_away(moment) {}

  // ----
  /// Which of so many arrived buffers is delivered first; 0 is the earliest.
  virtual std::size_t one_of(std::size_t count) = 0;

  /// How many buffers a pair of PEs of a node has, and one of different nodes (0: as everywhere),
  /// where the settings leave it open.
  virtual std::size_t buffers_of_pair(bool own) = 0;
  virtual std::size_t far_buffers_of_pair() = 0;
};

}  // namespace atl::transport::sim
