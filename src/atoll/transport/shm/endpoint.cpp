#include "atoll/transport/shm/endpoint.hpp"

#include "atoll/error.hpp"
#include "atoll/transport/shm/stream_copy.hpp"

#include <algorithm>
#include <bit>
#include <sched.h>
#include <unistd.h>

namespace atl::transport::shm {
namespace {

std::size_t word_of(int pe) { return static_cast<std::size_t>(pe) / sources_per_word; }
std::uint64_t bit_of(int pe) { return std::uint64_t{1} << (pe % sources_per_word); }

}  // namespace

endpoint::endpoint(region& region, int rank, patience patience)
    : region_(region),
      mine_(region.block(rank)),
      stride_(region.slot_stride()),
      words_(word_of(region.pes() - 1) + 1),
      patience_(patience) {
  rank_ = rank;
  size_ = region.pes();
  buffer_capacity_ = region.buffer_capacity();
  last_site_ = &mine_.life.last_site;
  progress_ = &mine_.life.progress;
  staging_.reset(static_cast<std::byte*>(
      std::aligned_alloc(line_size, static_cast<std::size_t>(size_) * buffer_capacity_)));
  if (staging_ == nullptr) throw std::bad_alloc();
  segments_ = reached_ = region.symmetric().bases();
  segment_bytes_ = region.symmetric().bytes_each();
  private_bytes_ = region.symmetric().shares().private_bytes;
  common_ = {region.symmetric().descriptor(), static_cast<std::uint64_t>(rank) * segment_bytes_,
             region.symmetric().bytes()};
  for (int other = 0; other < size_; ++other) {
    sending_.push_back(region.ring(rank, other));
    receiving_.push_back(region.ring(other, rank));
    sleepers_of_all_.push_back(&region.block(other).watches);
  }
  sleepers_ = sleepers_of_all_.data();
  has_own_core_ = patience.spin != 0;
  mine_.life.process = getpid();
  mine_.life.thread = gettid();
  mine_.life.process_namespace = process_namespace();
  mine_.life.phase = 1;
}

endpoint::~endpoint() { mine_.life.phase = pe_life::left; }

std::byte* endpoint::acquire(int destination) {
  slot& next = sending_[static_cast<std::size_t>(destination)].current();
  if (next.bytes.load(std::memory_order_acquire) == 0) return staging(destination, next);
  return ask_for_room(destination);
}

// Sets this PE's bit in the receiver's words `starved`: one bit per sender that waits for a free
// slot. After the receiver has freed a slot, it loads `starved`, to see whether the sender waits.
// After the sender has set its bit in `starved`, it loads the slot once more, to see whether the
// slot is free now. The accesses to the slot and to `starved` are sequentially consistent, so the
// sender sees the free slot or the receiver sees the sender's bit. If the sender's bit is already
// set, the sender need not set it again. After freeing a slot, the receiver will clear the sender's
// bit and notify the sender by `room`.
std::byte* endpoint::ask_for_room(int destination) {
  auto& starved = region_.block(destination).starved[word_of(rank_)];
  if ((starved.load(std::memory_order_seq_cst) & bit_of(rank_)) == 0)
    starved.fetch_or(bit_of(rank_), std::memory_order_seq_cst);
  slot& next = sending_[static_cast<std::size_t>(destination)].current();
  return next.bytes.load(std::memory_order_seq_cst) == 0 ? staging(destination, next) : nullptr;
}

// The receiver's words `ready` have one bit per sender: 1 if the sender has sent new buffers. After
// the sender has filled a slot, it loads its bit in `ready`, to see whether the receiver will look
// at the slot anyway. After the receiver has cleared the sender's bit in `ready`, it loads the
// slot. The accesses to the slot and to `ready` are sequentially consistent. If the sender's bit is
// still set, the receiver will find the new buffer, so the sender need not write the cache line of
// `ready`. If the sender's bit in `ready` is clear, the sender sets the bit and then rings the
// receiver's doorbell. Before the receiver sleeps, it announces its sleep and then loads `ready`
// once more, so it misses no buffer.
void endpoint::submit(int destination, std::uint32_t bytes) {
  ATOLL_ASSERT(bytes > 0 && bytes <= buffer_capacity_, "submit of no byte, or beyond the capacity");
  ring_cursor& ring = sending_[static_cast<std::size_t>(destination)];
  slot& next = ring.current();
  if (destination != rank_) stream_copy(next.data(), staging(destination, next), bytes);
  next.bytes.store(bytes, std::memory_order_seq_cst);
  ring.advance(stride_);
  pe_block& receiver = region_.block(destination);
  auto& ready = receiver.ready[word_of(rank_)];
  if ((ready.load(std::memory_order_seq_cst) & bit_of(rank_)) != 0) return;
  ready.fetch_or(bit_of(rank_), std::memory_order_seq_cst);
  receiver.bell.ring();
}

delivery endpoint::poll() {
  if (mine_.attention.load(std::memory_order_relaxed) != 0) [[unlikely]]
    attend();
  ATOLL_ASSERT(delivered_ == none, "poll before the release of the last delivery");
  for (int source = next_ready_source(); source != none; source = next_ready_source()) {
    slot& arrived = receiving_[static_cast<std::size_t>(source)].current();
    const std::uint32_t bytes = arrived.bytes.load(std::memory_order_seq_cst);
    if (bytes == 0) {
      ready_[word_of(source)] &= ~bit_of(source);
      continue;
    }
    delivered_ = source;
    next_ = source + 1 == size_ ? 0 : source + 1;
    return {arrived.data(), bytes, source};
  }
  return {};
}

void endpoint::release() {
  ATOLL_ASSERT(delivered_ != none, "release without a delivery");
  ring_cursor& ring = receiving_[static_cast<std::size_t>(delivered_)];
  ring.current().bytes.store(0, std::memory_order_seq_cst);
  ring.advance(stride_);
  const std::uint64_t starved = mine_.starved[word_of(delivered_)].load(std::memory_order_seq_cst);
  if ((starved & bit_of(delivered_)) != 0) return_room(delivered_);
  delivered_ = none;
}

// Notifies the sender `source` that the slot for which it waits is free. The sender's bit in
// `starved` is cleared before `room` is stored, because a sender that sees `room` may set its bit
// again. The bit is cleared by an atomic read-modify-write, because the word of `starved` also has
// bits of other senders. The sender cannot miss the notification: before it sleeps, it announces
// its sleep and then loads `room` once more.
void endpoint::return_room(int source) {
  mine_.starved[word_of(source)].fetch_and(~bit_of(source), std::memory_order_seq_cst);
  pe_block& sender = region_.block(source);
  sender.room.store(1, std::memory_order_seq_cst);
  sender.bell.ring();
}

// Sets `room` as if a slot had become free, so that `wait` returns. Because `wait` reads `room`,
// the woken PE sees everything that the caller of `wake` stored before the call.
bool endpoint::wake() noexcept {
  mine_.room.store(1, std::memory_order_seq_cst);
  mine_.bell.ring();
  return true;
}

void endpoint::take_new_sources(std::size_t word) {
  auto& shared = mine_.ready[word];
  if ((shared.load(std::memory_order_relaxed) & ~ready_[word]) != 0)
    ready_[word] |= shared.exchange(0, std::memory_order_seq_cst);
}

// Returns the next PE that may have sent new buffers, beginning with the PE `next_`. In the first
// word of `ready_`, only the bits from `next_` on are examined. The first word is examined again at
// the end, for the PEs before `next_`.
int endpoint::next_ready_source() {
  const std::size_t first = word_of(next_);
  std::uint64_t wanted = ~std::uint64_t{0} << (next_ % sources_per_word);
  for (std::size_t step = 0; step <= words_; ++step) {
    const std::size_t word = (first + step) % words_;
    take_new_sources(word);
    const std::uint64_t found = ready_[word] & wanted;
    if (found != 0) return static_cast<int>(word) * sources_per_word + std::countr_zero(found);
    wanted = ~std::uint64_t{0};
  }
  return none;
}

// Reacts to the end of the job and to requests for a hang report. Another thread stores `ended` or
// `questions` and then sets `attention`. This function resets `attention` and then loads `ended`
// and `questions`. If `attention` was set before the reset, the loads see the change of `ended` or
// `questions`. If `attention` is set after the reset, the next poll calls this function again.
void endpoint::attend() {
  mine_.attention.store(0, std::memory_order_seq_cst);
  if (region_.ended()) {
    mine_.attention.store(1, std::memory_order_relaxed);
    throw job_ended();
  }
  const std::uint32_t question = region_.header().questions.load(std::memory_order_seq_cst);
  if (question == mine_.life.answered.load(std::memory_order_relaxed)) return;
  region_.answer(rank_).write(sections_->collect());
  mine_.life.answered.store(question, std::memory_order_release);
}

nanoseconds endpoint::now() { return clock_.now(); }

void endpoint::fail(int exit_status) { region_.end(exit_status); }

// A PE waits in three stages. In the first stage, a PE with a core of its own spins for a while. In
// the second stage, the PE yields the core a few times, except if another program computes on the
// core. In the third stage, the PE sleeps until its doorbell rings.

namespace {

// Shortest and longest nap in ns while a PE watches its memory. If a store to the memory does not
// wake the PE, the PE sees the store only at the end of its nap.
constexpr nanoseconds shortest_watching_nap = 50'000;
constexpr nanoseconds longest_watching_nap = 1'000'000;

/// While this object exists, the `pe_life` of the PE says that the PE waits. The hang watch reads
/// `pe_life`.
class waiting_phase {
 public:
  waiting_phase(pe_life& life, nanoseconds deadline) noexcept : phase_(life.phase) {
    life.deadline.store(deadline, std::memory_order_relaxed);
    next();
  }
  ~waiting_phase() { next(); }
  waiting_phase(const waiting_phase&) = delete;
  waiting_phase& operator=(const waiting_phase&) = delete;

 private:
  void next() noexcept {
    phase_.store(phase_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }

  std::atomic<std::uint64_t>& phase_;
};

}  // namespace

bool endpoint::something_arrived(awaited what) {
  if (mine_.attention.load(std::memory_order_seq_cst) != 0) return true;
  if (mine_.room.load(std::memory_order_seq_cst) != 0) return true;
  if (memory_has_changed()) return true;
  if (what == awaited::room) return false;
  for (std::size_t word = 0; word < words_; ++word)
    if ((mine_.ready[word].load(std::memory_order_seq_cst) | ready_[word]) != 0) return true;
  return false;
}

bool endpoint::spin(nanoseconds until, awaited what) {
  do {
    for (int i = 0; i < pauses_between_looks_at_the_clock; ++i) {
      if (something_arrived(what)) return true;
      __builtin_ia32_pause();
    }
  } while (now() < until);
  return false;
}

bool endpoint::give_core_away(nanoseconds deadline, awaited what) {
  nanoseconds time = now();
  for (std::uint64_t i = 0; i < patience_.yields && time < deadline; ++i) {
    if (crowd_.is_there(time)) return false;
    const nanoseconds before = time;
    sched_yield();
    time = now();
    crowd_.yielded(before, time);
    if (something_arrived(what)) return true;
  }
  return false;
}

// Polls about as long as it would take to suspend a task, to call `wait` in the scheduler, and to
// resume the task.
bool endpoint::linger(memory_watch& until) {
  constexpr int looks = 200;
  for (int look = 0; patience_.spin != 0 && look < looks; ++look) {
    if (until.has_changed()) return true;
    __builtin_ia32_pause();
  }
  if (patience_.spin != 0) return false;
  nanoseconds time = now();
  for (std::uint64_t i = 0; i < patience_.yields && !crowd_.is_there(time); ++i) {
    const nanoseconds before = time;
    sched_yield();
    if (until.has_changed()) return true;
    time = now();
    crowd_.yielded(before, time);
    if (something_arrived(awaited::anything)) return false;
  }
  return false;
}

// A notification is not lost if it arrives just before the sleep. Another PE that wakes this PE
// stores a word, such as `room`, and then loads the futex word of this PE's doorbell. Before this
// PE sleeps, it sets the futex word to 1 and then loads `room` and the other words once more.
// Because all accesses are sequentially consistent, this PE sees the word that the other PE has
// stored, or the other PE wakes this PE.
void endpoint::sleep(nanoseconds deadline, awaited what) {
  if (*watched_ != nullptr) mine_.watches.store(1, std::memory_order_seq_cst);
  mine_.bell.sleep(deadline, [this, what] { return something_arrived(what); });
  if (*watched_ != nullptr) mine_.watches.store(0, std::memory_order_relaxed);
}

// After a store to the watched memory, another PE loads the word `watches` of this PE, and wakes
// this PE if the word is not 0. The processor of a PE that stores to the watched memory can
// load `watches` before the store becomes visible to this PE. In rare cases, this PE therefore
// misses the store, and the storing PE does not wake this PE. To notice a missed store soon, this
// PE sleeps only in short naps.
void endpoint::sleep_and_watch(nanoseconds deadline, awaited what) {
  nanoseconds nap = shortest_watching_nap;
  for (nanoseconds time = now(); time < deadline && !something_arrived(what); time = now()) {
    sleep(std::min(deadline, time + nap), what);
    nap = std::min(2 * nap, longest_watching_nap);
  }
}

void endpoint::wait(nanoseconds deadline, awaited what) {
  const nanoseconds start = deadline == 0 ? 0 : now();
  if (!something_arrived(what) && start < deadline) {
    const waiting_phase waits(mine_.life, what == awaited::room ? forever : deadline);
    const bool arrived =
        spin(std::min(start + patience_.spin, deadline), what) || give_core_away(deadline, what);
    if (!arrived && *watched_ != nullptr)
      sleep_and_watch(deadline, what);
    else if (!arrived && now() < deadline)
      sleep(deadline, what);
  }
  // The word `room` must be reset by an exchange. With a plain store, a later load of a slot could
  // be executed before the store. An early load could find the slot full although the receiver has
  // freed the slot before the reset. The exchange also reads `room`, so this PE sees everything
  // that the receiver did before it stored `room`.
  if (mine_.room.load(std::memory_order_relaxed) != 0)
    mine_.room.exchange(0, std::memory_order_seq_cst);
  if (mine_.attention.load(std::memory_order_relaxed) != 0) attend();
}

}  // namespace atl::transport::shm
