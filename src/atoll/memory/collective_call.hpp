#pragma once
// Each PE describes each of its collective calls to other PEs, so that the runtime finds calls that
// do not match. Without the check, PEs that call different collectives, or use different types or
// sizes, would compute wrong results without an error.

#include "atoll/base/modules.hpp"
#include "atoll/base/site.hpp"

#include <cstdint>
#include <string>

namespace atl::memory {

/// The properties of a collective call that the compiler knows. For each collective and each
/// combination of types, the program has one constant `collective_kind`.
struct collective_kind {
  const char* call;               ///< name of the call
  const char* element = nullptr;  ///< type of the elements, as a text of `text_of_type`, or null
  /// Type of the combining function, as a text of `text_of_type`, or null.
  const char* operation = nullptr;
  std::uint32_t element_bytes = 1;
};

template <class T>
constexpr const char* text_of_type() {
  return __PRETTY_FUNCTION__;
}

template <class T>
constexpr collective_kind kind_of(const char* call) {
  return {call, text_of_type<T>(), nullptr, sizeof(T)};
}
template <class T, class Operation>
constexpr collective_kind kind_of(const char* call) {
  return {call, text_of_type<T>(), text_of_type<Operation>(), sizeof(T)};
}

/// A library function, such as `bfs`, that one task calls for the whole job. The function starts
/// work on all PEs, and the work calls collectives.
struct call_of_one {
  const char* name;  ///< name of the function, as in "bfs"
  /// name of the variant that every PE calls, as in "all_bfs"; null without a variant
  const char* for_all;
};

/// One call of a library function: the function, the calling PE and the line. Each value of the
/// object has the same meaning on all PEs.
struct caller {
  /// name of the function's call_of_one; 0 if the program itself is the caller
  place_name call = 0;
  std::uint64_t where = 0;   ///< line of the call, as a site_word
  std::int32_t pe = -1;      ///< the PE that makes the call
  std::uint32_t number = 0;  ///< distinguishes the calls of one PE

  friend bool operator==(const caller&, const caller&) = default;
};

/// The description of a collective call on one PE. The description has the same meaning on all PEs.
struct collective_call {
  place_name kind = 0;      ///< name of a collective_kind; 0 if not known
  std::uint64_t where = 0;  ///< line of the call, as a site_word
  /// number of bytes of this PE's elements if the number must be equal on all PEs; 0 otherwise
  std::uint64_t bytes = 0;
  std::int32_t root = -1;    ///< PE that is the root; -1 if the collective has no root
  std::int32_t caller = -1;  ///< the PE that makes the call
  memory::caller of;         ///< the call of a library function that led to this collective, if any
};

/// Returns the description of a collective call on this PE.
collective_call call_of(const collective_kind& kind, std::uint64_t bytes, int root, site where);

/// Returns true if two calls can be parts of one collective. The two calls may be on different
/// lines of the program. The combining functions of the two calls may have different template
/// arguments. For example, `std::plus<int>` matches `std::plus<>`. Two closures match only if they
/// are the same lambda expression in the source. An unknown property matches any value.
bool match(const collective_call& a, const collective_call& b);

/// Ends the job with an error that names two calls which do not match. The job cannot continue,
/// because other PEs wait in a collective for this PE. Throws `job_ended`.
[[noreturn]] void end_by_difference(const collective_call& a, const collective_call& b);

/// A call of a library function by one task, and the number of collectives that the calling PE had
/// entered before.
struct begun_call {
  caller of;
  std::uint64_t entered = 0;
};

/// Ends the job with an error: this PE began its part of the call `begun`, but had entered more
/// collectives than the calling PE. `next` is the first collective that only this PE had entered,
/// or null if not known.
[[noreturn]] void end_by_overlap(const begun_call& begun, const collective_call* next);

/// Ends the job with an error: on one PE, a task entered the collective `enters` while another task
/// worked on the library call `active`.
[[noreturn]] void end_by_overlap(const caller& active, const collective_call& enters);

}  // namespace atl::memory
