#include "atoll/transport/delayed.hpp"

#include "atoll/base/pe.hpp"
#include "atoll/observe/counters.hpp"

#include <algorithm>
#include <cstring>

namespace atl::transport {
namespace {

// Size in bytes of the header before the data of each buffer. The header contains the time when the
// buffer becomes visible. The header fills a cache line, so that the data stays aligned.
constexpr std::uint32_t k_header = 64;

// Maximum size in bytes of all buffers that an endpoint holds back. Further buffers stay in the
// wrapped endpoint, so that their senders run out of free buffers (back-pressure).
constexpr std::size_t k_most_held_bytes = std::size_t{64} << 20;

}  // namespace

delayed_endpoint::delayed_endpoint(endpoint& wire, nanoseconds delay)
    : wire_(wire),
      delay_(delay),
      acquired_(static_cast<std::size_t>(wire.size())),
      held_(acquired_.size()) {
  stand_before(wire);
  buffer_capacity_ -= k_header;
}

std::byte* delayed_endpoint::acquire(int destination) {
  std::byte* const buffer = wire_.acquire(destination);
  acquired_[static_cast<std::size_t>(destination)] = buffer;
  return buffer == nullptr ? nullptr : buffer + k_header;
}

void delayed_endpoint::submit(int destination, std::uint32_t bytes) {
  const nanoseconds visible_at = destination == rank_ ? 0 : now() + delay_;
  std::memcpy(acquired_[static_cast<std::size_t>(destination)], &visible_at, sizeof visible_at);
  wire_.submit(destination, k_header + bytes);
}

void delayed_endpoint::hold_what_arrives() {
  while (held_bytes_ < k_most_held_bytes) {
    const delivery arrived = wire_.poll();
    if (arrived.data == nullptr) return;
    held_buffer held;
    std::memcpy(&held.visible_at, arrived.data, sizeof held.visible_at);
    held.bytes = arrived.bytes - k_header;
    held.source = arrived.source;
    held.data = std::make_unique_for_overwrite<std::byte[]>(held.bytes);
    std::memcpy(held.data.get(), arrived.data + k_header, held.bytes);
    wire_.release();
    if (current_pe != nullptr) current_pe->counters->bytes_copied += held.bytes;
    held_bytes_ += held.bytes;
    held_[static_cast<std::size_t>(held.source)].push_back(std::move(held));
  }
}

// If a held buffer is visible, the function returns it without polling the wrapped endpoint,
// because polling may need system calls.
delivery delayed_endpoint::poll() {
  const nanoseconds time = now();
  const delivery held = visible(time);
  if (held.data != nullptr) return held;
  hold_what_arrives();
  return visible(time);
}

delivery delayed_endpoint::visible(nanoseconds time) {
  for (int step = 0; step < size_; ++step) {
    const int source = (next_ + step) % size_;
    const auto& waiting = held_[static_cast<std::size_t>(source)];
    if (waiting.empty() || waiting.front().visible_at > time) continue;
    delivered_ = source;
    next_ = (source + 1) % size_;
    return {waiting.front().data.get(), waiting.front().bytes, source};
  }
  return {};
}

void delayed_endpoint::release() {
  auto& waiting = held_[static_cast<std::size_t>(delivered_)];
  held_bytes_ -= waiting.front().bytes;
  waiting.pop_front();
}

void delayed_endpoint::wait(nanoseconds deadline, awaited what) {
  for (const auto& waiting : held_) {
    if (what == awaited::anything && !waiting.empty())
      deadline = std::min(deadline, waiting.front().visible_at);
  }
  wire_.wait(deadline, what);
}

}  // namespace atl::transport
