#pragma once
// The functions of this file combine, gather and exchange values of all PEs. The public collectives
// of collectives.hpp call the functions of this file.

#include "atoll/array.hpp"
#include "atoll/loops.hpp"
#include "atoll/memory/collective_state.hpp"

#include <array>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace atl::memory {

/// Combines the values of all PEs by `combine(a, b)`. PE `call.to` gets the result. If `call.to` is
/// `k_every_pe`, every PE gets the result.
template <class T, class Combine>
task<> reduce_values(std::span<T> values, reduction_call call, const Combine& combine, site where) {
  const auto combine_all = [&combine](std::span<std::byte> mine, std::span<const std::byte> other) {
    combine_elements<T>(mine, other, combine);
  };
  co_await reduce_in_tree(std::as_writable_bytes(values), call, combine_all, where);
}

inline reduction_call to_all(const collective_kind& kind) { return {kind, k_every_pe, k_every_pe}; }

template <class T, class Combine>
inline constexpr collective_kind k_all_reduce = kind_of<T, Combine>("all_reduce");
template <class T, class Combine>
inline constexpr collective_kind k_all_reduce_to = kind_of<T, Combine>("all_reduce_to");
template <class T>
inline constexpr collective_kind k_all_broadcast = kind_of<T>("all_broadcast");

/// Throws atl::error (input) if `parts` is not the number of PEs. The text of the error names
/// `call`, the collective.
void check_parts(const char* call, std::size_t parts, site where);

/// Returns `values` as bytes. Throws atl::error (input) if `values` has more than 2^47 bytes.
template <class T>
std::span<const std::byte> bytes_in(std::span<const T> values, site where) {
  bytes_of_count(values.size(), sizeof(T), where);
  return std::as_bytes(values);
}

/// Sends outgoing[p] to each PE p, and returns the received parts, ordered by source PE. The bytes
/// of `outgoing` must not change before the task has ended.
task<std::vector<received_bytes>>
exchange(const collective_kind& kind, std::vector<std::span<const std::byte>> outgoing, site where);

/// On PE `root`, returns the data `mine` of all PEs, ordered by PE. On other PEs, returns an empty
/// vector, possibly before PE `root` has called the function.
task<std::vector<received_bytes>> gather_at(const collective_kind& kind, int root,
                                            std::span<const std::byte> mine, site where);

template <class T>
inline constexpr collective_kind k_all_to_all = kind_of<T>("all_to_all");
template <class T>
inline constexpr collective_kind k_all_gather = kind_of<T>("all_gather");
template <class T>
inline constexpr collective_kind k_all_gather_to = kind_of<T>("all_gather_to");

/// Causes a compile-time error if a type is not trivially copyable. The error text says what to
/// write instead for a std::string or std::vector.
template <class T>
consteval void refuse_owning() {
  static_assert(
      message::bitwise_copyable<T>,
      "the values of this collective are trivially copyable: for a std::string or a "
      "std::vector, write `all_gather(std::span<const E>(value))`, E being the type of its "
      "elements, and take the part of the PE that is wanted");
}

/// Prints the exception `failure` and ends the job. Any PE may call this function.
void end_job(const std::exception_ptr& failure);

/// While this object exists, an entry in the list `among` records that the current task works for
/// the library call `of`.
class named_task {
 public:
  named_task(std::vector<collective_state::task_of_call>& among, const caller& of);
  ~named_task();
  named_task(const named_task&) = delete;
  named_task& operator=(const named_task&) = delete;

 private:
  std::vector<collective_state::task_of_call>* among_;
  const tasks::root* task_;
};

/// While this object exists, errors about collectives of the current task name the library call
/// `call`. If the task already works for another library call, errors still name the other library
/// call.
class named_call {
 public:
  named_call(const call_of_one& call, site where);

 private:
  std::optional<named_task> task_;
};

/// Returns the library call for which the current task works, and the number of collectives that
/// this PE has entered.
begun_call call_here(site where);

/// Calls `begin(body)` and awaits the returned task, which does this PE's part of `call`. If
/// `begin` or the task throws on any PE, that PE prints the exception and ends the job.
task<> ending_the_job(task<> (*begin)(const void* body), const void* body, begun_call call);

}  // namespace atl::memory
