#pragma once
// Each PE describes each of its collective calls, so that the runtime finds calls that do not
// match. If PEs called different collectives, or used other types or sizes, they would otherwise
// take garbage for a result.

#include "atoll/base/modules.hpp"
#include "atoll/base/site.hpp"

#include <cstdint>
#include <string>

namespace atl::memory {

/// The properties of a collective call that are constants of the program. Each form of call has one
/// such object.
struct collective_kind {
  const char* call;               ///< name of the call
  const char* element = nullptr;  ///< text with the type of the elements (`text_of_type`), or null
  const char* operation = nullptr;  ///< text with the type of the combining function, or null
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

/// A call that one task of the job makes, and that does its work by collectives of all PEs. The
/// object is a constant of the program.
struct call_of_one {
  const char* name;     ///< name of the call, as in "bfs"
  const char* for_all;  ///< the form that every PE calls, as in "all_bfs"; null if there is none
};

/// A call of one task and the place of the call, in a form that means the same on all PEs.
struct caller {
  place_name call = 0;       ///< name of a call_of_one; 0 for the program itself
  std::uint64_t where = 0;   ///< the call's place as a site_word
  std::int32_t pe = -1;      ///< the PE that makes the call
  std::uint32_t number = 0;  ///< distinguishes the calls of that PE

  friend bool operator==(const caller&, const caller&) = default;
};

/// A collective call on one PE, in a form that means the same on all PEs.
struct collective_call {
  place_name kind = 0;       ///< name of a collective_kind; 0 if not known
  std::uint64_t where = 0;   ///< the call's place as a site_word
  std::uint64_t bytes = 0;   ///< bytes of the elements, if equal on all PEs
  std::int32_t root = -1;    ///< PE that is the root; -1 if all PEs are equal
  std::int32_t caller = -1;  ///< the PE that makes the call
  memory::caller of;         ///< the named call that this call is a part of, if any
};

/// Returns the description of a collective call on this PE.
collective_call call_of(const collective_kind& kind, std::uint64_t bytes, int root, site where);

/// Returns true if two calls can be parts of one collective. The lines of the two calls in the
/// source may differ. The operations of the two calls may differ in template arguments
/// (`std::plus<int>` and `std::plus<>`), but closures must be of the same line. An unknown property
/// matches any value.
bool match(const collective_call& a, const collective_call& b);

/// Ends the job with an error that names both calls. The job cannot continue, because other PEs
/// wait in a collective for this PE. Throws `job_ended`.
[[noreturn]] void end_by_difference(const collective_call& a, const collective_call& b);

/// A call of one task, and the number of collectives that the calling PE had entered before this
/// call.
struct begun_call {
  caller of;
  std::uint64_t entered = 0;
};

/// Ends the job with an error. When this PE's part of the call `begun` began, this PE had entered
/// more collectives than the calling PE. `next` is the first of these additional collectives, or
/// null if not known.
[[noreturn]] void end_by_overlap(const begun_call& begun, const collective_call* next);

/// Ends the job with an error: a task entered the collective `enters` while another task did its
/// part of the call `active`.
[[noreturn]] void end_by_overlap(const caller& active, const collective_call& enters);

}  // namespace atl::memory
