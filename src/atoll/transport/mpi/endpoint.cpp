#include "atoll/transport/mpi/endpoint.hpp"

#include "atoll/transport/internode/nodes.hpp"

#include "atoll/error.hpp"
#include "atoll/transport/say.hpp"

#include <algorithm>
#include <sched.h>
#include <system_error>

namespace atl::transport::mpi {
namespace {

int place_in(const internode::node_map& nodes, int rank) {
  return nodes.place_of[static_cast<std::size_t>(rank)];
}

/// Returns how long `shm::endpoint::wait` stays awake before it sleeps. If the job has one node
/// (`alone`), a PE waits as in a job without MPI. If the job has several nodes, the result is 0,
/// because `wait_far` itself polls shared memory and MPI.
shm::patience patience_near(const settings& settings, bool alone, bool own_core) {
  if (!alone) return {0, 0};
  return {own_core ? shm::spin_time_of_owner : 0, settings.idle_yields};
}

}  // namespace

endpoint::endpoint(const atoll_mpi_api& mpi, shm::region& node, const internode::node_map& nodes,
                   rank_hooks hooks, const settings& settings, bool own_core,
                   const shm::address_shares& shares)
    : nodes_(nodes),
      hooks_(std::move(hooks)),
      vigilance_(internode::vigilance_of(settings.idle_yields, own_core)),
      near_(node, place_in(nodes, mpi.rank()),
            patience_near(settings, nodes.mine.size() == nodes.node_of.size(), own_core)),
      messages_(mpi) {
  stand_before(near_);
  segment_bytes_ = shares.segment_bytes;
  private_bytes_ = shares.private_bytes;
  rank_ = mpi.rank();
  size_ = mpi.size();
  last_site_for_keeper_ = &hooks_.last_site;
  node_of_ = nodes.node_of;
  machines_ = nodes.machines;
  job_settings_ = &settings;
  segments_of_all_.resize(static_cast<std::size_t>(size_));
  for (const int pe : nodes.mine)
    segments_of_all_[static_cast<std::size_t>(pe)] = near_.segment(place_of(pe));
  segments_ = reached_ = segments_of_all_.data();
  sleepers_of_all_.resize(static_cast<std::size_t>(size_));
  for (const int pe : nodes.mine)
    sleepers_of_all_[static_cast<std::size_t>(pe)] = &node.block(place_of(pe)).watches;
  sleepers_ = sleepers_of_all_.data();
  const auto pes_here = static_cast<int>(nodes.mine.size());
  if (pes_here == size_) return;
  const int partners = internode::partners_beyond(
      settings.aggregation ? settings.routing : routing::direct, nodes.count(), pes_here);
  far_.emplace(messages_, partners, buffer_capacity_, settings.buffers_per_pair);
  far_->join(arriving_);
  to_network_ = &far_->traffic();
  memory_.emplace(messages_, std::span(segment(rank_), segment_bytes_),
                  [this] { attend_while_waiting_for_room(); });
  memory_->when_opened([this] { start_helper(); });
  far_memory_ = &*memory_;
}

/// Receives messages while a function of `far_memory` waits for room. Throws `job_ended` if the job
/// has ended. The call of `near_.wait` may consume a notification for a later `wait`, so
/// `near_.wake` repeats the notification.
void endpoint::attend_while_waiting_for_room() {
  memory_->look(arriving_);
  near_.wait(0, awaited::room);
  near_.wake();
}

void endpoint::start_helper() {
  memory_->join(arriving_);
  messages_.share();
  try {
    helper_.emplace(
        *memory_, internode::memory_helper::hooks{.has_ended = [this] { return near_.has_ended(); },
                                                  .served = [this] { near_.wake(); },
                                                  .failed = [this] { fail_for_memory(); }});
  } catch (const std::system_error& refused) {
    atl::fail(errc::environment, "cannot start the thread that serves one-sided access: {}",
              refused.what());
  }
}

/// Ends the job for lack of memory. The helper thread calls this function and does not wait for its
/// PE, because the PE may compute for a long time.
void endpoint::fail_for_memory() {
  say("PE {}: error: out of memory: one-sided access by other nodes cannot be served", rank_);
  hooks_.fail(k_status_environment);
}

void endpoint::drain() {
  helper_.reset();
  if (!far_) return;
  memory_->drain();
  far_->drain();
}

bool endpoint::look_at_messages() {
  if (helper_) {
    helper_->pe_looks();
    memory_->look(arriving_);
  } else {
    arriving_.look();
  }
  far_->progress();
  if (!helper_) return false;
  const internode::far_memory::news found = memory_->progress();
  operations_ended_ |= found.ended;
  return found.asked;
}

pe_state endpoint::state() {
  const internode::far_memory::traffic memory = memory_->counted();
  return {phase_,
          progress_->load(std::memory_order_relaxed),
          deadline_ == forever ? forever : deadline_ - now(),
          far_->sent() + memory.sent,
          far_->received() + memory.received,
          last_site(),
          waits_ ? 1U : 0U,
          memory.has_come || near_.something_arrived(awaited::anything) || far_->has_new_room()
              ? 1U
              : 0U};
}

std::byte* endpoint::acquire(int destination) {
  return nodes_.is_here(destination) ? near_.acquire(place_of(destination))
                                     : far_->acquire(destination);
}

void endpoint::submit(int destination, std::uint32_t bytes) {
  if (nodes_.is_here(destination)) return near_.submit(place_of(destination), bytes);
  far_->submit(destination, bytes);
}

delivery endpoint::poll_near() {
  delivery arrived = near_.poll();
  arrived.source = nodes_.mine[static_cast<std::size_t>(arrived.source)];
  delivered_far_ = false;
  return arrived;
}

delivery endpoint::poll_far() {
  const delivery arrived = far_->poll();
  delivered_far_ = true;
  return arrived;
}

// Polls shared memory and MPI. Every second call polls MPI first, so that neither kind of buffer
// can delay the other kind forever.
delivery endpoint::poll() {
  if (!far_) return poll_near();
  if (attend_) attend_(false);
  look_at_messages();
  far_first_ = !far_first_;
  const delivery first = far_first_ ? poll_far() : poll_near();
  if (first.data != nullptr) return first;
  return far_first_ ? poll_near() : poll_far();
}

void endpoint::release() {
  if (delivered_far_)
    far_->release();
  else
    near_.release();
}

void endpoint::wait(nanoseconds deadline, awaited what) {
  if (!far_) return near_.wait(deadline, what);
  ++phase_;
  deadline_ = what == awaited::room ? forever : deadline;
  waits_ = true;
  wait_far(deadline, what);
  waits_ = false;
  ++phase_;
}

// Waits for messages through shared memory and through MPI. The PE sleeps in naps, because messages
// of MPI do not wake a sleeping PE. Other PEs of the node end a nap by setting the word `room`,
// which `near_.sleep` does not reset. The call of `near_.wait` after the loop resets `room`, before
// the caller looks for a free slot again.
void endpoint::wait_far(nanoseconds deadline, awaited what) {
  internode::naps naps(vigilance_);
  nanoseconds nap = 0;
  for (;;) {
    // Another request is likely to follow, so the PE starts with short naps again.
    if (look_at_messages()) {
      naps = internode::naps(vigilance_);
      nap = 0;
    }
    if (operations_ended_ || near_.something_arrived(what) || far_->something_arrived(what)) break;
    const nanoseconds time = deadline == 0 ? 0 : now();
    if (time >= deadline) break;
    if (attend_) attend_(true);
    if (nap != 0) near_.sleep(std::min(deadline, time + nap), what);
    nap = naps.next();
    if (nap == 0) sched_yield();
  }
  operations_ended_ = false;
  near_.wait(0, what);
  far_->forget_room();
}

void endpoint::fail(int exit_status) { hooks_.fail(exit_status); }

}  // namespace atl::transport::mpi
