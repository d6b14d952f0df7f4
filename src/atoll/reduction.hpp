#pragma once
// Reductions combine contributions into one value, in any order. This header has reduction
// operations, and parallel loops that reduce by them.

#include "atoll/array.hpp"
#include "atoll/loops.hpp"
#include "atoll/message/serialization.hpp"

#include <algorithm>
#include <atomic>
#include <concepts>
#include <exception>
#include <limits>
#include <span>
#include <vector>

namespace atl {

// A reduction operation says how contributions are combined into one value, in any order.
//
// An operation is a trivially copyable type with these members.
//   `value`: the type of the data that contributions are reduced into.
//   `partial`: the type of a contribution, and of several contributions folded together.
// `identity()`: returns the partial whose reduction into data changes nothing.
//   `apply(value&, const partial&)`: reduces a partial into the data.
//   `fold(partial&, const partial&)`: folds the second partial into the first.
// `fold` must be associative and commutative. Applying a folded partial must have the same effect
// as applying each contribution. (The names apply and fold come from Treichler, Bauer and Aiken:
// Realm, PACT 2014.) An operation may also have this member.
//   `apply_atomically(value&, const partial&)`: reduces a partial into the data.
// Several PEs may call `apply_atomically` for the same data at once. If an operation does not have
// this member, a compare-and-exchange is repeated until it succeeds.

template <class Operation>
concept reduction_operation =
    message::bitwise_copyable<Operation> && message::bitwise_copyable<typename Operation::value> &&
    message::bitwise_copyable<typename Operation::partial> &&
    requires(const Operation& operation, typename Operation::value& data,
             typename Operation::partial& left, const typename Operation::partial& right) {
      { operation.identity() } -> std::convertible_to<typename Operation::partial>;
      operation.apply(data, right);
      operation.fold(left, right);
    };

/// The sum of all contributions.
template <class T>
struct sum {
  using value = T;
  using partial = T;

  constexpr T identity() const { return T{}; }
  constexpr void apply(T& data, const T& more) const { data = static_cast<T>(data + more); }
  constexpr void fold(T& left, const T& right) const { apply(left, right); }
  void apply_atomically(T& data, const T& more) const
    requires std::integral<T>
  {
    std::atomic_ref<T>(data).fetch_add(more, std::memory_order_relaxed);
  }
};

/// The smallest contribution.
template <class T>
struct min {
  using value = T;
  using partial = T;
  using limits = std::numeric_limits<T>;

  constexpr T identity() const { return limits::has_infinity ? limits::infinity() : limits::max(); }
  constexpr void apply(T& data, const T& other) const { data = other < data ? other : data; }
  constexpr void fold(T& left, const T& right) const { apply(left, right); }
};

/// The largest contribution.
template <class T>
struct max {
  using value = T;
  using partial = T;
  using limits = std::numeric_limits<T>;

  constexpr T identity() const {
    return limits::has_infinity ? -limits::infinity() : limits::lowest();
  }
  constexpr void apply(T& data, const T& other) const { data = data < other ? other : data; }
  constexpr void fold(T& left, const T& right) const { apply(left, right); }
};

/// Reduces `more` into `data` by atomic operations of the processor. Several PEs may call this
/// function for the same data at once, but must not access the data in other ways meanwhile.
template <reduction_operation Operation>
void apply_atomically(const Operation& operation, typename Operation::value& data,
                      const typename Operation::partial& more) {
  if constexpr (requires { operation.apply_atomically(data, more); }) {
    operation.apply_atomically(data, more);
  } else {
    using word = std::atomic_ref<typename Operation::value>;
    static_assert(word::is_always_lock_free, "the processor has no atomics for data of this size");
    auto before = word(data).load(std::memory_order_relaxed);
    auto after = before;
    do {
      after = before;
      operation.apply(after, more);
    } while (!word(data).compare_exchange_weak(before, after, std::memory_order_relaxed));
  }
}

// The next loops are parallel loops that reduce. Each PE folds the contributions of its iterations.
// The PE of the calling task then folds the partial results of all PEs.

namespace memory {

template <class Partial>
struct partial_of_pe {
  Partial folded;
};

/// Runs the iterations of this PE, and folds their contributions. Stores the result in an array on
/// PE `asker`, at the index of this PE. The address of the array is `word`.
template <class Operation, class Body>
task<> reduce_share(int asker, std::uintptr_t word, std::uint64_t iterations, Operation operation,
                    Body body, site where) {
  using partial = typename Operation::partial;
  partial mine = operation.identity();
  const auto one = [&body, &mine](std::uint64_t i) { return body(i, mine); };
  const auto share = share_of_this_pe(iterations);
  co_await local_parallel_for(share.begin, share.end, one, where);
  const auto bring = [word, mine, from = my_pe()] {
    reinterpret_cast<partial_of_pe<partial>*>(word)[from].folded = mine;
  };
  async_call(asker, bring, where);
}

}  // namespace memory

/// Runs `body(i, mine)` for each i in [0, iterations), like `parallel_for`. Returns the folded
/// contributions of all iterations. `mine` is a reference to the partial result of the PE, which
/// begins as the identity. `body` changes `mine` by `operation.fold`, or in a way that has the same
/// effect.
///
/// `body` is a function or a coroutine. While a coroutine waits, other iterations may change
/// `mine`. The results of the PEs are folded in ascending order of PEs. One task calls this
/// function and is suspended until the end. Rethrows the first exception of `body`.
template <reduction_operation Operation, class Body>
task<typename Operation::partial> parallel_for(std::uint64_t iterations, Operation operation,
                                               Body body, site where = site::current()) {
  memory::refuse_references_in_loop<Body>();
  using place = memory::partial_of_pe<typename Operation::partial>;
  std::vector<place> places(static_cast<std::size_t>(pes()), place{operation.identity()});
  const auto share = [asker = my_pe(), word = reinterpret_cast<std::uintptr_t>(places.data()),
                      iterations, operation, body, where = transport::travelling_site(where)] {
    return memory::reduce_share(asker, word, iterations, operation, body, where);
  };
  co_await on_all_pes(share, where);
  typename Operation::partial result = operation.identity();
  for (const place& each : places) operation.fold(result, each.folded);
  co_return result;
}

// The next loops reduce into many elements at once, as a histogram does. Each PE has partial
// results for all elements. Each PE then folds one part of the results of all PEs, so that the PEs
// share this work. At the end, the PE of the calling task gathers the parts.

/// A reduction of `size` values, each of which is reduced by `operation`. Pass this object as the
/// `operation` of a `parallel_for`.
template <reduction_operation Operation>
struct array_of {
  Operation operation;
  std::uint64_t size;
};

/// Makes a reduction that counts how often each of `buckets` buckets occurs. `body(i, counts)`
/// executes `++counts[bucket]`.
inline array_of<sum<std::uint64_t>> histogram(std::uint64_t buckets) { return {{}, buckets}; }

namespace memory {

/// The partial results of all PEs. Block `p` of the array holds the results of PE p.
template <reduction_operation Operation>
struct partial_arrays {
  using partial = typename Operation::partial;

  global_array<partial> all;
  Operation operation;

  std::uint64_t size() const { return all.block_size(); }
  std::span<partial> mine() const { return all.local(); }
  /// Returns the address of element `first` of the results of PE `pe`.
  global_address<partial> of(int pe, std::uint64_t first) const {
    return all[static_cast<std::uint64_t>(pe) * size() + first];
  }
};

/// Size in bytes of the pieces in which results of another PE are fetched. A piece fits into the
/// second-level cache.
inline constexpr std::uint64_t k_folded_bytes = std::uint64_t{128} << 10;

/// For this PE's part of the elements, folds the results of all other PEs into the results of this
/// PE. The results of the next PE are folded first.
template <reduction_operation Operation>
task<> fold_share(partial_arrays<Operation> partials, site where) {
  using partial = typename Operation::partial;
  const auto share = share_of_this_pe(partials.size());
  std::vector<partial> theirs(std::max<std::uint64_t>(1, k_folded_bytes / sizeof(partial)));
  for (std::uint64_t first = share.begin; first < share.end; first += theirs.size()) {
    const std::span piece(theirs.data(), std::min(theirs.size(), share.end - first));
    partial* const mine = partials.mine().data() + first;
    for (int step = 1; step < pes(); ++step) {
      co_await get(partials.of((my_pe() + step) % pes(), first), piece, where);
      for (std::size_t k = 0; k < piece.size(); ++k) partials.operation.fold(mine[k], piece[k]);
    }
  }
}

template <reduction_operation Operation, class Body>
task<> run_share_into(partial_arrays<Operation> partials, std::uint64_t iterations, Body body,
                      site where) {
  const auto mine = partials.mine();
  std::fill(mine.begin(), mine.end(), partials.operation.identity());
  const auto one = [&body, mine](std::uint64_t i) { return body(i, mine); };
  const auto share = share_of_this_pe(iterations);
  co_await local_parallel_for(share.begin, share.end, one, where);
}

/// Gathers the parts of the result from all PEs.
template <reduction_operation Operation>
task<> get_shares(partial_arrays<Operation> partials, std::span<typename Operation::partial> result,
                  site where) {
  for (int pe = 0; pe < pes(); ++pe) {
    const auto share = share_of(pe, result.size());
    const auto part = std::as_writable_bytes(result.subspan(share.begin, share.size()));
    if (part.empty()) continue;
    co_await fetch_bytes(pe, partials.of(pe, share.begin).offset(), part, where);
  }
}

template <reduction_operation Operation, class Body>
task<> reduce_arrays(partial_arrays<Operation> partials, std::uint64_t iterations, Body body,
                     std::span<typename Operation::partial> result, site where) {
  const auto loop = [=, from = transport::travelling_site(where)] {
    return run_share_into(partials, iterations, body, from);
  };
  co_await on_all_pes(loop, where);
  const auto fold = [partials, from = transport::travelling_site(where)] {
    return fold_share(partials, from);
  };
  co_await on_all_pes(fold, where);
  const auto gather = [&] { return get_shares(partials, result, where); };
  co_await finish(gather, where);
}

}  // namespace memory

/// Runs `body(i, mine)` for each i in [0, iterations), and returns the folded results of all
/// elements. `mine` is a std::span of the partial results of the PE. One task calls this function
/// and is suspended until the end. Every PE needs memory for all elements; otherwise, the call
/// throws atl::error (out_of_memory). Rethrows the first exception of `body`.
template <reduction_operation Operation, class Body>
task<std::vector<typename Operation::partial>>
parallel_for(std::uint64_t iterations, array_of<Operation> reduction, Body body,
             site where = site::current()) {
  using partial = typename Operation::partial;
  static_assert(!std::is_same_v<partial, bool>,
                "an array of bool has no addresses to fold at: reduce values of char");
  memory::refuse_references_in_loop<Body>();
  std::vector<partial> result;
  if (reduction.size == 0) co_return result;
  memory::check_addressable(1, reduction.size, sizeof(partial));
  const auto all = co_await make_array<partial>(reduction.size * static_cast<std::uint64_t>(pes()),
                                                array_options(reduction.size), where);
  const memory::partial_arrays<Operation> partials{all, reduction.operation};
  std::exception_ptr failure;
  try {
    result.resize(reduction.size);
    co_await memory::reduce_arrays(partials, iterations, body, std::span(result), where);
  } catch (const transport::job_ended&) {
    throw;
  } catch (...) {
    failure = std::current_exception();
  }
  co_await all.destroy(where);
  if (failure) std::rethrow_exception(failure);
  co_return result;
}

}  // namespace atl
