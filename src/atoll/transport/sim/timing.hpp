#pragma once
// What decides how long things take in a simulated job: chance, or the model of a cluster.

#include "atoll/transport/transport.hpp"

#include <cstddef>
#include <optional>

namespace atl::transport::sim {

class timing {
 public:
  virtual ~timing() = default;

  /// How late a PE begins, and how late the death of a PE is noticed.
  virtual nanoseconds start() = 0;
  virtual nanoseconds notice() = 0;

  /// How long a look for messages takes this PE, or a look at the clock. In the model also what the
  /// PE has done since the last such look. Called by the PE.
  virtual nanoseconds look(int pe) = 0;
  virtual nanoseconds clock(int pe) = 0;

  /// What a PE takes to hand a buffer over to its wire, and to take one from it. Called by the PE.
  virtual nanoseconds sending(int from, int to) = 0;
  virtual nanoseconds receiving(int from, int to) = 0;

  /// When what a PE hands over at `time` arrives; nothing where that depends on what others send
  /// meanwhile: then `next_step` comes and `take_step` says it.
  virtual std::optional<nanoseconds> arrival(int from, int to, std::uint32_t bytes,
                                             nanoseconds time) = 0;

  /// How long the room that a buffer took is under way back to its sender.
  virtual nanoseconds return_of_room(int from, int to) = 0;

  struct arrived {
    int from;
    int to;
    nanoseconds time;
  };

  /// The time of the next event within the network; `forever` where there is none.
  virtual nanoseconds next_step() const { return forever; }

  /// Lets that event happen. Returns the buffer whose arrival it decides, if there is one.
  virtual std::optional<arrived> take_step() { return std::nullopt; }

  /// Which of so many arrived buffers is delivered first; 0 is the earliest.
  virtual std::size_t one_of(std::size_t count) = 0;

  /// How many buffers a pair of PEs has where the settings leave it open.
  virtual std::size_t buffers_of_pair() = 0;
};

}  // namespace atl::transport::sim
