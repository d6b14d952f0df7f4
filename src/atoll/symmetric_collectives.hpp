#pragma once
// Collectives on symmetric memory: data goes from memory to memory, within a node by loads and
// stores of the PEs, between nodes by one-sided access; no active message is sent. (Those of
// collectives.hpp take and return values, by messages.)
//
// Every PE calls them, one task a PE at a time, in the same order, with the same arguments; each
// suspends its task until its target is complete and its source may be changed. What was put before
// is complete when `barrier` has returned; when the others have it need not be. All throw
// atl::error (input) where a part is not in one symmetric array, sizes do not fit, or a root does
// not exist; reductions, when they are awaited, where an element has more than 16 KiB.

#include "atoll/collectives.hpp"
#include "atoll/memory/symmetric_team.hpp"
#include "atoll/reduction.hpp"
#include "atoll/symmetric_array.hpp"

namespace atl {

/// Elements of a symmetric array, the same on each PE.
template <class T>
struct symmetric_part {
  std::uint64_t offset;
  std::uint64_t size;

  symmetric_part(symmetric_array<T> all) : symmetric_part(all, 0, all.size()) {}
  /// Throws atl::error (input) where there are not as many.
  symmetric_part(symmetric_array<T> of, std::uint64_t first, std::uint64_t count,
                 site where = site::current())
      : offset(of.offset() + first * sizeof(T)), size(count) {
    if (first > of.size() || count > of.size() - first)
      memory::refuse_elements(first, count, of.size(), where);
  }
};

namespace memory {

/// Bytes at an offset of the segment of each PE.
struct symmetric_bytes {
  std::uint64_t offset;
  std::uint64_t size;
};

template <class T>
symmetric_bytes bytes_of(const char* call, const symmetric_part<T>& part, site where) {
  const std::uint64_t size = part.size * sizeof(T);
  return {find_target(call, my_pe(), part.offset, size, where).place.offset, size};
}

/// Throws atl::error (input) where a target does not have as many elements as is said, or a PE does
/// not exist.
void check_sizes(const char* call, std::uint64_t target, std::uint64_t expected, site where);
/// The same, where the target has those of all PEs.
inline void check_gathered(const char* call, std::uint64_t target, std::uint64_t source,
                           site where) {
  check_sizes(call, target, static_cast<std::uint64_t>(pes()) * source, where);
}
/// Throws atl::error (input) where so many elements cannot be divided among all PEs.
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

/// Where the bytes of a collective come from, and go to.
struct symmetric_call {
  const collective_kind& kind;
  symmetric_bytes target;
  symmetric_bytes source;
};

task<> broadcast_bytes(symmetric_call call, int root, site where);
/// To one PE, or `k_every_pe`.
task<> reduce_bytes(symmetric_call call, folding operation, int root, site where);
task<> exchange_bytes(symmetric_call call, site where);
task<> gather_bytes(symmetric_call call, site where);
task<> gather_bytes_to(symmetric_call call, int root, site where);
task<> barrier_of_all(site where, const collective_kind& kind = k_barrier);

}  // namespace memory

namespace one_sided {

/// Until all PEs have come, and what they had put, or changed by atomics, is seen by all.
inline task<> barrier(site where = site::current()) { return memory::barrier_of_all(where); }

/// The source of PE `root` becomes the target of every PE.
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

/// Element by element: the sources of all PEs folded together become the target of every PE, which
/// may be the source. The same bits everywhere.
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

/// As `all_reduce`, for the target of PE `root` alone.
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

/// The p-th part of the source goes to PE p; the q-th part of the target is what PE q sent here.
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

/// The sources of all PEs, one behind the other, become the target of every PE.
template <class T>
task<> all_gather(symmetric_part<T> target, symmetric_part<T> source,
                  site where = site::current()) {
  memory::check_gathered("all_gather", target.size, source.size, where);
  return memory::gather_bytes({memory::k_gather<T>, memory::bytes_of("all_gather", target, where),
                               memory::bytes_of("all_gather", source, where)},
                              where);
}

/// As `all_gather`, for the target of PE `root` alone.
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

// Of whole arrays.

template <class T>
task<> broadcast(symmetric_array<T> target, symmetric_array<T> source, int root = 0,
                 site where = site::current()) {
  return broadcast(symmetric_part<T>(target), symmetric_part<T>(source), root, where);
}
template <class T>
task<> all_to_all(symmetric_array<T> target, symmetric_array<T> source,
                  site where = site::current()) {
  return all_to_all(symmetric_part<T>(target), symmetric_part<T>(source), where);
}
template <class T>
task<> all_gather(symmetric_array<T> target, symmetric_array<T> source,
                  site where = site::current()) {
  return all_gather(symmetric_part<T>(target), symmetric_part<T>(source), where);
}
template <class T>
task<> gather_to(int root, symmetric_array<T> target, symmetric_array<T> source,
                 site where = site::current()) {
  return gather_to(root, symmetric_part<T>(target), symmetric_part<T>(source), where);
}

}  // namespace one_sided
}  // namespace atl
