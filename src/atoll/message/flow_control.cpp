#include "atoll/message/flow_control.hpp"

#include "atoll/base/memory_account.hpp"
#include "atoll/base/mutants.hpp"
#include "atoll/error.hpp"
#include "atoll/log.hpp"
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

namespace {

constexpr int k_most_sent_in_round = 4;
constexpr transport::nanoseconds k_pause_in_backlog = 20'000'000;
// If the handlers of every full buffer add two full buffers to the overflow, pauses between
// deliveries become shorter after this number of deliveries.
constexpr std::int64_t k_patient_times = 50;
// Halving a pause of 20 milliseconds this many times yields less than one nanosecond, so the pause
// becomes zero.
constexpr std::int64_t k_times_of_none = 25;
constexpr std::uint32_t k_part_that_ends_by_itself = 8;
constexpr std::uint64_t k_bytes_within_any_memory = std::uint64_t{2} << 20;

}  // namespace

flow_control::flow_control(transport::endpoint& transport, observe::counters& counters,
                           memory_account& account, std::uint64_t overflow_limit)
    : transport_(transport), counters_(counters), overflow_(transport, account, overflow_limit) {}

// A buffer must not overtake earlier buffers for the same destination. If earlier buffers for the
// same receiver wait in the overflow, `open` first sends as many of them as the receiver has room
// for. Because `open` sends waiting buffers, the overflow can become empty even during a long loop
// that never calls `room()`.
flow_control::room flow_control::open(int destination, traffic kind, site where) {
  const bool overtakes = mutants::has(mutants::fault::broken_order);
  if (!overtakes && overflow_.waits(destination)) overflow_.drain(destination);
  if (overtakes || !overflow_.waits(destination)) {
    if (std::byte* const room = transport_.acquire(destination)) return {room, false};
  }
  if (may_be_refused(kind)) check_limit(where);
  if (kind == traffic::tracked) check_memory(where);
  return {open_in_overflow(kind, where), true};
}

void flow_control::check_limit(site where) const {
  if (!overflow_.beyond_limit()) return;
  fail(errc::overflow,
       "--overflow-limit: more than {} bytes of messages sent at {} wait for room; write "
       "`co_await room()` in the loop that sends them, or raise the limit",
       overflow_.limit(), to_string(where));
}

// `open` calls this function only for tracked messages, which the receiver must acknowledge.
// Messages that are not tracked are mostly requests and answers, whose number is limited by the
// number of waiting tasks.
void flow_control::check_memory(site where) const {
  if (overflow_.bytes() <= k_bytes_within_any_memory || !overflow_.account().is_exceeded()) return;
  fail(errc::overflow,
       "--memory-limit: this PE holds {} bytes, more than its share, and {} of them are messages "
       "that wait for room, the last ones sent at {}; write `co_await room()` in the loop that "
       "sends them, or raise the limit",
       overflow_.account().held(), overflow_.bytes(), to_string(where));
}

std::byte* flow_control::open_in_overflow(traffic kind, site where) {
  std::byte* const buffer = overflow_.open();
  if (buffer == nullptr) without_memory(kind, where);
  ++open_in_overflow_;
  ++counters_.buffers_overflowed;
  congested_ = true;
  has_room_ = false;
  return buffer;
}

// If messages of the kind `kind` may be refused, the function throws an error. If messages of the
// kind `kind` must not be refused, the function ends the job, because other PEs would wait for the
// message forever.
void flow_control::without_memory(traffic kind, site where) {
  const auto text = fmt::format("out of memory: no buffer for messages that wait for room ({} "
                                "bytes wait), the last ones sent "
                                "at {}",
                                overflow_.bytes(), to_string(where));
  if (may_be_refused(kind)) throw error(errc::out_of_memory, text);
  log::error("{}; the job cannot go on without them", text);
  transport_.fail(k_status_environment);
  throw transport::job_ended();
}

void flow_control::close(int destination, std::byte* buffer, std::uint32_t bytes) {
  overflow_.push(destination, buffer, bytes);
  counters_.overflow_bytes_peak =
      std::max<std::uint64_t>(counters_.overflow_bytes_peak, overflow_.bytes());
  --open_in_overflow_;
}

void flow_control::count_sent() {
  if (++sent_in_round_ == k_most_sent_in_round) has_room_ = false;
}

bool flow_control::drain() {
  const std::uint64_t before = overflow_.bytes();
  const bool moved = overflow_.drain();
  grown_ -= std::min(grown_, before - overflow_.bytes());
  congested_ = !overflow_.empty() || fills_overflow();
  return moved;
}

void flow_control::drain_beside(int self) {
  while (overflow_.waits_beside(self)) {
    if (!overflow_.drain()) transport_.wait(transport::forever, transport::awaited::room);
  }
}

// While many messages wait in the overflow for room, this PE limits the delivery of arrived
// messages, because their handlers may send further messages. If the handlers of a delivered buffer
// have added bytes to the overflow (waiting messages), the next delivery waits until as many bytes
// were sent. If a PE limits its deliveries, PEs that send to it find no room and limit their
// deliveries, too. PEs that limit their deliveries could wait for each other in a cycle, because
// each waits for room at the next. To break cycles of waiting PEs, a PE that limits its deliveries
// still delivers one buffer after each pause of at most 20 milliseconds.
bool flow_control::may_deliver() {
  if (!is_held_back()) return true;
  const auto time = transport_.now();
  if (time < next_delivery_) return false;
  next_delivery_ = time + pause_in_backlog();
  return true;
}

// If handlers send two messages for each received one, the overflow (messages that wait for room)
// grows with every delivery. If handlers send more messages than arrive, pauses between deliveries
// only delay the error for too many waiting messages (`overflow-limit`). Pauses between deliveries
// become shorter while handlers send far more messages than they receive, because pauses would only
// delay the overflow error.
transport::nanoseconds flow_control::pause_in_backlog() const {
  const auto times = 2 * multiplied_ / transport_.buffer_capacity();
  return k_pause_in_backlog >>
         std::clamp<std::int64_t>(times - k_patient_times, 0, k_times_of_none);
}

// The function ignores growth of the overflow (waiting messages) by up to an eighth of the
// delivered bytes, because acknowledgements alone can cause small growth. If only acknowledgements
// are added to the overflow, the overflow grows little, because an acknowledgement is much smaller
// than the acknowledged message.
void flow_control::delivered(std::uint32_t buffer_bytes, std::uint64_t bytes_before) {
  const std::uint64_t more = overflow_.bytes() - std::min(overflow_.bytes(), bytes_before);
  grown_ += more;
  multiplied_ = std::max<std::int64_t>(0, multiplied_ + static_cast<std::int64_t>(more) -
                                              buffer_bytes - buffer_bytes / 2);
  multiplied_ = std::min(multiplied_, (k_patient_times + k_times_of_none) *
                                          static_cast<std::int64_t>(transport_.buffer_capacity()));
  grown_ -= std::min<std::uint64_t>(grown_, buffer_bytes / k_part_that_ends_by_itself);
}

bool flow_control::has_much() const {
  return overflow_.account().has_much_work() || overflow_.bytes() > overflow_.limit() / 2;
}

void flow_control::begin_round() {
  sent_in_round_ = 0;
  has_room_ = !congested_;
}

void flow_control::wait(transport::nanoseconds deadline) {
  if (is_held_back()) {
    transport_.wait(std::min(deadline, next_delivery_), transport::awaited::room);
  } else {
    transport_.wait(deadline);
  }
}

}  // namespace atl::message
