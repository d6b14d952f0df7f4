#include "atoll/transport/sim/endpoint.hpp"

#include "atoll/base/error.hpp"

#include <algorithm>
#include <csignal>
#include <functional>

namespace atl::transport::sim {
namespace {

/// Among how many arrived buffers chance chooses.
constexpr std::size_t most_choices = 4;

std::size_t index(int pe) { return static_cast<std::size_t>(pe); }

}  // namespace

endpoint::endpoint(world& world, std::vector<std::unique_ptr<endpoint>>& all, int rank)
    : world_(world),
      all_(all),
      time_(world.time->start()),
      dies_at_(world.kill.pe == rank ? world.kill.time : forever) {
  rank_ = rank;
  size_ = world.job.pes();
  buffer_capacity_ = world.job.buffer_capacity();
  last_site_ = &world.job.block(rank).life.last_site;
  progress_ = &world.job.block(rank).life.progress;
  segments_ = world.job.symmetric().bases();
  segment_bytes_ = world.job.symmetric().bytes_each();
  node_of_ = world.nodes;
  world.schedule.add(rank, time_);
}

std::byte* endpoint::acquire(int destination) {
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
  channel& wire = world_.wire(rank_, destination);
  time_ += world_.time->sending(rank_, destination);
  wire.send(world_.buffers.packed(std::move(wire.filling), bytes), bytes);
  if (!node_of_.empty() && node_of_[index(destination)] != node_of_[index(rank_)]) {
    ++own_traffic_.messages;
    own_traffic_.bytes += bytes;
  }
  world_.history.add('s', destination, time_, bytes);
  if (const auto arrival = world_.time->arrival(rank_, destination, bytes, time_))
    all_[index(destination)]->comes(rank_, *arrival);
}

void endpoint::comes(int source, nanoseconds time) {
  channel& wire = world_.wire(source, rank_);
  const bool first = wire.empty();
  const nanoseconds arrival = wire.arrives(time);
  world_.history.add('a', rank_, arrival, static_cast<std::uint64_t>(source));
  if (first) expect({arrival, source});
}

void endpoint::expect(arrival first) {
  arrivals_.insert(std::ranges::upper_bound(arrivals_, first, std::greater()), first);
  if (waits_ && waits_for_buffers_) world_.schedule.hasten(rank_, first.first);
}

delivery endpoint::poll() {
  look();
  ATOLL_ASSERT(delivered_ == none, "poll before the release of the last delivery");
  std::size_t choices = 0;
  while (choices < std::min(most_choices, arrivals_.size()) &&
         arrivals_[arrivals_.size() - 1 - choices].first <= time_)
    ++choices;
  if (choices == 0) return {};
  const auto chosen =
      arrivals_.end() - 1 - static_cast<std::ptrdiff_t>(world_.time->one_of(choices));
  delivered_ = chosen->second;
  arrivals_.erase(chosen);
  const delivery arrived = world_.wire(delivered_, rank_).next(delivered_);
  time_ += world_.time->receiving(delivered_, rank_);
  world_.history.add('d', rank_, time_, static_cast<std::uint64_t>(delivered_));
  return arrived;
}

void endpoint::release() {
  ATOLL_ASSERT(delivered_ != none, "release without a delivery");
  channel& wire = world_.wire(delivered_, rank_);
  wire.take(world_.buffers, time_ + world_.time->return_of_room(rank_, delivered_));
  if (!wire.empty()) expect({wire.next_arrival(), delivered_});
  if (wire.refused) all_[index(delivered_)]->expect_room(wire.room_at());
  delivered_ = none;
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
  if (const nanoseconds time = wakes_at(deadline, what); time > time_) {
    waits_ = true;
    waits_for_buffers_ = what == awaited::anything;
    leave_until(time);
    waits_ = false;
    look();
  }
  forget_returned_room();
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
  time_ += world_.time->clock(rank_);
  return time_;
}

void endpoint::fail(int exit_status) { world_.job.end(exit_status); }

void endpoint::look() {
  time_ += world_.time->look(rank_);
  if (time_ >= dies_at_) die();
  let_network_go_on(time_);
  while (world_.schedule.earliest() < time_) {
    leave_until(time_);
    let_network_go_on(time_);
  }
  throw_if_ended();
}

// Up to `time`, but not beyond what a PE that is earlier may still send.
void endpoint::let_network_go_on(nanoseconds time) {
  for (nanoseconds next = world_.time->next_step();
       next != forever && next <= std::min(time, world_.schedule.earliest());
       next = world_.time->next_step())
    if (const auto arrived = world_.time->take_step())
      all_[index(arrived->to)]->comes(arrived->from, arrived->time);
}

void endpoint::leave_until(nanoseconds time) {
  world_.schedule.add(rank_, time);
  stack_->suspend();
  world_.history.add('r', rank_, time_);
}

// The others go on until they notice. Then this PE unwinds as they do: a fiber cannot be dropped.
void endpoint::die() {
  dies_at_ = forever;
  leave_until(time_ + world_.time->notice());
  if (world_.job.end(128 + SIGKILL)) world_.say_death(rank_, *last_site_);
}

void endpoint::throw_if_ended() {
  if (world_.job.ended()) throw job_ended();
}

}  // namespace atl::transport::sim
