#include "atoll/transport/sim/endpoint.hpp"

#include "atoll/error.hpp"

#include <algorithm>
#include <csignal>
#include <functional>

namespace atl::transport::sim {
namespace {

/// Maximum number of arrived buffers from which the next buffer is chosen at random.
constexpr std::size_t most_choices = 4;

std::size_t index(int pe) { return static_cast<std::size_t>(pe); }

}  // namespace

endpoint::endpoint(world& world, std::vector<std::unique_ptr<endpoint>>& all, int rank)
    : world_(world),
      all_(all),
      time_(world.time->start()),
      dies_at_(world.kill.pe == rank ? world.kill.time : forever),
      memory_(world, rank, time_) {
  rank_ = rank;
  size_ = world.job.pes();
  buffer_capacity_ = world.job.buffer_capacity();
  last_site_ = &world.job.block(rank).life.last_site;
  progress_ = &world.job.block(rank).life.progress;
  segments_ = world.job.symmetric().bases();
  segment_bytes_ = world.job.symmetric().bytes_each();
  private_bytes_ = world.job.symmetric().shares().private_bytes;
  node_of_ = world.nodes;
  far_memory_ = &memory_;
  world.schedule.add(rank, time_);
  if (node_of_.empty()) return;
  messages_.emplace(world, rank, time_);
  far_.emplace(*messages_, world.far_partners, buffer_capacity_, world.far_buffers_of_pair);
  arriving_.emplace(*messages_);
  far_->join(*arriving_);
  to_network_ = &far_->traffic();
}

std::byte* endpoint::acquire(int destination) {
  if (!is_near(destination)) return far_->acquire(destination);
  channel& wire = world_.wire(rank_, destination);
  wire.make_room(time_);
  if (wire.room_at() <= time_) {
    if (wire.filling == nullptr) wire.filling = world_.buffers.take();
    return wire.filling.get();
  }
  if (!wire.refused) refused_.push_back(&wire);
  wire.refused = true;
  room_at_ = std::min(room_at_, wire.room_at());
  return nullptr;
}

void endpoint::submit(int destination, std::uint32_t bytes) {
  ATOLL_ASSERT(bytes > 0 && bytes <= buffer_capacity_, "submit of no byte, or beyond the capacity");
  if (!is_near(destination)) return far_->submit(destination, bytes);
  channel& wire = world_.wire(rank_, destination);
  time_ += world_.time->handing_over({rank_, time_});
  wire.send(world_.buffers.packed(std::move(wire.filling), bytes), bytes);
  world_.history.add('s', destination, time_, bytes);
  all_[index(destination)]->comes_near(rank_, time_ + world_.time->journey());
}

void endpoint::comes_near(int source, nanoseconds time) {
  channel& wire = world_.wire(source, rank_);
  const bool first = wire.empty();
  const nanoseconds arrival = wire.arrives(time);
  world_.history.add('a', rank_, arrival, static_cast<std::uint64_t>(source));
  if (first) expect({arrival, source});
}

void endpoint::expect(arrival first) {
  arrivals_.insert(std::ranges::upper_bound(arrivals_, first, std::greater()), first);
  if (waits_ && awaited_ == awaited::anything) world_.schedule.hasten(rank_, first.first);
}

// Polls for buffers from PEs of the same node and from other nodes. Every second call polls for
// other nodes first, so that neither kind of buffer can delay the other kind forever.
delivery endpoint::poll() {
  look();
  ATOLL_ASSERT(delivered_ == none, "poll before the release of the last delivery");
  if (!far_) return poll_near();
  arriving_->look();
  far_first_ = !far_first_;
  const delivery first = far_first_ ? poll_far() : poll_near();
  if (first.data != nullptr) return first;
  return far_first_ ? poll_near() : poll_far();
}

delivery endpoint::poll_far() {
  const delivery arrived = far_->poll();
  if (arrived.data == nullptr) return {};
  delivered_ = arrived.source;
  delivered_far_ = true;
  return arrived;
}

delivery endpoint::poll_near() {
  std::size_t choices = 0;
  while (choices < std::min(most_choices, arrivals_.size()) &&
         arrivals_[arrivals_.size() - 1 - choices].first <= time_)
    ++choices;
  if (choices == 0) return {};
  const auto chosen =
      arrivals_.end() - 1 - static_cast<std::ptrdiff_t>(world_.time->one_of(choices));
  delivered_ = chosen->second;
  delivered_far_ = false;
  arrivals_.erase(chosen);
  const delivery arrived = world_.wire(delivered_, rank_).next(delivered_);
  time_ += world_.time->taking({rank_, time_});
  world_.history.add('d', rank_, time_, static_cast<std::uint64_t>(delivered_));
  return arrived;
}

void endpoint::release() {
  ATOLL_ASSERT(delivered_ != none, "release without a delivery");
  const int source = std::exchange(delivered_, none);
  if (delivered_far_) return far_->release();
  channel& wire = world_.wire(source, rank_);
  wire.take(world_.buffers, time_ + world_.time->return_of_room());
  if (!wire.empty()) expect({wire.next_arrival(), source});
  if (wire.refused) all_[index(source)]->expect_room(wire.room_at());
}

void endpoint::expect_room(nanoseconds time) {
  room_at_ = std::min(room_at_, time);
  if (waits_) world_.schedule.hasten(rank_, time);
}

nanoseconds endpoint::wakes_at(nanoseconds deadline, awaited what) const {
  const nanoseconds known = std::min({deadline, room_at_, dies_at_});
  return what == awaited::room || arrivals_.empty() ? known
                                                    : std::min(known, arrivals_.back().first);
}

void endpoint::wait(nanoseconds deadline, awaited what) {
  look();
  if (far_) {
    wait_beside_others(deadline, what);
  } else if (!memory_gives_news() && wakes_at(deadline, what) > time_) {
    sleep(deadline, what);
    look();
  }
  operations_ended_ = false;
  forget_returned_room();
}

bool endpoint::memory_gives_news() { return operations_ended_ || memory_has_changed(); }

void endpoint::rouse_at(nanoseconds time) {
  const bool has_reason = waits_ && (memory_.has_ended() || memory_has_changed());
  if (has_reason) world_.schedule.hasten(rank_, time);
}

void endpoint::sleep(nanoseconds deadline, awaited what) {
  nanoseconds time = wakes_at(deadline, what);
  if (far_) time = std::min(time, next_far_look(far_arrival(what)));
  waits_ = true;
  awaited_ = what;
  give_core_away();
  leave_until(time);
  waits_ = false;
}

// Waits like the endpoint for MPI: between yields and naps, the PE polls for messages of other
// nodes.
void endpoint::wait_beside_others(nanoseconds deadline, awaited what) {
  naps_ = internode::naps(world_.vigilance);
  last_far_look_ = time_;
  for (;;) {
    arriving_->look();
    far_->progress();
    const bool arrived = near_arrived(what) || far_->something_arrived(what);
    if (arrived || memory_gives_news() || time_ >= deadline) break;
    sleep(deadline, what);
    look();
    pass_far_looks();
  }
  far_->forget_room();
}

bool endpoint::near_arrived(awaited what) const { return wakes_at(forever, what) <= time_; }

nanoseconds endpoint::far_arrival(awaited what) const {
  const nanoseconds note = messages_->first_arrival(internode::note_tag);
  return what == awaited::room ? note
                               : std::min(note, messages_->first_arrival(internode::buffer_tag));
}

// Returns the time of the first poll that finds a message with the arrival time `arrival`. Earlier
// polls are not simulated, because they would find nothing.
nanoseconds endpoint::next_far_look(nanoseconds arrival) const {
  if (arrival == forever) return forever;
  internode::naps naps = naps_;
  nanoseconds time = last_far_look_;
  while (time < arrival || time <= time_) time += world_.time->pause(naps.next());
  return time;
}

void endpoint::pass_far_looks() {
  for (internode::naps naps = naps_; last_far_look_ < time_; naps_ = naps)
    last_far_look_ += world_.time->pause(naps.next());
}

void endpoint::comes(const shipment& message, nanoseconds time) {
  messages_->comes(message, time);
  if (waits_) world_.schedule.hasten(rank_, next_far_look(far_arrival(awaited_)));
}

void endpoint::forget_returned_room() {
  if (room_at_ > time_) return;
  room_at_ = forever;
  std::erase_if(refused_, [this](channel* wire) {
    wire->refused = wire->room_at() > time_;
    if (wire->refused) room_at_ = std::min(room_at_, wire->room_at());
    return !wire->refused;
  });
}

nanoseconds endpoint::now() {
  time_ += world_.time->clock({rank_, time_});
  return time_;
}

void endpoint::fail(int exit_status) { world_.job.end(exit_status); }

void endpoint::look() {
  time_ += world_.time->look({rank_, time_});
  if (time_ >= dies_at_) die();
  let_network_go_on(time_);
  while (world_.schedule.earliest() < time_) {
    leave_until(time_);
    let_network_go_on(time_);
  }
  wait_for_a_core();
  if (messages_) messages_->see_until(time_);
  if (memory_.count_out()) operations_ended_ = true;
  throw_if_ended();
}

void endpoint::wait_for_a_core() {
  while (!world_.job.ended()) {
    const nanoseconds again = world_.time->core_for({rank_, time_});
    if (again <= time_) return;
    leave_until(again);
    let_network_go_on(time_);
  }
}

// Simulates traffic up to `time`, but not beyond the time of another PE, because that PE may still
// send. After the end of the job, no memory is accessed any more, because the memory may have been
// freed.
void endpoint::let_network_go_on(nanoseconds time) {
  for (;;) {
    const nanoseconds network = world_.time->next_step();
    const nanoseconds memory = world_.job.ended() ? forever : world_.memory.next_step();
    const nanoseconds next = std::min(network, memory);
    if (next == forever || next > std::min(time, world_.schedule.earliest())) return;
    if (memory <= network)
      world_.memory.take_step();
    else if (const auto arrived = world_.time->take_step())
      world_.deliver(arrived->message, arrived->time);
  }
}

void endpoint::leave_until(nanoseconds time) {
  world_.schedule.add(rank_, time);
  stack_->suspend();
  world_.history.add('r', rank_, time_);
}

// Simulates the death of this PE. The other PEs continue until they notice the death. Like the
// other PEs, the dead PE later ends by an exception, because a fiber must run to its end.
void endpoint::die() {
  dies_at_ = forever;
  leave_until(time_ + world_.time->notice());
  if (world_.job.end(128 + SIGKILL)) world_.say_death(rank_, *last_site_);
}

void endpoint::throw_if_ended() {
  if (world_.job.ended()) throw job_ended();
}

}  // namespace atl::transport::sim
