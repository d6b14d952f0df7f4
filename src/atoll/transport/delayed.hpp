#pragma once
// An endpoint that adds latency to another endpoint (setting `delay`). Experiments with this
// endpoint show how many tasks are needed to hide a given latency.

#include "atoll/transport/transport.hpp"

#include <deque>
#include <memory>
#include <vector>

namespace atl::transport {

/// An endpoint whose buffers become visible to their receiver `delay` nanoseconds after their
/// submission. Buffers that a PE sends to itself, and one-sided accesses to segments, are not
/// delayed. All PEs must be on one machine, because they must have the same clock.
class delayed_endpoint final : public endpoint {
 public:
  /// Adds `delay` nanoseconds of latency to the endpoint `wire`. The endpoint `wire` must outlive
  /// this object, and nothing else may use it.
  delayed_endpoint(endpoint& wire, nanoseconds delay);

  std::byte* acquire(int destination) override;
  void submit(int destination, std::uint32_t bytes) override;
  delivery poll() override;
  void release() override;
  void wait(nanoseconds deadline, awaited what) override;
  bool wake() noexcept override { return wire_.wake(); }
  void rouse(int pe) noexcept override { wire_.rouse(pe); }
  bool linger(memory_watch& until) override { return wire_.linger(until); }
  nanoseconds network_taken() const noexcept override { return wire_.network_taken(); }
  nanoseconds now() override { return wire_.now(); }
  void fail(int exit_status) override { wire_.fail(exit_status); }

 private:
  /// A buffer that has arrived and is not visible yet.
  struct held_buffer {
    nanoseconds visible_at;
    std::unique_ptr<std::byte[]> data;
    std::uint32_t bytes;
    int source;
  };

  void hold_what_arrives();
  delivery visible(nanoseconds time);

  endpoint& wire_;
  nanoseconds delay_;
  /// The last acquired buffer of each destination PE.
  std::vector<std::byte*> acquired_;
  /// Arrived buffers that are not visible yet: one queue for each sending PE, in the order of
  /// arrival.
  std::vector<std::deque<held_buffer>> held_;
  std::size_t held_bytes_ = 0;
  int next_ = 0;       ///< the sending PE whose buffers `poll` examines first
  int delivered_ = 0;  ///< sender of the buffer that was polled and not released yet
};

}  // namespace atl::transport
