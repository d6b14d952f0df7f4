#include "atoll/observe/trace.hpp"

#include <algorithm>

namespace atl::observe {
namespace {

constexpr std::int64_t k_longest_gap = 1'000;
constexpr std::int64_t k_longest_joined = 20'000;

bool joins(const trace_event& last, const trace_event& next) {
  if (last.what != next.what || last.where != next.where) return false;
  if (next.begin < last.end || next.begin - last.end > k_longest_gap) return false;
  if (last.what == traced::idle) return true;
  return last.what <= traced::deliveries && next.end - last.begin <= k_longest_joined;
}

}  // namespace

std::size_t trace_ring::bytes_for(std::uint64_t capacity) {
  return sizeof(header) + capacity * sizeof(trace_event);
}

// Counted when it is complete: the PE may die in between.
void trace_ring::add(const trace_event& happened) {
  const std::uint64_t added = header_->added.load(std::memory_order_relaxed);
  if (added != 0 && joins(at(added - 1), happened)) {
    trace_event& last = at(added - 1);
    last.end = happened.end;
    last.count += happened.count;
    last.amount = happened.amount;
    return;
  }
  at(added) = happened;
  header_->added.store(added + 1, std::memory_order_release);
}

std::uint64_t trace_ring::dropped() const {
  const std::uint64_t added = header_->added.load(std::memory_order_acquire);
  return added - std::min(added, capacity_);
}

std::vector<trace_event> trace_ring::events() const {
  std::vector<trace_event> all;
  const std::uint64_t added = header_->added.load(std::memory_order_acquire);
  for (std::uint64_t number = dropped(); number < added; ++number) all.push_back(at(number));
  // A PE that was killed may have been writing over the oldest.
  if (!all.empty() && dropped() != 0 && all.front().begin > all.back().begin)
    all.erase(all.begin());
  return all;
}

trace_rings::trace_rings(int pes, std::uint64_t bytes_each)
    : pes_(pes),
      capacity_(bytes_each / sizeof(trace_event)),
      memory_("atoll-trace", static_cast<std::size_t>(pes) * trace_ring::bytes_for(capacity_)) {}

trace_ring trace_rings::of(int pe) const {
  return {memory_.data() + static_cast<std::size_t>(pe) * trace_ring::bytes_for(capacity_),
          capacity_};
}

}  // namespace atl::observe
