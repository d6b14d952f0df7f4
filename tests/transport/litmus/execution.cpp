#include "transport/litmus/execution.hpp"

#include "atoll/error.hpp"

#include <algorithm>
#include <utility>

namespace atl::litmus {
namespace {

constexpr int nobody = -1;      // No thread has written the bytes.
constexpr int before_all = -2;  // The bytes were written before the threads began.

bool acquires(std::memory_order order) {
  return order != std::memory_order_relaxed && order != std::memory_order_release;
}

bool releases(std::memory_order order) {
  return order == std::memory_order_release || order == std::memory_order_acq_rel ||
         order == std::memory_order_seq_cst;
}

void join(clock& into, const clock& other) {
  for (std::size_t i = 0; i < into.size(); ++i) into[i] = std::max(into[i], other[i]);
}

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = a * 0x9e3779b97f4a7c15 + b;
  x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93;
  x = (x ^ (x >> 29)) * 0x94d049bb133111eb;
  return x ^ (x >> 32);
}

}  // namespace

execution::way execution::way_of(const operation& next, word found) {
  switch (next.what) {
  case act::load:
  case act::wait:
    return way::loads;
  case act::store:
    return way::stores;
  case act::compare:
    return found == next.expected ? way::both : way::loads;
  default:
    return way::both;
  }
}

std::memory_order execution::order_of(const operation& next, way how) {
  return next.what == act::compare && how == way::loads ? next.order_of_failure : next.order;
}

word modified(act by, word old, word operand) {
  switch (by) {
  case act::load:
  case act::wait:
  case act::wake:
    return old;
  case act::add:
    return old + operand;
  case act::bit_or:
    return old | operand;
  case act::bit_and:
    return old & operand;
  default:
    return operand;
  }
}

void execution::begin() {
  count_ = 0;
  last_ = -1;
  present_ = {};
  length_ = {};
  asleep_ = {};
  woken_by_.fill(-1);
  behind_.fill({});
  used_ = 0;
  bytes_.clear();
  digest_ = 0;
}

execution::location& execution::find(const operation& next) {
  for (std::size_t i = 0; i < used_; ++i)
    if (locations_[i].at == next.at) return locations_[i];
  if (used_ == locations_.size()) locations_.emplace_back();
  location& added = locations_[used_++];
  added.at = next.at;
  added.accesses.clear();
  added.digest = added.futex_digest = 0;
  added.woken = {};
  added.last_futex = -1;
  event& before_all = add_event(-1);
  before_all.writes = true;
  before_all.value = next.initial;
  added.stores.assign(1, count_ - 1);
  return added;
}

event& execution::add_event(int thread) {
  ATOLL_ASSERT(count_ < max_events, "an execution has too many events");
  event& added = events_[static_cast<std::size_t>(count_++)];
  added = {thread, 0, -1, false, false, 0, 0, {}, {}};
  if (thread < 0) return added;
  last_ = count_ - 1;
  added.index = ++length_[static_cast<std::size_t>(thread)];
  added.before = present_[static_cast<std::size_t>(thread)];
  added.before[static_cast<std::size_t>(thread)] = added.index;
  return added;
}

/// Returns the rank of an event: a number that orders the stores and loads of a word. The rank of a
/// store is twice its position among the stores. The rank of a load is the rank of the store that
/// the load reads, plus one.
int execution::rank(const event& e) const {
  return e.writes ? 2 * e.place : 2 * events_[static_cast<std::size_t>(e.source)].place + 1;
}

/// Returns the position of the last store that the thread must know of. A thread knows the stores
/// that happen before its next event. The thread also knows each store that a load has read if the
/// load happens before the thread's next event.
std::size_t execution::floor_of(const location& l, const clock& known) const {
  int floor = 0;
  for (const int number : l.accesses) {
    const event& e = events_[static_cast<std::size_t>(number)];
    if (e.index <= known[static_cast<std::size_t>(e.thread)]) floor = std::max(floor, rank(e) / 2);
  }
  return static_cast<std::size_t>(floor);
}

/// Returns true if a store may not take this position, because a read-modify-write must directly
/// follow the store that it has read.
bool execution::is_closed(const location& l, std::size_t place) const {
  return place < l.stores.size() &&
         events_[static_cast<std::size_t>(l.stores[place])].source == l.stores[place - 1];
}

void execution::choices(int thread, const operation& next, std::vector<int>& into) {
  if (next.what == act::wake) return into.push_back(0);
  const location& l = find(next);
  clock known = present_[static_cast<std::size_t>(thread)];
  if (next.what == act::wait) join(known, l.woken);
  for (std::size_t at = floor_of(l, known); at < l.stores.size(); ++at) {
    const way how = way_of(next, events_[static_cast<std::size_t>(l.stores[at])].value);
    if (how != way::loads && is_closed(l, at + 1)) continue;
    if (order_of(next, how) == std::memory_order_seq_cst && !fits(thread, l, span_of(how, at)))
      continue;
    into.push_back(static_cast<int>(at));
  }
}

/// Returns two ranks around a new event, which reads store number `at` or directly follows it.
/// Events before the new event have ranks below `begin`. Events after the new event have ranks of
/// at least `end`.
execution::span execution::span_of(way how, std::size_t at) {
  const int rank = 2 * static_cast<int>(at);
  return how == way::loads ? span{rank + 1, rank + 2} : span{rank + 2, rank + 2};
}

word execution::commit(int thread, const operation& next, int choice) {
  location& l = find(next);
  const auto at = static_cast<std::size_t>(choice);
  const word found = events_[static_cast<std::size_t>(l.stores[at])].value;
  const int number = count_;
  event& e = add_event(thread);
  if (next.what == act::wake) {
    wake(l, next);
  } else {
    const way how = way_of(next, found);
    e.sequential = order_of(next, how) == std::memory_order_seq_cst;
    if (e.sequential) take_place(number, l, span_of(how, at));
    if (how != way::stores) read(e, l, order_of(next, how), at);
    if (how != way::loads) write(e, l, next, at);
    l.accesses.push_back(number);
    if (next.what == act::wait && found == next.expected)
      asleep_[static_cast<std::size_t>(thread)] = next.at;
  }
  note_behind(number, std::exchange(present_[static_cast<std::size_t>(thread)], e.before));
  if (next.what == act::wake || next.what == act::wait) note_futex(l);
  digest_ += mix(name_of(number, l), e.source < 0 ? 0 : name_of(e.source, l));
  return found;
}

void execution::read(event& e, const location& l, std::memory_order order, std::size_t at) {
  e.source = l.stores[at];
  const event& source = events_[static_cast<std::size_t>(e.source)];
  e.value = source.value;
  if (acquires(order)) join(e.before, source.released);
}

void execution::write(event& e, location& l, const operation& next, std::size_t at) {
  e.writes = true;
  e.value = modified(next.what, e.value, next.operand);
  if (releases(next.order)) e.released = e.before;
  if (e.source >= 0) join(e.released, events_[static_cast<std::size_t>(e.source)].released);
  l.stores.insert(l.stores.begin() + static_cast<std::ptrdiff_t>(at) + 1, last_);
  std::uint64_t digest = 0;
  for (std::size_t place = 0; place < l.stores.size(); ++place) {
    events_[static_cast<std::size_t>(l.stores[place])].place = static_cast<int>(place);
    digest = mix(digest, name_of(l.stores[place], l));
  }
  digest_ += digest - l.digest;
  l.digest = digest;
}

void execution::wake(location& l, const operation& next) {
  word left = next.operand;
  for (std::size_t thread = 0; thread < asleep_.size() && left != 0; ++thread) {
    if (asleep_[thread] != next.at) continue;
    asleep_[thread] = nullptr;
    woken_by_[thread] = last_;
    --left;
  }
  join(l.woken, events_[static_cast<std::size_t>(last_)].before);
}

void execution::note_futex(location& l) {
  const std::uint64_t digest = mix(l.futex_digest, name_of(last_, l));
  digest_ += digest - l.futex_digest;
  l.futex_digest = digest;
  l.last_futex = last_;
}

bool execution::depends_on_last(int thread, const operation& next, int choice) {
  if (woken_by_[static_cast<std::size_t>(thread)] == last_) return true;
  const location& l = find(next);
  if (next.what == act::wait || next.what == act::wake)
    if (l.last_futex == last_) return true;
  if (next.what == act::wake || next.what == act::store) return false;
  return l.stores[static_cast<std::size_t>(choice)] == last_;
}

// ---- the order of all seq_cst operations

execution::sequential_set execution::before_in_order(int thread, const location& l,
                                                     span place) const {
  sequential_set before = behind_[static_cast<std::size_t>(thread)];
  for (const int number : l.accesses) {
    const event& e = events_[static_cast<std::size_t>(number)];
    if (e.sequential && rank(e) < place.begin) add_with_earlier(before, number);
  }
  return before;
}

void execution::add_with_earlier(sequential_set& into, int number) const {
  into |= earlier_[static_cast<std::size_t>(number)];
  into.set(static_cast<std::size_t>(number));
}

// Records which seq_cst events must come before the next event of the thread in the total order.
// The recorded events are seq_cst events of other threads that happen before event `number`. Of
// each other thread, the last event that happens before event `number` is left out. The total order
// need not agree with an edge from a release to an acquire load, unless both are seq_cst.
void execution::note_behind(int number, const clock& known_before) {
  const event& added = events_[static_cast<std::size_t>(number)];
  sequential_set& behind = behind_[static_cast<std::size_t>(added.thread)];
  if (added.sequential) add_with_earlier(behind, number);
  for (int other = 0; other < max_threads; ++other) {
    const auto at = static_cast<std::size_t>(other);
    if (other == added.thread || added.before[at] == known_before[at]) continue;
    for (int of = 0; of < number; ++of) {
      const event& e = events_[static_cast<std::size_t>(of)];
      if (e.sequential && e.thread == other && e.index < added.before[at])
        add_with_earlier(behind, of);
    }
  }
}

execution::sequential_set execution::after_in_order(const location& l, span place) const {
  sequential_set after;
  for (const int number : l.accesses) {
    const event& e = events_[static_cast<std::size_t>(number)];
    if (e.sequential && rank(e) >= place.end) after.set(static_cast<std::size_t>(number));
  }
  return after;
}

bool execution::fits(int thread, const location& l, span place) const {
  const sequential_set after = after_in_order(l, place);
  return after.none() || (before_in_order(thread, l, place) & after).none();
}

void execution::take_place(int number, const location& l, span place) {
  const int thread = events_[static_cast<std::size_t>(number)].thread;
  const sequential_set after = after_in_order(l, place);
  sequential_set before = before_in_order(thread, l, place);
  earlier_[static_cast<std::size_t>(number)] = before;
  if (after.none()) return;
  before.set(static_cast<std::size_t>(number));
  for (int other = 0; other < number; ++other) {
    const auto at = static_cast<std::size_t>(other);
    if (events_[at].sequential && (after[at] || (earlier_[at] & after).any()))
      earlier_[at] |= before;
  }
  for (sequential_set& behind : behind_)
    if ((behind & after).any()) behind |= before;
}

// ---- telling executions apart

std::uint64_t execution::name_of(int number, const location& l) const {
  const event& e = events_[static_cast<std::size_t>(number)];
  if (e.thread < 0) return mix(1, reinterpret_cast<std::uintptr_t>(l.at));
  return mix(static_cast<std::uint64_t>(e.thread) + 2, static_cast<std::uint64_t>(e.index));
}

std::uint64_t execution::digest() const {
  const event& e = last();
  return mix(digest_, static_cast<std::uint64_t>(e.thread * max_events + e.index));
}

word execution::newest(const void* at, word initial) {
  operation look;
  look.at = at;
  look.initial = initial;
  return events_[static_cast<std::size_t>(find(look).stores.back())].value;
}

// ---- plain bytes

execution::bytes& execution::find_bytes(const void* at) {
  for (bytes& known : bytes_)
    if (known.at == at) return known;
  return bytes_.emplace_back(bytes{at, nobody, 0, {}});
}

// An access to plain bytes is not an event. An access to plain bytes counts as part of the next
// event of its thread, and takes the number of the next event.
bool execution::write_bytes(int thread, const void* at) {
  bytes& known = find_bytes(at);
  if (thread < 0) {
    known.writer = before_all;
    return true;
  }
  const auto me = static_cast<std::size_t>(thread);
  bool races = known.writer >= 0 && known.writer != thread &&
               known.write_index > present_[me][static_cast<std::size_t>(known.writer)];
  for (std::size_t other = 0; other < known.reads.size(); ++other)
    races = races || (other != me && known.reads[other] > present_[me][other]);
  known.writer = thread;
  known.write_index = length_[me] + 1;
  return !races;
}

bool execution::read_bytes(int thread, const void* at) {
  bytes& known = find_bytes(at);
  const auto me = static_cast<std::size_t>(thread);
  known.reads[me] = length_[me] + 1;
  if (known.writer == thread || known.writer == before_all) return true;
  return known.writer >= 0 &&
         known.write_index <= present_[me][static_cast<std::size_t>(known.writer)];
}

}  // namespace atl::litmus
