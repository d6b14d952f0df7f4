#pragma once
// Parallel loops that reduce: each PE folds what its iterations contribute, and the partial results
// of the PEs are folded where the loop was asked for.

#include "atoll/memory/loops.hpp"
#include "atoll/memory/reduction.hpp"

#include <vector>

namespace atl {
namespace memory {

template <class Partial>
struct partial_of_pe {
  Partial folded;
};

/// The iterations of this PE. What they fold goes into the place of this PE among those at `word`
/// in the memory of `asker`.
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

/// Runs `body(i, mine)` for 0 <= i < iterations, as `parallel_for`, and returns what all of them
/// have folded into `mine`: a reference to the partial result of the PE, the identity at first,
/// which the body changes by `operation.fold` or in a way that means the same. The body is a
/// function, or a coroutine: then other iterations change `mine` while it waits. Results of the PEs
/// are folded in their order. One task calls it, which waits. What the body throws, it throws.
template <reduction_operation Operation, class Body>
task<typename Operation::partial> parallel_for(std::uint64_t iterations, Operation operation,
                                               Body body, site where = site::current()) {
  memory::refuse_references<Body>();
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

}  // namespace atl
