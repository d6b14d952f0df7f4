#pragma once
// This file has flat combining on one PE. Tasks merge their requests into a batch and wait. One of
// the waiting tasks, the leader, commits the batch: the leader executes all requests of the batch.
// (Holt and others, Flat Combining Synchronized Global Data Structures, PGAS 2013.)
//
// No lock is needed, because no other task of a PE runs between two `co_await`s. Before a commit
// starts, an empty batch replaces the batch that is committed. A batch accepts no requests during
// its commit, because its proxy does not know the changes that other PEs make meanwhile. A full
// batch is committed at once. A batch with room for more requests waits until the other commits of
// this PE have ended. While requests wait, a commit is always in progress, or a leader will begin
// one.

#include "atoll/base/bits.hpp"
#include "atoll/base/mutants.hpp"
#include "atoll/combine/batch.hpp"
#include "atoll/error.hpp"
#include "atoll/task.hpp"
#include "atoll/work.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace atl {

/// Counts operations on a global structure and their commits, on one PE or on all PEs together. The
/// master is the PE that holds the state of the structure.
struct combining_statistics {
  static constexpr std::size_t k_sizes = 18;

  std::uint64_t operations = 0;  ///< operations that were merged into batches
  /// pairs of requests that answered each other without a commit, such as a push and a pop
  std::uint64_t matched_pairs = 0;
  std::uint64_t commits = 0;  ///< number of commits; matched pairs need no commit
  /// Element i is the number of commits with 2^i to 2^(i+1) - 1 operations.
  std::array<std::uint64_t, k_sizes> batch_sizes{};
  std::uint64_t requests_at_master = 0;  ///< requests that arrived at the master
  /// commits that the master made for the requests of `requests_at_master`
  std::uint64_t commits_of_master = 0;

  double operations_per_commit() const { return ratio(operations, commits); }
  double requests_combined_at_master() const {
    return ratio(requests_at_master, commits_of_master);
  }

  void add_batch(std::uint64_t size) {
    ++commits;
    ++batch_sizes[std::min<std::size_t>(floor_log2(size), k_sizes - 1)];
  }

  /// Subtracts the counts `before`, which were taken at an earlier time.
  void subtract(const combining_statistics& before) { combine_with(before, ~std::uint64_t{0}); }

  void add(const combining_statistics& other) { combine_with(other, 1); }

 private:
  // `sign` is 1 or -1. The number -1 is represented by all ones, because unsigned numbers wrap
  // around.
  void combine_with(const combining_statistics& other, std::uint64_t sign) {
    operations += sign * other.operations;
    matched_pairs += sign * other.matched_pairs;
    commits += sign * other.commits;
    for (std::size_t i = 0; i < k_sizes; ++i) batch_sizes[i] += sign * other.batch_sizes[i];
    requests_at_master += sign * other.requests_at_master;
    commits_of_master += sign * other.commits_of_master;
  }

  static double ratio(std::uint64_t parts, std::uint64_t whole) {
    return whole == 0 ? 0 : static_cast<double>(parts) / static_cast<double>(whole);
  }
};

}  // namespace atl

namespace atl::combine {

template <combining_proxy Proxy>
class flat_combiner {
 public:
  using request = typename Proxy::request;
  using answer = typename Proxy::answer;
  using batch_type = batch<Proxy>;
  using commit_function = std::function<task<>(batch_type&)>;

  /// Makes a combiner. Batches have at most `most` requests. The coroutine `commit(batch)` executes
  /// a batch. The proxy of every batch starts as a copy of `first`.
  flat_combiner(const Proxy& first, std::uint64_t most, commit_function commit)
      : first_(first), most_(most), commit_(std::move(commit)), current_(take_fresh()) {}

  /// The right to commit the batch `led`. When another task becomes the leader of the batch, the
  /// previous leader loses the right.
  struct leadership {
    batch_type* led = nullptr;
    std::uint64_t leader = 0;
    std::uint64_t before = 0;  ///< number of the batch's previous leader; 0 if there was none
    /// True if the batch is full, so that the leader must not wait for more requests.
    bool at_once = false;
  };

  /// Merges a request into the current batch. Returns true if the request is answered already. If
  /// the call returns false, `result` and `at` must stay at their addresses until the answer
  /// arrives. If `has_offer()` is true after the call, the task has become the leader and must call
  /// `lead`. If the call throws (std::bad_alloc), the request is not merged.
  bool merge(const request& wanted, answer& result, gate& at) {
    if (matches_late(wanted, result)) return true;
    batch_type& into = *current_;
    if (into.waiting.empty()) keep_one_fresh();
    make_room_for_one(into.waiting);
    ++counted_.operations;
    switch (into.proxy.merge(wanted, result, into.waiting)) {
    case merged::answered:
      return true;
    case merged::answered_both:
      answer_last(into);
      return true;
    case merged::waits:
      break;
    }
    into.waiting.push_back({wanted, &result, &at});
    const bool full = into.waiting.size() == most_;
    if (full) current_ = take_fresh();
    if (full || needs_leader(into)) offer_ = right_to(into, full);
    return false;
  }

  /// Returns true if the last `merge` made its task a leader. If the result is true, the task must
  /// call `take_offer` before the next `merge`. `merge` itself does not return a `leadership`,
  /// because few calls make a leader.
  bool has_offer() const { return offer_.led != nullptr; }
  leadership take_offer() { return std::exchange(offer_, {}); }

  /// Merges an asynchronous request, for which no task waits. The scope `scope` waits for the
  /// request, and the answer is discarded.
  void merge_async(const request& wanted, message::activity& scope, site where) {
    batch_type& into = *current_;
    if (!merge(wanted, into.unwanted, into.gate_of(scope, where))) scope.begin();
    if (has_offer()) spawn_leader(take_offer(), where);
  }

  /// Creates the coroutine `lead`, and makes the task that waits at `own` run it next. Returns null
  /// if memory is short. If memory is short and the batch has no other leader, the requests of the
  /// batch fail.
  tasks::frame* have_lead(leadership right, gate& own, site where) {
    try {
      return &run_before(own, lead(right, &own, where));
    } catch (const transport::job_ended&) {
      throw;
    } catch (...) {
      give_up(right, std::current_exception());
      return nullptr;
    }
  }

  /// Called when a task has merged a request and waits at the gate `own`. If `merge` has made the
  /// task a leader, the task runs the coroutine `lead`. If the batch is full, the leader runs
  /// `lead` at once. If the batch is not full, the leader runs `lead` after all tasks that are
  /// ready now. Returns the coroutine to resume next.
  std::coroutine_handle<> lead_if_offered(gate& own) {
    if (!has_offer()) return std::noop_coroutine();
    const leadership right = take_offer();
    tasks::frame* const commit = have_lead(right, own, own.where);
    if (commit == nullptr) return std::noop_coroutine();
    if (right.at_once) return std::coroutine_handle<tasks::frame>::from_promise(*commit);
    this_pe().tasks->ready(*commit);
    return std::noop_coroutine();
  }

  /// The coroutine of a leader. If no other task has become the leader of the batch meanwhile, the
  /// leader commits the batch. After the commit, the leader waits at the gate `own` until its own
  /// requests, which may be in other batches, are answered. `own` is null if the leader has no
  /// requests. If a batch is not full, run `lead` after all ready tasks, because a ready task may
  /// add requests to the batch.
  task<> lead(leadership right, gate* own, site where) {
    batch_type& led = *right.led;
    const bool commits = led.leader == right.leader && begin_commit(led);
    std::exception_ptr failure;
    if (commits) {
      try {
        co_await commit_(led);
      } catch (const transport::job_ended&) {
        throw;
      } catch (...) {
        failure = std::current_exception();
      }
    }
    if (own != nullptr && !own->is_open()) {
      co_await in_turn(*this, commits ? &led : nullptr, failure, *own, where);
    } else if (commits) {
      end_commit(led, failure, where);
    }
  }

  /// Starts a new task that runs `lead`, for a request without a waiting task. If memory is short
  /// and the batch has no other leader, the requests of the batch fail.
  void spawn_leader(leadership right, site where) {
    try {
      auto leading = lead(right, nullptr, where);
      tasks::spawn_owed([begun = std::move(leading)]() mutable { return std::move(begun); }, where);
    } catch (const transport::job_ended&) {
      throw;
    } catch (...) {
      give_up(right, std::current_exception());
    }
  }

  const combining_statistics& statistics() const { return counted_; }

 private:
  /// An awaitable by which the leader wakes all tasks of a committed batch, including itself. The
  /// leader wakes the tasks in the order in which they merged their requests.
  struct in_turn {
    flat_combiner& combiner;
    batch_type* committed;
    const std::exception_ptr& failure;
    gate& own;
    site where;

    in_turn(flat_combiner& of, batch_type* ended, const std::exception_ptr& reason,
            gate& waited_for, site place)
        : combiner(of), committed(ended), failure(reason), own(waited_for), where(place) {}

    bool await_ready() noexcept { return false; }
    template <tasks::task_promise Promise>
    void await_suspend(std::coroutine_handle<Promise> suspended) {
      suspended.promise().waiting_at = where;
      own.waiting = &suspended.promise();
      if (committed != nullptr) combiner.end_commit(*committed, failure, where);
    }
    void await_resume() noexcept {}
  };

  void answer_last(batch_type& into) {
    gate& other = *into.waiting.back().at;
    into.waiting.pop_back();
    ++counted_.matched_pairs;
    charge(work::request_combined, 2);
    other.one_answered();
  }

  bool needs_leader(const batch_type& into) const { return into.leader == 0 && commits_ == 0; }

  leadership right_to(batch_type& led, bool at_once) {
    const std::uint64_t before = std::exchange(led.leader, ++leaders_);
    return {&led, led.leader, before, at_once};
  }

  bool begin_commit(batch_type& led) {
    if (led.waiting.empty()) {
      led.leader = 0;
      return false;
    }
    if (&led == current_) current_ = take_fresh();
    ++commits_;
    late_ = &led;
    counted_.add_batch(led.waiting.size());
    charge(work::request_combined, led.waiting.size());
    return true;
  }

  /// Gives up the right to lead a batch, because the coroutine `lead` could not be created. If the
  /// batch had another leader before, the earlier leader commits the batch. If the batch had no
  /// other leader, the requests of the batch fail.
  void give_up(leadership right, const std::exception_ptr& failure) {
    batch_type& led = *right.led;
    led.leader = right.before;
    if (right.before != 0) return;
    if (&led == current_) current_ = take_fresh();
    answer_all(led, failure);
  }

  void end_commit(batch_type& led, const std::exception_ptr& failure, site where) {
    --commits_;
    late_ = nullptr;
    answer_all(led, failure);
    if (!current_->waiting.empty() && needs_leader(*current_)) appoint(where);
  }

  void answer_all(batch_type& led, const std::exception_ptr& failure) {
    if (failure || !tells_all<Proxy>) answer_each(led, failure);
    led.clear(first_);
    fresh_.push_back(&led);
  }

  void answer_each(const batch_type& led, const std::exception_ptr& failure) {
    const std::span<const pending_of<Proxy>> answered(led.waiting);
    for (std::size_t i = 0; i < answered.size(); ++i) {
      const auto& one = answered[i];
      if (i + k_ahead < answered.size()) __builtin_prefetch(answered[i + k_ahead].at, 1);
      if (one.at == nullptr) continue;
      if (failure) {
        one.at->one_failed(failure);
      } else {
        one.at->one_answered();
      }
    }
  }

  /// Chooses one of the tasks that wait in the current batch as the leader, which commits the
  /// batch.
  void appoint(site where) {
    for (const auto& one : current_->waiting) {
      gate& candidate = *one.at;
      if (candidate.waiting == nullptr || candidate.leading) continue;
      const site waits_at = candidate.waiting->waiting_at;
      tasks::frame* const next = have_lead(right_to(*current_, false), candidate, waits_at);
      if (next != nullptr) this_pe().tasks->ready(*next);
      return;
    }
    spawn_leader(right_to(*current_, false), where);
  }

  // `grow` is a separate function that is never inlined, so that the code of `merge`, which every
  // operation calls, stays small.
  static void make_room_for_one(std::vector<pending_of<Proxy>>& waiting) {
    if (waiting.size() == waiting.capacity()) [[unlikely]]
      grow(waiting);
    if (waiting.size() == waiting.capacity()) __builtin_unreachable();
  }
  [[gnu::noinline, gnu::cold]] static void grow(std::vector<pending_of<Proxy>>& waiting) {
    waiting.reserve(2 * waiting.size() + 1);
  }

  [[gnu::noinline]] void keep_one_fresh() {
    if (!fresh_.empty()) return;
    auto made = std::make_unique<batch_type>(first_);
    made->waiting.reserve(std::min(most_, k_most_reserved));
    fresh_.reserve(all_.size() + 1);
    all_.push_back(std::move(made));
    fresh_.push_back(all_.back().get());
  }

  [[gnu::noinline]] batch_type* take_fresh() {
    keep_one_fresh();
    batch_type* const taken = fresh_.back();
    fresh_.pop_back();
    return taken;
  }

  bool matches_late(const request& wanted, answer& result) {
    if (!mutants::has(mutants::fault::stale_proxy) || late_ == nullptr) return false;
    Proxy copy = late_->proxy;
    return copy.merge(wanted, result, late_->waiting) == merged::answered_both;
  }

  static constexpr std::uint64_t k_most_reserved = 1 << 16;
  // Number of requests between the answered request and the request whose gate is prefetched. The
  // gates of different requests are far apart in memory, so each access to a gate may be a cache
  // miss.
  static constexpr std::size_t k_ahead = 16;

  Proxy first_;
  std::uint64_t most_;
  commit_function commit_;
  std::vector<std::unique_ptr<batch_type>> all_;
  std::vector<batch_type*> fresh_;
  batch_type* current_;
  batch_type* late_ = nullptr;  // the batch whose commit began last
  leadership offer_;
  std::uint64_t commits_ = 0;  // number of commits in progress
  std::uint64_t leaders_ = 0;  // number of leaders chosen so far
  combining_statistics counted_;
};

}  // namespace atl::combine
