#include "atoll/transport/sim/memory_access.hpp"

#include "atoll/base/mutants.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

namespace atl::transport::sim {
namespace {

// Size in bytes of a request without data, and of an answer without data.
constexpr std::size_t header_bytes = 32;
constexpr std::size_t word_bytes = 8;
constexpr std::uint64_t most_pieces = 4;
constexpr std::uint64_t purpose_of_pieces = 0x7075742d;

}  // namespace

memory_access::memory_access(world& world, int rank, nanoseconds& time)
    : world_(world),
      rank_(rank),
      time_(time),
      pieces_(world.seed, purpose_of_pieces + static_cast<std::uint64_t>(rank)) {}

std::byte* memory_access::at(const remote_place& place) const {
  return world_.job.symmetric().bases()[place.pe] + place.offset;
}

/// Advances the clock of this PE by the cost of an operation on the memory of `pe`. Within a node,
/// this PE itself loads or stores `length` bytes. Between nodes, the network accesses the memory,
/// and this PE only copies `copied` bytes before sending.
void memory_access::reach(int pe, std::size_t length, std::size_t copied) {
  time_ += world_.of_one_node(rank_, pe)
               ? world_.time->reaching({rank_, time_}, static_cast<std::uint32_t>(length))
               : world_.time->sending({rank_, time_}, static_cast<std::uint32_t>(copied));
}

/// Sends `length` bytes at the time `start`, schedules `what` for the time of their arrival, and
/// returns this time. The bytes do not arrive before the time `not_before`. If the model of the
/// network computes the arrival only later, returns 0. The model ignores `not_before`, because it
/// keeps messages between two PEs in order anyway.
nanoseconds memory_access::carry(int from, int to, std::size_t length, nanoseconds start,
                                 nanoseconds not_before, action what) {
  if (world_.of_one_node(from, to)) {
    const nanoseconds arrival = std::max(start + world_.time->journey(), not_before);
    world_.memory.at(arrival, std::move(what));
    return arrival;
  }
  const shipment sent{world_.memory.travels(std::move(what)), from, to,
                      static_cast<std::uint32_t>(length)};
  const auto known = world_.time->arrival(sent, start);
  if (!known) return 0;
  const nanoseconds arrival = std::max(*known, not_before);
  world_.memory.arrived(sent.number, arrival);
  return arrival;
}

/// Sends an answer from the PE `from` to this PE. When the answer arrives, `what` is called.
void memory_access::answer(int from, std::size_t length, nanoseconds start, action what) {
  carry(from, rank_, length, start, 0, std::move(what));
}

void memory_access::begin(open_operations& counted) {
  ++counted.count;
  ++open_;
}

void memory_access::end(open_operations& counted, nanoseconds time) {
  ended_.push_back(&counted);
  world_.rouse(rank_, time);
}

bool memory_access::count_out() {
  if (ended_.empty()) return false;
  open_ -= ended_.size();
  for (std::size_t k = 0; k < ended_.size(); ++k) ended_[k]->one_complete();
  ended_.clear();
  return true;
}

/// A put that is in flight.
struct memory_access::transfer {
  remote_place to;
  std::vector<std::byte> copied;
  // The bytes to store. If the caller keeps the source of the put unchanged, the bytes are the
  // source itself. If the caller may change the source, the bytes are the copy in `copied`.
  std::span<const std::byte> from;
  open_operations& counted;
  std::optional<signal_update> signal;
  std::size_t pieces = 0;
};

/// Returns the offsets at which a put is divided into pieces. If times are random, a put is divided
/// at random boundaries between words of the target. In the model of a cluster, a put is one piece.
std::vector<std::size_t> memory_access::cuts_of(std::uint64_t offset, std::size_t length) {
  std::vector<std::size_t> cuts = {0, length};
  const std::uint64_t pieces = world_.modelled ? 1 : 1 + pieces_.below(most_pieces);
  for (std::uint64_t k = 1; k < pieces && length > word_bytes; ++k) {
    const std::uint64_t word = (offset + pieces_.below(length)) / word_bytes * word_bytes;
    if (word > offset) cuts.push_back(word - offset);
  }
  std::ranges::sort(cuts);
  return cuts;
}

void memory_access::put(const remote_place& to, std::span<const std::byte> from, bool lasts,
                        open_operations& counted, const signal_update* signal) {
  begin(counted);
  reach(to.pe, from.size(), lasts ? header_bytes : from.size());
  auto of = std::make_shared<transfer>(transfer{to, {}, from, counted, {}, 0});
  if (!lasts) {
    of->copied.assign(from.begin(), from.end());
    of->from = of->copied;
  }
  if (signal != nullptr) of->signal = *signal;
  const std::vector<std::size_t> cuts = cuts_of(to.offset, from.size());
  of->pieces = cuts.size() - 1;
  for (std::size_t k = 0; k + 1 < cuts.size(); ++k) put_piece(of, cuts[k], cuts[k + 1]);
}

void memory_access::put_piece(const std::shared_ptr<transfer>& of, std::size_t begin,
                              std::size_t end) {
  const int pe = of->to.pe;
  const auto store = [this, of, begin, end](nanoseconds time) {
    if (end > begin && !is_closed_)
      std::memcpy(at(of->to) + begin, of->from.data() + begin, end - begin);
    if (--of->pieces == 0) {
      if (of->signal) apply_atomic(of->signal->what, at({of->to.pe, of->signal->offset}));
      answer(of->to.pe, header_bytes, time,
             [this, of](nanoseconds back) { this->end(of->counted, back); });
    }
    world_.rouse(of->to.pe, time);
  };
  puts& there = puts_[pe];
  const nanoseconds arrival =
      carry(rank_, pe, header_bytes + (end - begin), time_, there.floor, store);
  there.last = std::max(there.last, arrival);
}

void memory_access::get(const remote_place& from, std::span<std::byte> into,
                        open_operations& counted) {
  begin(counted);
  reach(from.pe, into.size(), header_bytes);
  const auto read = [this, from, into, &counted](nanoseconds time) {
    const std::byte* const begin = at(from);
    std::vector<std::byte> seen(begin, begin + into.size());
    const auto store = [this, into, &counted, seen = std::move(seen)](nanoseconds back) {
      if (!is_closed_ && !into.empty()) std::memcpy(into.data(), seen.data(), seen.size());
      end(counted, back);
    };
    answer(from.pe, header_bytes + into.size(), time, store);
  };
  carry(rank_, from.pe, header_bytes, time_, 0, read);
}

/// Executes the atomic operation `what` on the word at `place`, and returns the previous value of
/// the word.
std::uint64_t memory_access::change_at(const remote_place& place, const atomic_operation& what,
                                       nanoseconds time) {
  if (!mutants::has(mutants::fault::split_atomic)) return apply_atomic(what, at(place));
  std::uint64_t word = 0;
  std::memcpy(&word, at(place), what.bytes);
  std::uint64_t changed = word;
  const std::uint64_t before = apply_atomic(what, reinterpret_cast<std::byte*>(&changed));
  world_.memory.at(time + world_.time->journey(), [this, place, what, changed](nanoseconds) {
    std::memcpy(at(place), &changed, what.bytes);
  });
  return before;
}

void memory_access::update(const remote_place& place, const atomic_operation& what,
                           std::uint64_t* before, open_operations& counted) {
  begin(counted);
  reach(place.pe, header_bytes, header_bytes);
  const auto change = [this, place, what, before, &counted](nanoseconds time) {
    const std::uint64_t seen = change_at(place, what, time);
    answer(place.pe, header_bytes, time, [this, before, seen, &counted](nanoseconds back) {
      if (before != nullptr && !is_closed_) *before = seen;
      end(counted, back);
    });
    world_.rouse(place.pe, time);
  };
  puts& there = puts_[place.pe];
  const nanoseconds arrival = carry(rank_, place.pe, header_bytes, time_, there.floor, change);
  there.last = std::max(there.last, arrival);
}

void memory_access::fence() {
  for (auto& [pe, there] : puts_) there.floor = there.last;
}

}  // namespace atl::transport::sim
