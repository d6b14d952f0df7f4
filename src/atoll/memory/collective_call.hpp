#pragma once
// Each PE describes itself in each collective, so that calls that do not match are found. PEs that
// called different collectives, or used other types or sizes, would otherwise take garbage for a
// result.

#include "atoll/base/modules.hpp"
#include "atoll/base/site.hpp"

#include <cstdint>
#include <string>

namespace atl::memory {

/// The constant part of a collective call in a program, one for each form of call.
struct collective_kind {
  const char* call;                 ///< its name
  const char* element = nullptr;    ///< text with the type of elements (`text_of_type`), or null
  const char* operation = nullptr;  ///< likewise, of the combining function
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

/// A call that one task of the job makes, and that performs its work by collectives of all PEs. The
/// object is a constant of the program.
struct call_of_one {
  const char* name;     ///< "bfs"
  const char* for_all;  ///< the form that every PE calls: "all_bfs"; null: there is none
};

/// A call of one task and its place, in a form that means the same on all PEs.
struct caller {
  place_name call = 0;       ///< of a call_of_one; 0: of the program itself
  std::uint64_t where = 0;   ///< its site_word
  std::int32_t pe = -1;      ///< that calls it
  std::uint32_t number = 0;  ///< distinguishes the calls of that PE

  friend bool operator==(const caller&, const caller&) = default;
};

/// A collective call on one PE, in a form that means the same on all PEs.
struct collective_call {
  place_name kind = 0;       ///< of a collective_kind; 0: not known
  std::uint64_t where = 0;   ///< its site_word
  std::uint64_t bytes = 0;   ///< of its elements, if equal on all PEs
  std::int32_t root = -1;    ///< -1: all PEs are equal
  std::int32_t caller = -1;  ///< the PE
  memory::caller of;         ///< the named call that it is a part of, if any
};

/// Returns the description of a call on this PE.
collective_call call_of(const collective_kind& kind, std::uint64_t bytes, int root, site where);

/// Returns true if two calls can be parts of one collective. Their lines may differ. Operations may
/// differ in template arguments (`std::plus<int>` and `std::plus<>`), but not be closures of two
/// lines. Unknown properties match.
bool match(const collective_call& a, const collective_call& b);

/// Ends the job with an error that names both calls, because other PEs wait for this PE. Throws
/// `job_ended`.
[[noreturn]] void end_by_difference(const collective_call& a, const collective_call& b);

/// A caller, and the number of collectives that its PE had entered.
struct begun_call {
  caller of;
  std::uint64_t entered = 0;
};

/// Ends the job with an error: this PE had entered more collectives than the calling PE when its
/// part of a call began. The parameter `next` is the first of them, or null if it is not known.
[[noreturn]] void end_by_overlap(const begun_call& begun, const collective_call* next);

/// Ends the job with an error: a task entered a collective while another task did its part of a
/// call.
[[noreturn]] void end_by_overlap(const caller& active, const collective_call& enters);

}  // namespace atl::memory
