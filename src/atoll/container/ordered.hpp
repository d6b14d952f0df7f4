#pragma once
// This file has the common base class of a global stack and a global queue, and their flat
// combining (flat_combiner.hpp).

#include "atoll/container/cells.hpp"
#include "atoll/container/kept_elements.hpp"
#include "atoll/flat_combining.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace atl::container {

// The next classes commit batches of pushes and pops.

/// A request to a global stack or queue: a push of `value`, or a pop.
template <class T>
struct push_or_pop {
  T value;  ///< element to push
  bool is_push;
};

/// Commits the pushes and pops of a batch. One reservation at the master covers all requests of a
/// batch. A long batch is divided into parts, each of which has its own reservation. Within a part,
/// all pushes come before all pops. If memory is too short for the pushes of a part, the pushes
/// fail, and the pops of the part are executed alone. If memory is too short even for the pops, the
/// pops fail, too. A failure does not affect other parts of the batch.
template <class T>
class ordered_commit {
 public:
  using answer = std::optional<T>;
  using pending = combine::pending<push_or_pop<T>, answer>;

  explicit ordered_commit(cells stored, discipline order) : stored_(stored), order_(order) {}

  task<> run(std::span<pending> batch) const {
    const std::size_t most = stored_.most_reserved();
    for (std::size_t begin = 0; begin < batch.size(); begin += most) {
      const auto part = batch.subspan(begin, std::min(most, batch.size() - begin));
      std::exception_ptr failure;
      try {
        co_await run_part(part);
      } catch (const transport::job_ended&) {
        throw;
      } catch (...) {
        failure = std::current_exception();
      }
      if (!failure) continue;
      for (auto& one : part) one.failed(failure);
    }
  }

 private:
  task<> run_part(std::span<pending> batch) const {
    const site where = combine::site_of(batch);
    const auto kinds = by_kind(batch);
    const auto& pops = kinds[0];
    const auto& pushes = kinds[1];
    std::vector<T> pushed;
    pushed.reserve(pushes.size());
    for (const pending* one : pushes) pushed.push_back(one->request.value);
    std::exception_ptr refusal;
    try {
      co_await commit(pushed, pops, where);
    } catch (const error& failure) {
      if (failure.code() != errc::out_of_memory || pops.empty()) throw;
      refusal = std::current_exception();
    }
    if (!refusal) co_return;
    const std::span<const T> nothing;
    co_await commit(nothing, pops, where);
    for (pending* one : pops) one->answered_early();
    std::rethrow_exception(refusal);
  }

  /// Returns the pops (index 0) and the pushes (index 1) of `batch`. The loop has no branch on the
  /// kind of a request, because the processor would mispredict the branch half of the time.
  static std::array<std::vector<pending*>, 2> by_kind(std::span<pending> batch) {
    std::array<std::vector<pending*>, 2> kinds;
    std::array<std::size_t, 2> counts{};
    for (auto& kind : kinds) kind.resize(batch.size());
    for (auto& one : batch) {
      const std::size_t kind = one.request.is_push ? 1 : 0;
      kinds[kind][counts[kind]++] = &one;
    }
    for (std::size_t kind = 0; kind < 2; ++kind) kinds[kind].resize(counts[kind]);
    return kinds;
  }

  task<> commit(std::span<const T> pushed, std::span<pending* const> pops, site where) const {
    // The memory for popped elements is allocated before cells are reserved, because nothing may
    // fail after the reservation.
    std::vector<T> popped(pops.size());
    const auto made = co_await stored_.reserve(static_cast<std::uint32_t>(pushed.size()),
                                               static_cast<std::uint32_t>(pops.size()), where);
    const std::span<const stretch> reserved(made.stretches);
    popped.resize(made.popped);
    combine::gate moved;
    stored_.write(reserved.first(made.push_stretches), std::as_bytes(pushed), moved, where);
    stored_.read(reserved.subspan(made.push_stretches), std::as_writable_bytes(std::span(popped)),
                 moved, where);
    co_await combine::gate_awaiter(moved, where);
    answer_all(popped, pops.first(popped.size()));
  }

  void answer_all(std::span<const T> popped, std::span<pending* const> pops) const {
    constexpr std::size_t k_ahead = 16;  // prefetch distance; answers lie in different task frames
    const bool newest = order_ == discipline::newest_first;
    for (std::size_t i = 0; i < popped.size(); ++i) {
      if (i + k_ahead < popped.size()) __builtin_prefetch(pops[i + k_ahead]->answer, 1);
      *pops[i]->answer = newest ? popped[popped.size() - 1 - i] : popped[i];
    }
  }

  cells stored_;
  discipline order_;
};

/// Largest number of elements that `publish` pushes in one step. A step fails as a whole if memory
/// becomes short. Steps are small, because a failed step also leaves out elements for which memory
/// would have sufficed.
inline constexpr std::size_t k_most_published_together = 1024;

/// Pushes up to `most` of the oldest elements of `kept`, in order, and returns the number of pushed
/// elements. The caller must wait at the gate `written` until the elements are stored. If memory is
/// short, throws atl::error (out_of_memory) and leaves `kept` unchanged.
template <class T>
task<std::size_t> push_oldest(cells stored, kept_elements<T>& kept, std::size_t most,
                              combine::gate& written, site where) {
  const auto count =
      std::min({most, kept.size(), k_most_published_together, std::size_t{stored.most_reserved()}});
  // The elements are taken out first, because other tasks may pop elements of `kept` during the
  // reservation.
  const std::vector<T> taken = kept.take_oldest(count);
  reservation made;
  try {
    made = co_await stored.reserve(static_cast<std::uint32_t>(count), 0, where);
  } catch (...) {
    kept.put_back(taken);
    throw;
  }
  kept.forget_taken();
  stored.write(made.stretches, std::as_bytes(std::span(taken)), written, where);
  co_return count;
}

// The next classes have the operations of a global stack and of a global queue.

/// One PE's elements that other PEs do not see yet, and the order in which `local_pop` removes
/// them.
template <class T>
struct own_part {
  container::kept_elements<T> elements;
  bool newest_first = false;
};

template <class T, class Proxy>
class ordered_structure {
  static_assert(message::bitwise_copyable<T> && alignof(T) <= 16 && sizeof(T) <= 512,
                "elements are trivially copyable, of at most 512 bytes");

 public:
  /// Returns an awaitable that pushes `value`. After the awaited push, all PEs see the element.
  /// Throws atl::error (out_of_memory) if memory is too short for the structure to grow. If one
  /// push fails, pushes of other elements are not affected.
  auto push(const T& value, site where = site::current()) const {
    return requests_.do_only({value, true}, where);
  }

  /// Returns an awaitable that removes an element. The result is a std::optional<T>, which is empty
  /// if the structure is empty.
  auto pop(site where = site::current()) const { return requests_.perform({T{}, false}, where); }

  /// Pushes `value` without waiting. When the enclosing scope has ended, all PEs see the element.
  /// If memory is too short, the scope gets the error. Tasks and message handlers may call this
  /// function. Asynchronous pushes may be executed in any order.
  void async_push(const T& value, site where = site::current()) const {
    requests_.async({value, true}, where);
  }

  /// Returns the number of elements. The task waits for the answer of the master, PE 0.
  task<std::uint64_t> size(site where = site::current()) const { return cells_.size(where); }

  /// Stores `value` on this PE only. Other PEs see the element after `publish`. The function does
  /// not communicate.
  void local_push(const T& value) const { own_->elements.push_back(value); }

  /// Removes and returns one of the elements that `local_push` has stored on this PE: the newest
  /// for a stack, the oldest for a queue. Returns an empty optional if this PE has no stored
  /// element.
  std::optional<T> local_pop() const {
    auto& elements = own_->elements;
    if (elements.empty()) return std::nullopt;
    return own_->newest_first ? elements.pop_newest() : elements.pop_oldest();
  }

  /// Returns the number of elements that `local_push` has stored on this PE and that are not
  /// published yet.
  std::uint64_t local_size() const { return own_->elements.size(); }

  /// Pushes the elements that `local_push` has stored on any PE. Elements of one PE keep their
  /// order. When the awaited call returns, all PEs see the elements. One task of the job calls this
  /// function. Throws atl::error (out_of_memory) or std::bad_alloc if memory is too short. After an
  /// error, each PE keeps its elements that were not pushed.
  task<> publish(site where = site::current()) const {
    const auto push_own = [all = *this, from = transport::travelling_site(where)]() -> task<> {
      co_await all.publish_own(from);
    };
    co_await on_all_pes(push_own, where);
  }

  /// Returns the sum of the combining statistics of all PEs. One task of the job calls this
  /// function and awaits it.
  task<combining_statistics> statistics(site where = site::current()) const {
    return requests_.statistics(where);
  }

  /// Frees the memory of the structure on all PEs. One task of the job calls this function once,
  /// when no operation is in flight.
  task<> destroy(site where = site::current()) const {
    co_await requests_.destroy(where);
    co_await cells_.destroy(where);
    co_await own_.destroy(where);
  }

 protected:
  task<> open(discipline order, combining_options options, site where) {
    cells_ = co_await cells::make(order, sizeof(T), where);
    requests_ = co_await flat_combining<Proxy>::make(Proxy(cells_), options, where);
    own_ = co_await per_pe<own_part<T>>::make(where);
    const bool newest_first = order == discipline::newest_first;
    const auto tell = [own = own_, newest_first] { own->newest_first = newest_first; };
    co_await on_all_pes(tell, where);
  }

 private:
  /// Pushes the elements that `local_push` has stored on this PE. The elements are pushed in steps,
  /// one after another, which preserves their order.
  task<> publish_own(site where) const {
    auto& kept = own_->elements;
    combine::gate written;
    std::exception_ptr failure;
    try {
      for (std::size_t left = kept.size(); left > 0 && !kept.empty();)
        left -= co_await push_oldest(cells_, kept, left, written, where);
    } catch (const transport::job_ended&) {
      throw;
    } catch (...) {
      failure = std::current_exception();
    }
    co_await combine::gate_awaiter(written, where);
    if (failure) std::rethrow_exception(failure);
  }

  flat_combining<Proxy> requests_;
  cells cells_;
  per_pe<own_part<T>> own_;
};

// The next classes are the proxies of queue and stack. A proxy determines which requests of a batch
// answer each other without a commit.

/// The proxy of queues. All pushes and pops of a batch wait for the commit.
template <class T>
class queue_proxy {
 public:
  using request = push_or_pop<T>;
  using answer = std::optional<T>;
  using pending = combine::pending<request, answer>;

  explicit queue_proxy(cells stored) : commit_(stored, discipline::oldest_first) {}

  combine::merged merge(const request&, answer&, std::span<pending>) {
    return combine::merged::waits;
  }

  task<> sync(std::span<pending> batch) { return commit_.run(batch); }

 private:
  ordered_commit<T> commit_;
};

/// The proxy of stacks. A push and a pop in one batch answer each other: the pop takes the element
/// of the push. The waiting requests of a batch are therefore either all pushes or all pops.
template <class T>
class stack_proxy {
 public:
  using request = push_or_pop<T>;
  using answer = std::optional<T>;
  using pending = combine::pending<request, answer>;

  explicit stack_proxy(cells stored) : commit_(stored, discipline::newest_first) {}

  combine::merged merge(const request& wanted, answer& result, std::span<pending> before) {
    if (before.empty() || before.back().request.is_push == wanted.is_push)
      return combine::merged::waits;
    if (wanted.is_push) {
      *before.back().answer = wanted.value;
    } else {
      result = before.back().request.value;
    }
    return combine::merged::answered_both;
  }

  task<> sync(std::span<pending> batch) { return commit_.run(batch); }

 private:
  ordered_commit<T> commit_;
};

}  // namespace atl::container
