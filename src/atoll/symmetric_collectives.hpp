#pragma once
// This header has collectives on symmetric memory. Within a node, PEs move the data by loads and
// stores. Between nodes, PEs use one-sided access. No active messages are sent. (The collectives of
// collectives.hpp take and return values, by messages.)
//
// Every PE must call these collectives in the same order with the same arguments, from one task per
// PE at a time. Each call suspends its task until its target is complete and its source may be
// changed. When `barrier` has returned, earlier puts are complete. After other collectives, earlier
// puts need not be complete. A call throws atl::error (input) if a part is not in one symmetric
// array, sizes do not fit, or a root does not exist. If an element of a reduction is larger than 16
// KiB, the awaited call throws atl::error (input).

#include "atoll/collectives.hpp"
#include "atoll/memory/symmetric_team.hpp"
#include "atoll/reduction.hpp"
#include "atoll/symmetric_array.hpp"

namespace atl {

/// A range of elements of a symmetric array, which is the same on each PE. An array converts to the
/// range of all its elements.
template <class T>
struct symmetric_part {
  std::uint64_t offset;
  std::uint64_t size;

  symmetric_part(symmetric_array<T> all) : symmetric_part(all, 0, all.size()) {}
  /// Makes the range of `count` elements from `first` on. Throws atl::error (input) if the array
  /// has too few elements.
  symmetric_part(symmetric_array<T> of, std::uint64_t first, std::uint64_t count,
                 site where = site::current())
      : offset(of.offset() + first * sizeof(T)), size(count) {
    if (first > of.size() || count > of.size() - first)
      memory::refuse_elements(first, count, of.size(), where);
  }
};

namespace memory {

/// A range of bytes at an offset in the segment of each PE.
struct symmetric_bytes {
  std::uint64_t offset;
  std::uint64_t size;
};

template <class T>
symmetric_bytes bytes_of(const char* call, const symmetric_part<T>& part, site where) {
  const std::uint64_t size = part.size * sizeof(T);
  return {find_target(call, my_pe(), part.offset, size, where).place.offset, size};
}

/// Throws atl::error (input) if the target does not have `expected` elements.
void check_sizes(const char* call, std::uint64_t target, std::uint64_t expected, site where);
/// Throws atl::error (input) if the target does not have the size of the sources of all PEs
/// together.
inline void check_gathered(const char* call, std::uint64_t target, std::uint64_t source,
                           site where) {
  check_sizes(call, target, static_cast<std::uint64_t>(pes()) * source, where);
}
/// Throws atl::error (input) if the number of elements is not a multiple of the number of PEs.
void check_divides(const char* call, std::uint64_t elements, site where);

struct folding {
  std::size_t element_bytes;
  fold_bytes fold;
};

template <reduction_operation Operation>
folding folding_of(Operation operation) {
  using element = typename Operation::partial;
  static_assert(alignof(element) <= 16, "partial results are folded at places of this alignment");
  return {sizeof(element), [operation](std::byte* into, const std::byte* from, std::size_t bytes) {
            auto* const left = reinterpret_cast<element*>(into);
            const auto* const right = reinterpret_cast<const element*>(from);
            for (std::size_t i = 0; i < bytes / sizeof(element); ++i)
              operation.fold(left[i], right[i]);
          }};
}

inline constexpr collective_kind k_barrier{"one_sided::barrier"};
template <class T>
inline constexpr collective_kind k_broadcast = kind_of<T>("one_sided::broadcast");
template <class Operation>
inline constexpr collective_kind k_fold =
    kind_of<typename Operation::partial, Operation>("one_sided::all_reduce");
template <class Operation>
inline constexpr collective_kind k_fold_to =
    kind_of<typename Operation::partial, Operation>("one_sided::reduce_to");
template <class T>
inline constexpr collective_kind k_exchange = kind_of<T>("one_sided::all_to_all");
template <class T>
inline constexpr collective_kind k_gather = kind_of<T>("one_sided::all_gather");
template <class T>
inline constexpr collective_kind k_gather_to = kind_of<T>("one_sided::gather_to");

/// A collective call: its kind, its target and its source.
struct symmetric_call {
  const collective_kind& kind;
  symmetric_bytes target;
  symmetric_bytes source;
};

task<> broadcast_bytes(symmetric_call call, int root, site where);
/// Reduces to PE `root`, or to all PEs if `root` is `k_every_pe`.
task<> reduce_bytes(symmetric_call call, folding operation, int root, site where);
task<> exchange_bytes(symmetric_call call, site where);
task<> gather_bytes(symmetric_call call, site where);
task<> gather_bytes_to(symmetric_call call, int root, site where);
task<> barrier_of_all(site where, const collective_kind& kind = k_barrier);

}  // namespace memory

namespace one_sided {

/// Suspends the task until all PEs have called this function, and all PEs see the earlier puts and
/// atomic updates of all PEs.
inline task<> barrier(site where = site::current()) { return memory::barrier_of_all(where); }

/// Copies the source of PE `root` to the target of every PE. Every PE must call this function,
/// which suspends the task until the target of this PE is complete. Throws atl::error (input) if
/// sizes differ or PE `root` does not exist.
template <class T>
task<> broadcast(symmetric_part<T> target, symmetric_part<T> source, int root = 0,
                 site where = site::current()) {
  memory::check_pe("broadcast", root, where);
  memory::check_sizes("broadcast", target.size, source.size, where);
  return memory::broadcast_bytes({memory::k_broadcast<T>,
                                  memory::bytes_of("broadcast", target, where),
                                  memory::bytes_of("broadcast", source, where)},
                                 root, where);
}

/// Folds the sources of all PEs, element by element, and stores the result in the target of every
/// PE. All PEs get the same bits. The target may be the same range as the source. Every PE must
/// call this function, which suspends the task until the target of this PE is complete. Throws
/// atl::error (input) if sizes differ.
template <reduction_operation Operation>
task<> all_reduce(symmetric_part<typename Operation::partial> target,
                  symmetric_part<typename Operation::partial> source, Operation operation,
                  site where = site::current()) {
  memory::check_sizes("all_reduce", target.size, source.size, where);
  return memory::reduce_bytes({memory::k_fold<Operation>,
                               memory::bytes_of("all_reduce", target, where),
                               memory::bytes_of("all_reduce", source, where)},
                              memory::folding_of(operation), memory::k_every_pe, where);
}

/// Folds the sources of all PEs, element by element, and stores the result in the target of PE
/// `root` only. Every PE must call this function, which suspends the task until the source may be
/// changed. Throws atl::error (input) if sizes differ or PE `root` does not exist.
template <reduction_operation Operation>
task<> reduce_to(int root, symmetric_part<typename Operation::partial> target,
                 symmetric_part<typename Operation::partial> source, Operation operation,
                 site where = site::current()) {
  memory::check_pe("reduce_to", root, where);
  memory::check_sizes("reduce_to", target.size, source.size, where);
  return memory::reduce_bytes({memory::k_fold_to<Operation>,
                               memory::bytes_of("reduce_to", target, where),
                               memory::bytes_of("reduce_to", source, where)},
                              memory::folding_of(operation), root, where);
}

/// Divides the source into equal parts, one per PE, and sends part p to PE p. Part q of the target
/// comes from PE q. Every PE must call this function, which suspends the task until the target of
/// this PE is complete. Throws atl::error (input) if sizes differ or are not a multiple of the
/// number of PEs.
template <class T>
task<> all_to_all(symmetric_part<T> target, symmetric_part<T> source,
                  site where = site::current()) {
  memory::check_divides("all_to_all", source.size, where);
  memory::check_sizes("all_to_all", target.size, source.size, where);
  return memory::exchange_bytes({memory::k_exchange<T>,
                                 memory::bytes_of("all_to_all", target, where),
                                 memory::bytes_of("all_to_all", source, where)},
                                where);
}

/// Stores the sources of all PEs, in the order of PEs, in the target of every PE. Every PE must
/// call this function, which suspends the task until the target of this PE is complete. Throws
/// atl::error (input) if the target does not have the size of all sources together.
template <class T>
task<> all_gather(symmetric_part<T> target, symmetric_part<T> source,
                  site where = site::current()) {
  memory::check_gathered("all_gather", target.size, source.size, where);
  return memory::gather_bytes({memory::k_gather<T>, memory::bytes_of("all_gather", target, where),
                               memory::bytes_of("all_gather", source, where)},
                              where);
}

/// Stores the sources of all PEs, in the order of PEs, in the target of PE `root` only. Every PE
/// must call this function, which suspends the task until the source may be changed. Throws
/// atl::error (input) if the target does not have the size of all sources together, or if PE `root`
/// does not exist.
template <class T>
task<> gather_to(int root, symmetric_part<T> target, symmetric_part<T> source,
                 site where = site::current()) {
  memory::check_pe("gather_to", root, where);
  memory::check_gathered("gather_to", target.size, source.size, where);
  return memory::gather_bytes_to({memory::k_gather_to<T>,
                                  memory::bytes_of("gather_to", target, where),
                                  memory::bytes_of("gather_to", source, where)},
                                 root, where);
}

// The next functions are forms of the same collectives that take whole arrays.

/// Copies the source of PE `root` to the target of every PE. Every PE must call this function,
/// which suspends the task.
template <class T>
task<> broadcast(symmetric_array<T> target, symmetric_array<T> source, int root = 0,
                 site where = site::current()) {
  return broadcast(symmetric_part<T>(target), symmetric_part<T>(source), root, where);
}
/// Divides the source into equal parts, one per PE, and sends part p to PE p. Every PE must call
/// this function, which suspends the task.
template <class T>
task<> all_to_all(symmetric_array<T> target, symmetric_array<T> source,
                  site where = site::current()) {
  return all_to_all(symmetric_part<T>(target), symmetric_part<T>(source), where);
}
/// Stores the sources of all PEs, in the order of PEs, in the target of every PE. Every PE must
/// call this function, which suspends the task.
template <class T>
task<> all_gather(symmetric_array<T> target, symmetric_array<T> source,
                  site where = site::current()) {
  return all_gather(symmetric_part<T>(target), symmetric_part<T>(source), where);
}
/// Stores the sources of all PEs, in the order of PEs, in the target of PE `root` only. Every PE
/// must call this function, which suspends the task.
template <class T>
task<> gather_to(int root, symmetric_array<T> target, symmetric_array<T> source,
                 site where = site::current()) {
  return gather_to(root, symmetric_part<T>(target), symmetric_part<T>(source), where);
}

}  // namespace one_sided
}  // namespace atl
