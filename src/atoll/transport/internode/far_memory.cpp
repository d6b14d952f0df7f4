#include "atoll/transport/internode/far_memory.hpp"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <new>
#include <sched.h>
#include <sys/prctl.h>

namespace atl::transport::internode {
namespace {

constexpr std::size_t posted_answers = 16;
// The next constants limit the requests that are in flight from one PE to another PE. The limits
// bound the memory that MPI needs for messages that arrive without a posted receive. At most 33
// messages with requests are in flight from a PE to another PE. Each message announces at most 16
// parts of a put. All parts in flight together have at most 31 MiB. While a PE waits for small
// answers of 1 MiB or more in total, it sends no further requests to the answering PE. Requests for
// parts of gets have limits of their own.
constexpr std::uint64_t most_unanswered = 32;
constexpr std::uint64_t most_awaited_bytes = std::uint64_t{1} << 20;
constexpr std::uint64_t messages_of_a_flush = 8;
// The next constants limit how many parts of gets from one PE may be in flight at a time. The
// number of parts that may be in flight is small at first, and increases by one with each arrived
// part. The number of parts in flight is limited, because requests of a PE wait behind data that
// the PE sends. If two PEs get large data from each other, many parts in flight would let data flow
// in only one direction at a time.
constexpr std::size_t first_parts_under_way = 6;
constexpr std::size_t most_parts_under_way = 16;
// Maximum number of parts of a put that one message announces.
constexpr std::size_t parts_of_a_message = 16;

}  // namespace

far_memory::far_memory(message_layer& layer, std::span<std::byte> segment,
                       std::function<void()> attend)
    : layer_(layer),
      segment_(segment),
      attend_(std::move(attend)),
      requests_(layer, request_tag, record_message_bytes),
      peers_(static_cast<std::size_t>(layer.size())) {}

void far_memory::open() {
  if (server_) return;
  server_.emplace(layer_, segment_, exposed_);
  answers_.emplace(layer_, answer_tag, std::min(posted_answers, layer_.most_receives()),
                   record_message_bytes);
  if (opened_) opened_();
}

void far_memory::join(receive_group& group) {
  const std::lock_guard lock(mutex_);
  server_->join(group);
  group.add(*answers_);
}

void far_memory::look(receive_group& group) {
  const std::lock_guard lock(mutex_);
  group.look();
}

void far_memory::wait_for_room(int to) {
  while (of(to).unanswered >= most_unanswered || of(to).awaited_bytes >= most_awaited_bytes) {
    progress();
    attend_();
    sched_yield();
  }
}

template <class Record>
void far_memory::append(int to, const Record& record, std::span<const std::byte> payload) {
  requests_.append(to, record, payload, [this, to] { message_has_gone(to); });
}

void far_memory::message_has_gone(int to) {
  ++of(to).unanswered;
  if (++of(to).since_flush >= messages_of_a_flush) ask_for_completion(to, flush_is::for_room);
}

void far_memory::ask_for_completion(int to, flush_is why) {
  peer& target = of(to);
  target.flushed_number = target.put_number;
  target.flushes.push_back({target.put_number, std::exchange(target.since_flush, 0)});
  append(to, numbered_request{{.kind = request_kind::flush}, static_cast<std::uint64_t>(why)});
}

// Counts a put that was appended to the message for the rank `to`. The caller must append the put
// before this call. Appending the put can first send a flush (a request for an answer), which does
// not cover the put.
void far_memory::count_put(int to, open_operations& counted) {
  peer& target = of(to);
  ++counted.count;
  ++open_operations_;
  ++target.put_number;
  if (!std::exchange(target.is_unflushed, true)) unflushed_.push_back(to);
  if (target.puts.empty() || target.puts.back().counted != &counted)
    target.puts.push_back({&counted, 0});
  ++target.puts.back().operations;
}

void far_memory::put(const remote_place& to, std::span<const std::byte> from, bool lasts,
                     open_operations& counted, const signal_update* signal) {
  const bool fits = from.size() <= largest_inline;
  if (!fits && lasts) put_data(to, from);
  if (!fits && !lasts) put_in_parts(to, from);
  wait_for_room(to.pe);
  const std::lock_guard lock(mutex_);
  if (fits && !from.empty()) append_put(to, from);
  if (signal != nullptr) {
    append_fence(to.pe);
    append_update({to.pe, signal->offset}, signal->what, false, 0);
  }
  count_put(to.pe, counted);
}

void far_memory::append_put(const remote_place& to, std::span<const std::byte> from) {
  append(to.pe,
         request{.kind = request_kind::put,
                 .bytes = static_cast<std::uint32_t>(from.size()),
                 .offset = to.offset},
         from);
}

void far_memory::put_in_parts(const remote_place& to, std::span<const std::byte> from) {
  for (std::size_t at = 0; at < from.size(); at += largest_inline) {
    wait_for_room(to.pe);
    const std::lock_guard lock(mutex_);
    append_put({to.pe, to.offset + at},
               from.subspan(at, std::min(largest_inline, from.size() - at)));
  }
}

void far_memory::put_data(const remote_place& to, std::span<const std::byte> from) {
  constexpr std::size_t at_once = parts_of_a_message * largest_part;
  for (std::size_t at = 0; at < from.size(); at += at_once) {
    wait_for_room(to.pe);
    const std::lock_guard lock(mutex_);
    put_parts({to.pe, to.offset + at}, from.subspan(at, std::min(at_once, from.size() - at)));
  }
}

/// Sends a large put: first one request per part, and then the data of the parts. The requests are
/// sent first, because the target posts a receive for the data when it executes a request.
void far_memory::put_parts(const remote_place& to, std::span<const std::byte> from) {
  const auto each_part = [from](auto call) {
    for (std::size_t at = 0; at < from.size(); at += largest_part)
      call(at, from.subspan(at, std::min(largest_part, from.size() - at)));
  };
  each_part([&](std::size_t at, std::span<const std::byte> part) {
    append(to.pe, request{.kind = request_kind::large_put,
                          .bytes = static_cast<std::uint32_t>(part.size()),
                          .offset = to.offset + at});
  });
  if (requests_.send(to.pe)) message_has_gone(to.pe);
  each_part([&](std::size_t, std::span<const std::byte> part) {
    layer_.start_send(part.data(), static_cast<int>(part.size()), to.pe, put_data_tag,
                      sending_.emplace_back());
    ++data_sent_;
  });
  if (!std::exchange(of(to.pe).has_data_under_way, true)) unfenced_.push_back(to.pe);
}

/// Appends a fence to the message for the rank `to` if large data may be in flight. If no large
/// data is in flight, no fence is needed, because the rank executes requests in order.
void far_memory::append_fence(int to) {
  if (!std::exchange(of(to).has_data_under_way, false)) return;
  std::erase(unfenced_, to);
  append(to, request{.kind = request_kind::fence});
}

void far_memory::append_update(const remote_place& at, const atomic_operation& what,
                               bool wants_value, std::uint64_t number) {
  const request head{.kind = request_kind::update,
                     .change = what.kind,
                     .word_bytes = what.bytes,
                     .wants_value = wants_value,
                     .offset = at.offset};
  append(at.pe, update_request{head, what.operand, what.expected, number});
}

std::uint64_t far_memory::await_answer(int from, std::span<std::byte> into,
                                       open_operations& counted) {
  ++counted.count;
  ++open_operations_;
  of(from).awaited_bytes += into.size();
  awaited_[++numbers_] = {into, &counted};
  return numbers_;
}

void far_memory::get(const remote_place& from, std::span<std::byte> into,
                     open_operations& counted) {
  wait_for_room(from.pe);
  const std::lock_guard lock(mutex_);
  if (into.size() <= largest_inline) {
    const request head{.kind = request_kind::get,
                       .bytes = static_cast<std::uint32_t>(into.size()),
                       .offset = from.offset};
    append(from.pe, numbered_request{head, await_answer(from.pe, into, counted)});
    return;
  }
  for (std::size_t at = 0; at < into.size(); at += largest_part) {
    const auto part = into.subspan(at, std::min(largest_part, into.size() - at));
    ++counted.count;
    ++open_operations_;
    of(from.pe).wanted.push_back({from.offset + at, part, &counted});
  }
  if (of(from.pe).receiving.empty()) of(from.pe).parts_at_a_time = first_parts_under_way;
  ask_for_parts(from.pe);
}

/// Requests further parts of gets from the rank `from`, until the maximum number is in flight.
void far_memory::ask_for_parts(int from) {
  auto& wanted = of(from).wanted;
  auto& receiving = of(from).receiving;
  while (!wanted.empty() && receiving.size() < of(from).parts_at_a_time) {
    if (receiving.empty()) receiving_from_.push_back(from);
    const wanted_part& next = wanted.front();
    data_under_way& awaited = receiving.emplace_back(data_under_way{{}, next.counted});
    const auto bytes = next.into.size();
    layer_.start_receive(next.into.data(), static_cast<int>(bytes), from, got_data_tag,
                         awaited.request);
    append(from, request{.kind = request_kind::large_get,
                         .bytes = static_cast<std::uint32_t>(bytes),
                         .offset = next.offset});
    wanted.pop_front();
  }
}

void far_memory::update(const remote_place& at, const atomic_operation& what, std::uint64_t* before,
                        open_operations& counted) {
  wait_for_room(at.pe);
  const std::lock_guard lock(mutex_);
  if (before != nullptr) {
    const auto number = await_answer(at.pe, std::as_writable_bytes(std::span(before, 1)), counted);
    return append_update(at, what, true, number);
  }
  append_update(at, what, false, 0);
  count_put(at.pe, counted);
}

void far_memory::fence() {
  const std::lock_guard lock(mutex_);
  while (!unfenced_.empty()) append_fence(unfenced_.back());
}

void far_memory::send() {
  const std::lock_guard lock(mutex_);
  send_waiting();
}

void far_memory::flush() {
  const std::lock_guard lock(mutex_);
  flush_all();
}

void far_memory::flush_all() {
  for (const int pe : std::exchange(unflushed_, {})) {
    of(pe).is_unflushed = false;
    if (of(pe).flushed_number != of(pe).put_number) ask_for_completion(pe, flush_is::awaited);
  }
  send_waiting();
}

bool far_memory::is_idle() {
  const std::lock_guard lock(mutex_);
  flush_all();
  return open_operations_ == 0 && !requests_.has_open() &&
         std::ranges::all_of(peers_, [](const peer& each) { return each.flushes.empty(); });
}

void far_memory::send_waiting() {
  requests_.send_all([this](int to) { message_has_gone(to); });
}

far_memory::news far_memory::progress() {
  if (!server_) return {};
  const std::lock_guard lock(mutex_);
  any_ended_ = false;
  send_waiting();
  const bool asked = server_->serve();
  take_answers();
  take_data();
  count_data();
  complete_flushed();
  requests_.reap();
  return {any_ended_, asked};
}

far_memory::beside far_memory::serve_beside() {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock() || !server_) return {};
  const std::uint64_t parts = server_->parts() + data_received_;
  const std::uint64_t small = server_->small_requests();
  for (server_->look(); server_->serve(); server_->look()) {
  }
  take_data();
  send_waiting();
  requests_.reap();
  forget_complete(layer_, sending_);
  return {server_->small_requests() != small, server_->parts() + data_received_ - parts};
}

void far_memory::take_answers() {
  for (; answers_->look().data != nullptr; answers_->pass()) {
    const delivery& arrived = answers_->look();
    ++answers_received_;
    for (std::size_t at = 0; at < arrived.bytes;) {
      answer head;
      std::memcpy(&head, arrived.data + at, sizeof head);
      take_answer(arrived.source, head, arrived.data + at + sizeof head);
      at += sizeof head + round_up(std::size_t{head.bytes}, record_unit);
    }
  }
}

void far_memory::take_answer(int from, const answer& head, const std::byte* data) {
  if (head.is_flush) return flushed_by_.push_back(from);
  const auto found = awaited_.extract(head.number);
  const awaited_answer& awaited = found.mapped();
  if (head.bytes != 0) std::memcpy(awaited.into.data(), data, head.bytes);
  of(from).awaited_bytes -= awaited.into.size();
  --open_operations_;
  any_ended_ = true;
  awaited.counted->one_complete();
}

/// Completes the puts whose flush (request for an answer) the target has answered. A put becomes
/// complete only after all sends of large data are complete, because the program may change the
/// source of a complete put.
void far_memory::complete_flushed() {
  if (!forget_complete(layer_, sending_)) return;
  for (const int pe : std::exchange(flushed_by_, {})) complete_puts(of(pe));
}

/// Completes the puts that began before the oldest flush (request for an answer) to `target`. The
/// caller must call this function when `target` has answered its oldest flush.
void far_memory::complete_puts(peer& target) {
  const auto [complete, messages] = target.flushes.front();
  target.flushes.pop_front();
  target.unanswered -= messages;
  while (target.complete_number < complete) {
    open_puts& oldest = target.puts.front();
    open_operations& counted = *oldest.counted;
    ++target.complete_number;
    --open_operations_;
    if (--oldest.operations == 0) target.puts.pop_front();
    any_ended_ = true;
    counted.one_complete();
  }
}

/// Processes parts of gets that have arrived. Only the oldest part of each PE is tested, because
/// parts from one PE arrive in the order of their requests.
void far_memory::take_data() {
  for (const int from : std::exchange(receiving_from_, {})) {
    auto& receiving = of(from).receiving;
    while (!receiving.empty() && layer_.test(receiving.front().request, nullptr, nullptr)) {
      uncounted_.push_back(receiving.front().counted);
      receiving.pop_front();
      of(from).parts_at_a_time = std::min(of(from).parts_at_a_time + 1, most_parts_under_way);
      ++data_received_;
    }
    if (!receiving.empty()) receiving_from_.push_back(from);
    ask_for_parts(from);
  }
}

/// Decreases the counters of open operations for the parts of gets that have arrived. Only the PE's
/// own thread calls this function, even for parts that its helper thread has processed.
void far_memory::count_data() {
  for (open_operations* const counted : std::exchange(uncounted_, {})) {
    --open_operations_;
    any_ended_ = true;
    counted->one_complete();
  }
}

void far_memory::drain() {
  const std::lock_guard lock(mutex_);
  const auto all_have_gone = [this] {
    const bool own_have = forget_complete(layer_, sending_) && requests_.reap();
    return own_have && (!server_ || server_->is_done());
  };
  while (!all_have_gone()) sched_yield();
}

far_memory::traffic far_memory::counted() {
  const std::lock_guard lock(mutex_);
  traffic all{requests_.messages() + data_sent_, answers_received_ + data_received_,
              !uncounted_.empty()};
  if (!server_) return all;
  all.sent += server_->sent();
  all.received += server_->received();
  return all;
}

namespace {

using duration = std::chrono::nanoseconds;

constexpr duration shortest_nap{20'000};
constexpr duration longest_nap{1'000'000};
// Number of short naps of the helper after a request. The naps are short, because a PE that has
// sent a request is likely to send another request soon.
constexpr int naps_behind_a_request = 32;
// If fewer than `parts_of_a_nap` parts of large data were sent or received during a nap, the next
// nap is longer. If at least `many_parts` were sent or received, the next nap is shorter. Naps
// should not be too short, because one poll costs as much processor time as the transfer of several
// parts.
constexpr std::uint64_t parts_of_a_nap = 2;
constexpr std::uint64_t many_parts = 6;

/// Allows the helper to run on any core. A launcher may have bound the PE and its helper to one
/// core, where the two would compete.
void leave_core_of_pe() {
  cpu_set_t all;
  std::memset(&all, 0xff, sizeof all);
  // A failure is ignored, because the helper then only waits longer for a core.
  sched_setaffinity(0, sizeof all, &all);
}

/// Returns the length of the next nap. The previous nap had the length `last`, and during that nap
/// `parts` parts of large data were sent or received.
duration nap_behind(duration last, std::uint64_t parts) {
  if (parts >= many_parts) return std::max(last / 2, shortest_nap);
  return parts >= parts_of_a_nap ? last : std::min(2 * last, longest_nap);
}

/// Starts a thread that blocks all signals, so that signals are handled by the PE's own thread.
std::thread without_signals(const std::function<void()>& body) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    std::thread made(body);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return made;
  } catch (...) {
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    throw;
  }
}

}  // namespace

memory_helper::memory_helper(far_memory& memory, hooks calls)
    : memory_(memory), calls_(std::move(calls)), thread_(without_signals([this] { run(); })) {}

memory_helper::~memory_helper() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  stops_.notify_one();
  thread_.join();
}

void memory_helper::nap(duration time) {
  std::unique_lock lock(mutex_);
  stops_.wait_for(lock, time, [this] { return stopping_.load(); });
}

void memory_helper::run() {
  leave_core_of_pe();
  prctl(PR_SET_NAME, "atoll-memory");
  prctl(PR_SET_TIMERSLACK, 1);  // a failure is ignored, because naps are then only longer
  try {
    serve();
  } catch (const std::bad_alloc&) {
    calls_.failed();
  }
}

void memory_helper::serve() {
  duration length = shortest_nap;
  int short_naps = 0;
  std::uint64_t seen = 0;
  while (!stopping_) {
    nap(length);
    const std::uint64_t looks = looks_.load(std::memory_order_relaxed);
    const bool pe_is_away = looks == std::exchange(seen, looks);
    const bool serves = pe_is_away && !calls_.has_ended();
    const auto done = serves ? memory_.serve_beside() : far_memory::beside();
    if (done.any()) calls_.served();
    if (done.asked) short_naps = naps_behind_a_request;
    length = short_naps > 0 ? shortest_nap : nap_behind(length, done.parts);
    short_naps = std::max(0, short_naps - 1);
  }
}

}  // namespace atl::transport::internode
