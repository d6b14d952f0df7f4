#include "atoll/message/streams.hpp"

#include "atoll/error.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace atl::message {
namespace {

constexpr int k_nobody = -1;

}  // namespace

streams::streams(int self, int pes, const route_table& routes,
                 std::function<void(send_buffer&)> give_up)
    : self_(self),
      pes_(static_cast<std::uint32_t>(pes)),
      mask_(std::clamp(std::bit_ceil(pes_), 2U, std::uint32_t{k_most_places}) - 1),
      routes_(routes),
      give_up_(std::move(give_up)),
      places_(mask_ + 1),
      beside_(mask_ + 1) {
  for (std::size_t place = 0; place < places_.size(); ++place) empty(places_[place], place);
}

// Marks the object as unused. The `destination` of an unused object is a PE that belongs to another
// place of the table, so that no search finds the object.
void streams::empty(send_buffer& of, std::size_t place) noexcept {
  of.destination = place == 0 ? 1 : 0;
  of.hop = k_nobody;
}

void streams::refuse(int destination, site where) const {
  const char* const null = destination == -1 ? " (as of a null global_address)" : "";
  fail(errc::input, "{}: a message was sent to PE {}{}; there are {} PEs", to_string(where),
       destination, null, pes_);
}

send_buffer& streams::bring(int destination, site where) {
  if (static_cast<std::uint32_t>(destination) >= pes_) refuse(destination, where);
  const int hop = routes_.hop(destination);
  return hop == destination ? partner(destination) : behind(destination, hop);
}

send_buffer& streams::partner(int destination) {
  const auto found = more_partners_.find(destination);
  if (found != more_partners_.end()) return found->second;
  send_buffer& usual = places_[place_of(destination)];
  const bool is_taken = usual.is_direct();
  send_buffer& given = is_taken ? more_partners_[destination] : usual;
  if (!is_taken) let_go(usual);
  given.destination = given.hop = destination;
  return given;
}

void streams::let_go(send_buffer& of) {
  if (of.hop != k_nobody) give_up_(of);
}

// `hop` and `destination` may share a place of the table. The function first calls `to(hop)`, which
// makes the hop a partner: a PE for which this PE keeps a `send_buffer` object. If `to(hop)` were
// called after an object was chosen for `destination`, the call could give the chosen object to the
// hop.
send_buffer& streams::behind(int destination, int hop) {
  to(hop);
  const std::size_t place = place_of(destination);
  send_buffer& usual = places_[place];
  send_buffer& given = usual.is_direct() ? beside(place) : usual;
  if (given.destination == destination) return given;
  ATOLL_ASSERT(!given.is_direct(), "what is on a detour keeps its object");
  let_go(given);
  if (&given == &usual && beside_[place] != nullptr && beside_[place]->destination == destination)
    // While `begin_detour` used the table's object to send directly to another PE, the object in
    // `beside_` collected the messages for `destination`.
    let_go(beside(place));
  given.destination = destination;
  given.hop = hop;
  return given;
}

send_buffer& streams::beside(std::size_t place) {
  if (beside_[place] == nullptr) {
    beside_[place] = std::make_unique<send_buffer>();
    empty(*beside_[place], place);
  }
  return *beside_[place];
}

send_buffer* streams::open_buffer_for(int destination) {
  const int hop = routes_.hop(destination);
  send_buffer& usual = places_[place_of(hop)];
  if (usual.destination == hop) return usual.is_open() ? &usual : nullptr;
  const auto found = more_partners_.find(hop);
  return found != more_partners_.end() && found->second.is_open() ? &found->second : nullptr;
}

send_buffer& streams::begin_detour(int destination) {
  send_buffer& detour = to(destination);
  if (!detour.is_direct()) give_up_(detour);
  detour.hop = destination;
  return detour;
}

std::uint64_t streams::take_created(send_buffer& from) {
  const std::uint64_t created = std::exchange(from.created, 0);
  submitted_ += created;
  if (from.destination == self_) submitted_to_own_ += created;
  return created;
}

void streams::forget_hops() noexcept {
  for (std::size_t place = 0; place < places_.size(); ++place) {
    if (!places_[place].is_direct()) empty(places_[place], place);
    if (beside_[place] != nullptr) empty(*beside_[place], place);
  }
}

template <class Function>
void streams::for_each(const Function& function) const {
  for (const send_buffer& each : places_) function(each);
  for (const auto& [destination, each] : more_partners_) function(each);
  for (const auto& each : beside_)
    if (each != nullptr) function(*each);
}

std::uint64_t streams::created_for_own() const {
  std::uint64_t total = submitted_to_own_;
  for_each([&](const send_buffer& each) {
    if (each.destination == self_) total += each.all_created();
  });
  return total;
}

std::uint64_t streams::created() const {
  std::uint64_t total = submitted_;
  for_each([&](const send_buffer& each) { total += each.all_created(); });
  return total;
}

}  // namespace atl::message
