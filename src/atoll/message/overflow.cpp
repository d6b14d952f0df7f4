#include "atoll/message/overflow.hpp"

#include "atoll/base/memory_account.hpp"
#include "atoll/transport/transport.hpp"

#include <algorithm>
#include <cstring>
#include <new>

namespace atl::message {
namespace {

constexpr std::size_t k_spare_buffers = 16;
constexpr std::uint64_t k_much = std::uint64_t{8} << 20;

}  // namespace

overflow::overflow(transport::endpoint& transport, memory_account& account, std::uint64_t limit)
    : transport_(transport), account_(account), limit_(limit) {}

std::byte* overflow::open() {
  if (!spare_.empty()) {
    auto* buffer = spare_.back().release();
    spare_.pop_back();
    return buffer;
  }
  return new (std::nothrow) std::byte[transport_.buffer_capacity()];
}

void overflow::push(int destination, std::byte* buffer, std::uint32_t bytes) {
  queue& to = queues_[destination];
  to.buffers.push_back(trimmed(std::unique_ptr<std::byte[]>(buffer), bytes));
  to.bytes += bytes;
  waiting_bytes_ += bytes;
  account_.add(bytes);
}

overflow::waiting overflow::trimmed(std::unique_ptr<std::byte[]> buffer, std::uint32_t bytes) {
  if (bytes > transport_.buffer_capacity() / 2) return {std::move(buffer), bytes, true};
  std::unique_ptr<std::byte[]> smaller(new (std::nothrow) std::byte[bytes]);
  if (smaller == nullptr) return {std::move(buffer), bytes, true};
  std::memcpy(smaller.get(), buffer.get(), bytes);
  keep_spare(std::move(buffer));
  return {std::move(smaller), bytes, false};
}

void overflow::keep_spare(std::unique_ptr<std::byte[]> buffer) {
  if (spare_.size() < k_spare_buffers) spare_.push_back(std::move(buffer));
}

bool overflow::drain() {
  much_waits_ = false;
  bool moved = false;
  for (auto& [destination, waits] : queues_) {
    moved |= drain(destination, waits);
    if (waits.bytes > std::min(k_much, limit_ / 4)) much_waits_ = true;
  }
  std::erase_if(queues_, [](const auto& each) { return each.second.buffers.empty(); });
  return moved;
}

bool overflow::drain(int destination) {
  const auto found = queues_.find(destination);
  if (found == queues_.end()) return false;
  const bool moved = drain(destination, found->second);
  if (found->second.buffers.empty()) queues_.erase(found);
  return moved;
}

bool overflow::drain(int destination, queue& from) {
  auto& [buffers, queued_bytes] = from;
  bool moved = false;
  while (!buffers.empty()) {
    std::byte* room = transport_.acquire(destination);
    if (room == nullptr) break;
    auto& [buffer, bytes, is_whole] = buffers.front();
    std::memcpy(room, buffer.get(), bytes);
    transport_.submit(destination, bytes);
    waiting_bytes_ -= bytes;
    account_.release(bytes);
    queued_bytes -= bytes;
    if (is_whole) keep_spare(std::move(buffer));
    buffers.pop_front();
    moved = true;
  }
  return moved;
}

}  // namespace atl::message
