#include "atoll/message/streams.hpp"

#include "atoll/base/error.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace atl::message {
namespace {

constexpr std::uint32_t k_most_places = 1024;
constexpr std::size_t k_most_with_hop = 1024;

}  // namespace

// An empty place shows an object of a destination that is never looked for there.
streams::streams(int self, int pes, const route_table& routes,
                 std::function<void(outgoing&)> give_up)
    : self_(self),
      pes_(static_cast<std::uint32_t>(pes)),
      mask_(std::clamp(std::bit_ceil(pes_), 2U, k_most_places) - 1),
      routes_(routes),
      give_up_(std::move(give_up)),
      places_(mask_ + 1, nowhere_.data()) {
  nowhere_[0].destination = 0;
  nowhere_[1].destination = 1;
  places_[0] = &nowhere_[1];
}

void streams::refuse(int destination) const {
  const char* const null = destination == -1 ? " (as of a null global_address)" : "";
  fail(errc::input, "a message was sent to PE {}{}; there are {} PEs", destination, null, pes_);
}

outgoing& streams::bring(int destination) {
  if (static_cast<std::uint32_t>(destination) >= pes_) refuse(destination);
  const auto found = of_.find(destination);
  outgoing& brought = found != of_.end() ? *found->second : make(destination);
  return *(places_[place_of(destination)] = &brought);
}

outgoing& streams::make(int destination) {
  const int hop = routes_.hop(destination);
  const bool is_new = hop == destination || with_hop_.size() < k_most_with_hop;
  outgoing& made = is_new ? all_.emplace_back() : take_over_oldest();
  if (is_new && hop != destination) with_hop_.push_back(&made);
  made.destination = destination;
  made.hop = hop;
  of_.emplace(destination, &made);
  return made;
}

outgoing& streams::take_over_oldest() {
  while (with_hop_[oldest_]->is_open_buffer()) oldest_ = (oldest_ + 1) % with_hop_.size();
  outgoing& oldest = *with_hop_[oldest_];
  oldest_ = (oldest_ + 1) % with_hop_.size();
  give_up_(oldest);
  if (const auto own = of_.find(oldest.destination); own != of_.end() && own->second == &oldest)
    of_.erase(own);
  outgoing*& place = places_[place_of(oldest.destination)];
  if (place == &oldest) place = &nowhere_[place_of(oldest.destination) == 0 ? 1 : 0];
  return oldest;
}

outgoing* streams::find_open(int destination) {
  const auto found = of_.find(destination);
  return found != of_.end() && found->second->is_open() ? found->second : nullptr;
}

std::uint64_t streams::take_created(outgoing& from) {
  const std::uint64_t created = std::exchange(from.created, 0);
  submitted_ += created;
  if (from.destination == self_) submitted_to_own_ += created;
  return created;
}

void streams::go_directly() noexcept {
  for (outgoing& each : all_) each.hop = each.destination;
}

std::uint64_t streams::created_for_own() const {
  const auto own = of_.find(self_);
  return submitted_to_own_ + (own == of_.end() ? 0 : own->second->created);
}

std::uint64_t streams::created() const {
  std::uint64_t total = submitted_;
  for (const outgoing& each : all_) total += each.created;
  return total;
}

}  // namespace atl::message
