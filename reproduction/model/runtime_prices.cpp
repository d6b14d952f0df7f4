#include "reproduction/model/runtime_prices.hpp"

#include "atoll/atoll.hpp"
#include "atoll/job/bootstrap.hpp"
#include "bench/context_switch.hpp"
#include "bench/message_stages.hpp"

#include <algorithm>

namespace atl::reproduction::prices {
namespace {

constexpr std::uint64_t operations = 1 << 20;

/// Measures the time and the changes of this PE's counters since the construction of the object.
class stretch {
 public:
  double nanoseconds_passed() const { return static_cast<double>(time() - begin_); }
  double counted(observe::counter observe::counters::* what) const {
    return static_cast<double>(*this_pe().counters.*what - before_.*what);
  }

 private:
  static nanoseconds time() { return now(); }

  observe::counters before_ = *this_pe().counters;
  nanoseconds begin_ = time();
};

task<double> nanoseconds_of_a_switch() {
  const auto found =
      co_await bench::context_switch::measure({.tasks = 1000, .switches = 5'000'000});
  co_return 1e9 / found.rate();
}

/// Measures the time of a scheduler round. A task yields repeatedly, and each yield takes a context
/// switch and a scheduler round. The known cost of a switch is subtracted.
task<double> nanoseconds_of_a_round(double of_a_switch) {
  const stretch whole;
  for (std::uint64_t i = 0; i < operations; ++i) co_await yield();
  const double switches = whole.counted(&observe::counters::context_switches) * of_a_switch;
  co_return (whole.nanoseconds_passed() - switches) /
      std::max(1.0, whole.counted(&observe::counters::scheduler_rounds));
}

task<> nothing() { co_return; }

task<double> nanoseconds_of_a_task() {
  constexpr int tasks_of_a_scope = 1000;
  constexpr int scopes = 1000;
  const auto spawn_all = [] {
    for (int i = 0; i < tasks_of_a_scope; ++i) spawn([] { return nothing(); });
  };
  co_await finish(spawn_all);
  const stretch whole;
  for (int i = 0; i < scopes; ++i) co_await finish(spawn_all);
  co_return whole.nanoseconds_passed() / (double{scopes} * tasks_of_a_scope);
}

/// A proxy (combine/batch.hpp) of a trivial structure. Nearly all of the cost of a request is thus
/// the cost of combining.
struct sum_proxy {
  using request = std::uint64_t;
  using answer = std::uint64_t;
  using pending = combine::pending<request, answer>;

  std::uint64_t sum = 0;

  combine::merged merge(const request&, answer&, std::span<pending>) {
    return combine::merged::waits;
  }

  task<> sync(std::span<pending> batch) {
    for (const auto& one : batch) *one.answer = sum += one.request;
    co_return;
  }
};

/// Measures the time of requests that many tasks make on a combined structure. The known costs of
/// other steps are subtracted.
task<double> nanoseconds_of_requests(combining_mode mode, steps_of_a_task known,
                                     observe::counter observe::counters::* what) {
  const auto sums = co_await flat_combining<sum_proxy>::make(sum_proxy{}, combining_options(mode));
  const auto add = [=](std::uint64_t i) -> task<> { co_await sums.do_only(i); };
  co_await parallel_for(operations / 8, add);
  const stretch whole;
  co_await parallel_for(operations, add);
  const double others =
      whole.counted(&observe::counters::context_switches) * known.context_switch +
      whole.counted(&observe::counters::scheduler_rounds) * known.round +
      whole.counted(&observe::counters::tasks_started) * known.task +
      (what == &observe::counters::requests_combined
           ? 0.0
           : whole.counted(&observe::counters::requests_combined) * known.request_combined);
  co_return std::max(0.0, whole.nanoseconds_passed() - others) / std::max(1.0, whole.counted(what));
}

/// Measures the cost of making an event and of waking a waiter, by a chain of events on this PE.
void measure_events(steps_of_a_task& found) {
  constexpr std::uint64_t k_length = 1 << 16;
  // The second run reuses memory, so that page faults do not count.
  for (int run = 0; run < 2; ++run) {
    const user_event first = make_user_event();
    const stretch making;
    event last = first;
    for (std::uint64_t i = 0; i < k_length; ++i) {
      const user_event next = make_user_event();
      trigger_when(next, last);
      last = next;
    }
    found.event_made = making.nanoseconds_passed() / k_length;
    const stretch waking;
    first.trigger();
    found.waiter_woken = waking.nanoseconds_passed() /
                         std::max(1.0, waking.counted(&observe::counters::waiters_woken));
  }
}

double nanoseconds_of_a_grant() {
  const reservation door = make_reservation();
  const stretch whole;
  for (std::uint64_t i = 0; i < operations; ++i) {
    door.acquire();
    door.release();
  }
  return whole.nanoseconds_passed() / static_cast<double>(operations);
}

void take_one(transport::endpoint& wire) {
  while (wire.poll().data == nullptr) {
  }
  wire.release();
}

void send_one(transport::endpoint& wire) {
  std::byte* room = nullptr;
  while (room == nullptr) room = wire.acquire(1 - wire.rank());
  *room = std::byte{1};
  wire.submit(1 - wire.rank(), 1);
}

/// Returns the nanoseconds per call of `work`, over `count` calls.
template <class Work>
double nanoseconds_of(transport::endpoint& wire, std::uint64_t count, const Work& work) {
  const nanoseconds begin = wire.now();
  for (std::uint64_t i = 0; i < count; ++i) work();
  return static_cast<double>(wire.now() - begin) / static_cast<double>(count);
}

/// Measures the costs of small buffers: first a stream of buffers from PE 0 to PE 1, then buffers
/// that go back and forth.
steps_of_a_wire time_the_wire(transport::endpoint& wire) {
  const bool sends = wire.rank() == 0;
  steps_of_a_wire found;
  found.clock = nanoseconds_of(wire, operations, [&] { wire.now(); });
  if (sends) found.look = nanoseconds_of(wire, operations, [&] { wire.poll(); });
  found.buffer = nanoseconds_of(wire, operations, [&] { sends ? send_one(wire) : take_one(wire); });
  const double trip = nanoseconds_of(wire, operations / 8, [&] {
    sends ? send_one(wire) : take_one(wire);
    sends ? take_one(wire) : send_one(wire);
  });
  found.journey = std::max(0.0, trip / 2 - 2 * found.buffer);
  return found;
}

}  // namespace

task<steps_of_a_task> measure_tasks() {
  steps_of_a_task found;
  found.context_switch = co_await nanoseconds_of_a_switch();
  found.round = std::max(0.0, co_await nanoseconds_of_a_round(found.context_switch));
  found.task = std::max(0.0, co_await nanoseconds_of_a_task() - found.context_switch);
  found.request_combined = co_await nanoseconds_of_requests(combining_mode::local, found,
                                                            &observe::counters::requests_combined);
  found.request_served = co_await nanoseconds_of_requests(combining_mode::central, found,
                                                          &observe::counters::requests_served);
  measure_events(found);
  found.reservation_granted = nanoseconds_of_a_grant();
  co_return found;
}

task<steps_of_a_message> measure_message() {
  constexpr double bytes = 16;
  const auto found = co_await bench::messages::measure_stages(bench::messages::k_cold_bytes);
  const double cores = pes();
  co_return steps_of_a_message{cores * 1e9 / found.create.rate(),
                               cores * 1e9 / found.hand_over.rate() / bytes,
                               cores * 1e9 / found.deliver.rate()};
}

steps_of_a_wire measure_wire(const settings& options) {
  settings two = options;
  two.pes = 2;
  steps_of_a_wire found;
  const int status = job::run_pes(two, [&](transport::endpoint& wire) {
    const steps_of_a_wire mine = time_the_wire(wire);
    if (wire.rank() == 0) found = mine;
    return 0;
  });
  if (status != 0) throw transport::job_ended();
  return found;
}

}  // namespace atl::reproduction::prices
