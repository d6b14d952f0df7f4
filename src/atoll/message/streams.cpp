#include "atoll/message/streams.hpp"

#include "atoll/base/error.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace atl::message {
namespace {

constexpr std::uint32_t k_most_places = 1024;

}  // namespace

streams::streams(int self, int pes, const route_table& routes,
                 std::function<void(outgoing&)> give_up)
    : self_(self),
      pes_(static_cast<std::uint32_t>(pes)),
      mask_(std::clamp(std::bit_ceil(pes_), 2U, k_most_places) - 1),
      routes_(routes),
      give_up_(std::move(give_up)),
      places_(mask_ + 1),
      behind_(mask_ + 1) {
  nowhere_[1].destination = 1;
  for (std::size_t place = 0; place < places_.size(); ++place) empty_place(place);
}

// It shows an object of a destination that is never looked for there.
void streams::empty_place(std::size_t place) noexcept {
  places_[place] = &nowhere_[place == 0 ? 1 : 0];
}

void streams::refuse(int destination) const {
  const char* const null = destination == -1 ? " (as of a null global_address)" : "";
  fail(errc::input, "a message was sent to PE {}{}; there are {} PEs", destination, null, pes_);
}

outgoing& streams::bring(int destination) {
  if (static_cast<std::uint32_t>(destination) >= pes_) refuse(destination);
  const int hop = routes_.hop(destination);
  outgoing& found = hop == destination ? partner(destination) : behind(destination, hop);
  return *(places_[place_of(destination)] = &found);
}

outgoing& streams::partner(int destination) {
  outgoing& found = partners_[destination];
  found.destination = found.hop = destination;
  return found;
}

outgoing& streams::behind(int destination, int hop) {
  std::unique_ptr<outgoing>& of_place = behind_[place_of(destination)];
  if (of_place == nullptr) {
    of_place = std::make_unique<outgoing>();
  } else if (of_place->destination != destination) {
    give_up_(*of_place);
  }
  of_place->destination = destination;
  of_place->hop = hop;
  return *of_place;
}

outgoing* streams::open_buffer_for(int destination) {
  const auto found = partners_.find(routes_.hop(destination));
  return found != partners_.end() && found->second.is_open() ? &found->second : nullptr;
}

outgoing& streams::begin_detour(int destination) {
  outgoing& usual = to(destination);
  if (usual.is_direct()) return usual;
  on_detour_.destination = on_detour_.hop = destination;
  return *(places_[place_of(destination)] = &on_detour_);
}

void streams::end_detour() {
  const std::size_t place = place_of(on_detour_.destination);
  if (places_[place] == &on_detour_) empty_place(place);
}

std::uint64_t streams::take_created(outgoing& from) {
  const std::uint64_t created = std::exchange(from.created, 0);
  submitted_ += created;
  if (from.destination == self_) submitted_to_own_ += created;
  return created;
}

void streams::forget_hops() noexcept {
  for (std::size_t place = 0; place < places_.size(); ++place) empty_place(place);
}

std::uint64_t streams::created_for_own() const {
  const auto own = partners_.find(self_);
  return submitted_to_own_ + (own == partners_.end() ? 0 : own->second.created);
}

std::uint64_t streams::created() const {
  std::uint64_t total = submitted_ + on_detour_.created;
  for (const auto& [destination, each] : partners_) total += each.created;
  for (const auto& each : behind_)
    if (each != nullptr) total += each->created;
  return total;
}

}  // namespace atl::message
