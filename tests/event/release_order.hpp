#pragma once
// Tests three requests for one reservation, with their steps in all orders. Each request comes from
// another simulated PE. A request consists of an acquisition, an operation, and a release. The
// operation needs the reservation and some data. A request has three steps: it is made, its data
// arrives or a disturbance happens, and it ends.

#include "atoll/event.hpp"
#include "support/ended_well.hpp"
#include "support/run_on.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace atl::test {

/// What disturbs a request at its second step.
enum class disturbance : std::uint8_t {
  none,
  poisoned_data,
  poisoned_precondition,  ///< the acquisition waits for a precondition that fails
  withdrawn_operation,
  withdrawn_request,
  withdrawn_release  ///< another release replaces the withdrawn release
};
inline constexpr std::size_t k_disturbances = 6;

inline constexpr int k_requests = 3;
/// Number of steps of a request: the request is made, its data arrives or it is disturbed, and it
/// ends.
inline constexpr int k_steps = 3;

/// For each step of the program, the number of the request that makes this step.
using step_order = std::array<int, k_requests * k_steps>;

inline std::vector<step_order> all_step_orders() {
  step_order next{0, 0, 0, 1, 1, 1, 2, 2, 2};
  std::vector<step_order> all;
  do all.push_back(next);
  while (std::ranges::next_permutation(next).found);
  return all;
}

struct reservation_request {
  disturbance disturbed = disturbance::none;
  reservation_mode mode;
  user_event ready, data, leave;
  event held, done, freed;
  bool is_withdrawn = false;
  bool has_entered = false;
  int steps = 0;
};

/// Runs three requests with the given modes and disturbances, in one order of their steps. All PEs
/// share this object.
class release_order {
 public:
  using disturbances = std::array<disturbance, k_requests>;

  release_order(const disturbances& each, const std::array<reservation_mode, k_requests>& modes,
                const step_order& order, bool settles)
      : order_(order), settles_(settles) {
    for (std::size_t i = 0; i < k_requests; ++i) {
      requests_[i].disturbed = each[i];
      requests_[i].mode = modes[i];
    }
  }

  /// Runs the steps of all requests in the order `order_`. PE 0 calls this function, which also
  /// makes the reservation. Returns false if a request behaves wrongly.
  task<bool> run() {
    door_ = make_reservation();
    for (const int next : order_) {
      const auto take_step = [this, next] { return step(next); };
      co_await call(next, take_step);
      if (settles_) co_await settle();
    }
    for (int i = 0; i < k_requests; ++i) {
      const auto end = [this, i] { return check_end(of(i)); };
      co_await call(i, end);
    }
    co_await check_free();
    co_return !wrong_;
  }

  std::string text() const {
    std::string said = "disturbed by";
    for (const reservation_request& each : requests_)
      said += fmt::format(" {}", static_cast<int>(each.disturbed));
    said += ", in the modes";
    for (const reservation_request& each : requests_) said += fmt::format(" {}", each.mode.word());
    return fmt::format("{}, {} in the order {}", said, settles_ ? "slowly" : "at once",
                       fmt::join(order_, " "));
  }

 private:
  reservation_request& of(int i) { return requests_[static_cast<std::size_t>(i)]; }

  void expect(bool holds, site where = site::current()) {
    if (holds) return;
    wrong_ = true;
    fmt::print(stderr, "not as it should be: {}\n", to_string(where));
  }

  task<> step(int i) {
    reservation_request& next = of(i);
    switch (next.steps++) {
    case 0:
      return ask(next);
    case 1:
      return disturb(next);
    default:
      return let_leave(next);
    }
  }

  task<> ask(reservation_request& next) {
    next.ready = make_user_event();
    next.data = make_user_event();
    next.leave = make_user_event();
    const bool waits = next.disturbed == disturbance::poisoned_precondition;
    next.held = door_.acquire(waits ? event(next.ready) : event::none, next.mode);
    next.done =
        spawn_when(merge_events({next.held, next.data}), [this, &next] { return be(next); });
    next.freed = door_.release(next.done, next.held);
    co_return;
  }

  task<> be(reservation_request& present) {
    present.has_entered = true;
    expect(inside_ == 0 || (!present.mode.is_exclusive() && present.mode == mode_));
    mode_ = present.mode;
    ++inside_;
    co_await present.leave;
    --inside_;
  }

  task<> disturb(reservation_request& next) {
    const error failure(errc::input, "as planned");
    if (next.disturbed == disturbance::poisoned_precondition) next.ready.poison(failure);
    if (next.disturbed == disturbance::poisoned_data) co_return next.data.poison(failure);
    if (next.disturbed == disturbance::withdrawn_operation)
      next.is_withdrawn = co_await withdraw(next.done);
    if (next.disturbed == disturbance::withdrawn_request)
      next.is_withdrawn = co_await withdraw(next.held);
    if (next.disturbed == disturbance::withdrawn_release) {
      next.is_withdrawn = co_await withdraw(next.freed);
      if (next.is_withdrawn) next.freed = door_.release(next.done, next.held);
    }
    next.data.trigger();
  }

  task<> let_leave(reservation_request& next) {
    next.leave.trigger();
    co_return;
  }

  /// Waits until all messages have arrived, and checks which requests hold the reservation.
  task<> settle() {
    co_await sleep_for(100'000'000);
    std::array<bool, k_requests> holds{};
    std::array<bool, k_requests> waits{};
    for (int i = 0; i < k_requests; ++i) {
      const auto look = [about = &of(i), has = &holds[static_cast<std::size_t>(i)],
                         lacks = &waits[static_cast<std::size_t>(i)]] {
        const auto& next = *about;
        if (next.steps == 0) return;
        const bool precondition = next.disturbed != disturbance::poisoned_precondition;
        *lacks = precondition && !next.held.has_triggered();
        *has = next.held.has_triggered() && !next.held.is_poisoned() && !next.freed.has_triggered();
      };
      co_await call(i, look);
    }
    for (std::size_t i = 0; i < k_requests; ++i) expect(!waits[i] || is_kept_out(i, holds, waits));
  }

  /// Returns true if request `i` must wait, because another request holds the reservation or waits
  /// for it.
  bool is_kept_out(std::size_t i, const std::array<bool, k_requests>& holds,
                   const std::array<bool, k_requests>& waits) const {
    const bool is_held = std::ranges::count(holds, true) != 0;
    bool excluded = false;
    for (std::size_t k = 0; k < k_requests; ++k) {
      const bool excludes =
          requests_[i].mode.is_exclusive() || requests_[k].mode != requests_[i].mode;
      excluded |= k != i && excludes && (holds[k] || waits[k]);
    }
    return is_held && excluded;
  }

  task<> check_end(reservation_request& ended) {
    const auto held = co_await ended.held.settled();
    const auto done = co_await ended.done.settled();
    const auto freed = co_await ended.freed.settled();
    const disturbance by = ended.disturbed;
    const bool asks_in_vain = by == disturbance::poisoned_precondition ||
                              (by == disturbance::withdrawn_request && ended.is_withdrawn);
    const bool begins = !asks_in_vain && by != disturbance::poisoned_data &&
                        !(by == disturbance::withdrawn_operation && ended.is_withdrawn);
    expect(held.has_value() == asks_in_vain);
    expect(ended.has_entered == begins && done.has_value() == !begins);
    expect(freed.has_value() == !begins);
    if (by == disturbance::withdrawn_operation || by == disturbance::withdrawn_release)
      expect(ended.is_withdrawn);
  }

  /// Checks that all requests have released the reservation, and that each PE can acquire it.
  task<> check_free() {
    expect(inside_ == 0);
    for (int pe = 0; pe < pes(); ++pe) {
      const auto hold = [this]() -> task<> {
        co_await door_.acquire();
        door_.release();
      };
      co_await call(pe, hold);
    }
    door_.destroy();
  }

  step_order order_;
  bool settles_;
  std::array<reservation_request, k_requests> requests_;
  reservation door_;
  int inside_ = 0;
  reservation_mode mode_;  ///< the mode of the requests that hold the reservation
  bool wrong_ = false;
};

/// The modes of the three requests: all exclusive, all shared, or exclusive and shared requests in
/// two combinations.
inline const std::array<std::array<reservation_mode, k_requests>, 4> k_mixed_modes{{
    {exclusive, exclusive, exclusive},
    {reservation_mode::shared(), reservation_mode::shared(), reservation_mode::shared()},
    {reservation_mode::shared(), exclusive, reservation_mode::shared()},
    {reservation_mode::shared(1), reservation_mode::shared(2), reservation_mode::shared(1)},
}};

/// Returns the program with this number. The number decides the disturbances, the modes and the
/// order of the steps.
inline release_order numbered_release_order(std::uint64_t number, bool settles) {
  static const std::vector<step_order> orders = all_step_orders();
  const auto take = [&number](std::size_t choices) {
    const std::uint64_t chosen = number % choices;
    number /= choices;
    return static_cast<std::size_t>(chosen);
  };
  release_order::disturbances each{};
  for (disturbance& next : each) next = static_cast<disturbance>(take(k_disturbances));
  const std::size_t modes = take(k_mixed_modes.size());
  return {each, k_mixed_modes[modes], orders[take(orders.size())], settles};
}
inline constexpr std::uint64_t k_release_orders = std::uint64_t{6 * 6 * 6} * 4 * 1680;

/// Runs every `stride`-th program in one job, beginning with a program that the seed chooses. The
/// seed also decides the schedule.
inline bool release_orders_are_right(std::uint64_t seed, std::uint64_t stride, bool settles) {
  bool right = true;
  std::string present;
  const auto run_all = [&]() -> task<> {
    for (std::uint64_t n = seed * 149 % stride; n < k_release_orders && right; n += stride) {
      release_order next = numbered_release_order(n, settles);
      present = next.text();
      right = co_await next.run();
    }
  };
  const int status = run_job(simulated_job_of(k_requests, seed), run_all);
  right &= ended_well(status);
  if (!right) fmt::print(stderr, "wrong: {}\n", present);
  return right;
}

}  // namespace atl::test
