#include "atoll/transport/internode/remote_wire.hpp"

#include "atoll/error.hpp"

#include <algorithm>
#include <cstring>
#include <sched.h>
#include <utility>

namespace atl::transport::internode {
namespace {

constexpr std::size_t memory_of_all_pairs = std::size_t{32} << 20;
constexpr std::size_t most_buffers = 16;
constexpr std::size_t fewest_buffers = 2;
// Only few receives are posted, so that their memory stays in the cache. Few receives are enough,
// because the message layer keeps messages that arrive without a posted receive.
constexpr std::size_t fewest_receives = 2;
constexpr std::size_t most_receives_a_peer = 2;
constexpr std::size_t note_receives = 16;

std::uint32_t buffers_for(int partners, std::size_t bytes, std::uint64_t asked) {
  if (asked != 0) return static_cast<std::uint32_t>(asked);
  const std::size_t all = bytes * static_cast<std::size_t>(partners);
  return static_cast<std::uint32_t>(
      std::clamp(memory_of_all_pairs / all, fewest_buffers, most_buffers));
}

/// Returns how many additional credits this PE may grant to all its peers together. The number need
/// not grow with the number of peers, because in a large job most peers send little.
std::uint32_t grants_for(std::size_t bytes, std::uint64_t asked) {
  return asked != 0 ? 0 : static_cast<std::uint32_t>(memory_of_all_pairs / bytes);
}

std::size_t receives_for(int partners, std::uint32_t buffers, std::size_t most) {
  const std::size_t each = std::min<std::size_t>(buffers, most_receives_a_peer);
  return std::min(std::max(static_cast<std::size_t>(partners) * each, fewest_receives), most);
}

bool is_about_credits(note what) { return what == note::credits || what == note::starved; }

}  // namespace

remote_wire::remote_wire(message_layer& layer, int partners, std::uint32_t capacity,
                         std::uint64_t buffers_per_pair)
    : layer_(layer),
      capacity_(capacity),
      credits_(buffers_for(partners, capacity, buffers_per_pair)),
      grants_left_(grants_for(capacity, buffers_per_pair)),
      buffers_(layer, buffer_tag, receives_for(partners, credits_, layer.most_receives()),
               capacity),
      notes_(layer, note_tag, std::min(note_receives, layer.most_receives()),
             sizeof(note_header) + note_capacity) {}

remote_wire::peer& remote_wire::peer_of(int rank) {
  const auto [found, is_new] = peers_.try_emplace(rank);
  if (is_new) found->second.credits = found->second.granted = credits_;
  return found->second;
}

bool remote_wire::is_free(slot& of) {
  if (of.busy && layer_.test(of.request, nullptr, nullptr)) of.busy = false;
  return !of.busy;
}

// Returns a free buffer for the peer `to`, or null if there are no credits. The first free buffer
// is chosen, because it was used recently and is still in the cache.
remote_wire::slot* remote_wire::free_slot(peer& to) {
  if (to.credits == 0) return nullptr;
  const auto found = std::ranges::find_if(to.slots, [this](slot& each) { return is_free(each); });
  return found == to.slots.end() ? &to.slots.emplace_back() : &*found;
}

std::byte* remote_wire::acquire(int to) {
  peer& receiver = peer_of(to);
  if (slot* const free = free_slot(receiver); free != nullptr) {
    if (free->bytes == nullptr) free->bytes = allocate_aligned(capacity_);
    receiver.filled = free;
    return free->bytes.get();
  }
  if (!std::exchange(receiver.refused, true)) refused_.push_back(to);
  if (receiver.credits == 0 && !std::exchange(receiver.asked, true))
    send_note(to, note::starved, 0, {});
  return nullptr;
}

void remote_wire::start(int to, const std::byte* data, std::size_t bytes, int tag,
                        message_request& request) {
  ++peer_of(to).sent;
  ++traffic_.messages;
  traffic_.bytes += bytes;
  layer_.start_send(data, static_cast<int>(bytes), to, tag, request);
}

void remote_wire::submit(int to, std::uint32_t bytes) {
  ATOLL_ASSERT(bytes > 0 && bytes <= capacity_, "submit of no byte, or beyond the capacity");
  peer& receiver = peer_of(to);
  slot& filled = *receiver.filled;
  start(to, filled.bytes.get(), bytes, buffer_tag, filled.request);
  filled.busy = true;
  ++sent_;
  --receiver.credits;
}

void remote_wire::send_note(int to, note what, std::uint32_t number,
                            std::span<const std::byte> text) {
  ATOLL_ASSERT(text.size() <= note_capacity, "a note must fit a receive");
  forget_sent_notes();
  sent_note& sent = sent_notes_.emplace_back();
  const note_header header{what, number};
  sent.bytes.resize(sizeof header + text.size());
  std::memcpy(sent.bytes.data(), &header, sizeof header);
  if (!text.empty()) std::memcpy(sent.bytes.data() + sizeof header, text.data(), text.size());
  start(to, sent.bytes.data(), sent.bytes.size(), note_tag, sent.request);
  if (is_about_credits(what)) ++sent_;
}

void remote_wire::forget_sent_notes() {
  while (!sent_notes_.empty() && layer_.test(sent_notes_.front().request, nullptr, nullptr))
    sent_notes_.pop_front();
}

void remote_wire::take_notes() {
  while (notes_.look().data != nullptr) {
    take_note(notes_.look());
    notes_.pass();
  }
}

void remote_wire::take_note(const delivery& arrived) {
  note_header header{};
  std::memcpy(&header, arrived.data, sizeof header);
  peer& sender = peer_of(arrived.source);
  ++sender.received;
  if (is_about_credits(header.what)) ++received_;
  if (header.what == note::credits) {
    sender.credits += header.number;
    sender.asked = false;
  } else if (header.what == note::starved) {
    sender.starved = true;
    grant_more(sender);
    if (sender.owed != 0 && !draining_) return_credits(arrived.source);
  } else if (handle_note_) {
    handle_note_(arrived.source, header.what, header.number,
                 {arrived.data + sizeof header, arrived.bytes - sizeof header});
  }
}

/// Doubles the number of credits of a sender that has used up its credits, as far as memory for
/// buffers is left.
void remote_wire::grant_more(peer& sender) {
  const std::uint32_t most = std::max<std::uint32_t>(most_buffers, sender.granted);
  const std::uint32_t more = std::min({sender.granted, most - sender.granted, grants_left_});
  grants_left_ -= more;
  sender.granted += more;
  sender.owed += more;
}

void remote_wire::return_credits(int to) {
  peer& sender = peer_of(to);
  send_note(to, note::credits, std::exchange(sender.owed, 0), {});
  sender.starved = false;
}

bool remote_wire::has_new_room() const {
  return room_returned_ ||
         std::ranges::any_of(refused_, [this](int rank) { return peers_.at(rank).credits != 0; });
}

void remote_wire::look_for_room() {
  std::erase_if(refused_, [this](int rank) {
    peer& to = peer_of(rank);
    to.refused = free_slot(to) == nullptr;
    return !to.refused;
  });
}

void remote_wire::progress() {
  take_notes();
  const std::size_t refused = refused_.size();
  if (refused != 0) look_for_room();
  if (refused_.size() != refused) room_returned_ = true;
}

bool remote_wire::something_arrived(awaited what) {
  return room_returned_ || (what == awaited::anything && buffers_.look().data != nullptr);
}

delivery remote_wire::poll() {
  ATOLL_ASSERT(delivered_from_ < 0, "poll before the release of the last delivery");
  take_notes();
  const delivery arrived = buffers_.look();
  if (arrived.data == nullptr) return {};
  delivered_from_ = arrived.source;
  return arrived;
}

void remote_wire::release() {
  ATOLL_ASSERT(delivered_from_ >= 0, "release without a delivery");
  peer& sender = peer_of(delivered_from_);
  ++received_;
  ++sender.received;
  buffers_.pass();
  ++sender.owed;
  if (sender.starved || sender.owed >= std::max(1U, sender.granted / 2))
    return_credits(delivered_from_);
  delivered_from_ = -1;
}

bool remote_wire::has_drained(const std::vector<std::uint32_t>& sent_here) {
  forget_sent_notes();
  for (std::size_t rank = 0; rank < sent_here.size(); ++rank) {
    const auto found = peers_.find(static_cast<int>(rank));
    if (sent_here[rank] != (found == peers_.end() ? 0 : found->second.received)) return false;
  }
  return sent_notes_.empty() &&
         std::ranges::all_of(peers_, [this](auto& each) { return is_sent(each.second); });
}

bool remote_wire::is_sent(peer& to) {
  return std::ranges::all_of(to.slots, [this](slot& each) { return is_free(each); });
}

void remote_wire::drop_arrived() {
  take_notes();
  while (buffers_.look().data != nullptr) {
    ++peer_of(buffers_.look().source).received;
    buffers_.pass();
  }
}

void remote_wire::drain() {
  handle_note_ = nullptr;
  draining_ = true;
  notes_.set_in_group(false);
  buffers_.set_in_group(false);
  std::vector<std::uint32_t> sent(static_cast<std::size_t>(layer_.size()));
  for (const auto& [rank, to] : peers_) sent[static_cast<std::size_t>(rank)] = to.sent;
  std::vector<std::uint32_t> sent_here(sent.size());
  layer_.all_to_all(sent.data(), sizeof(std::uint32_t), sent_here.data());
  while (!has_drained(sent_here)) {
    drop_arrived();
    sched_yield();
  }
}

}  // namespace atl::transport::internode
