#pragma once
// What a PE says of itself in each collective, so that calls which do not match are found: PEs that
// call another one, or with other types or sizes, would take garbage for a result.

#include "atoll/base/modules.hpp"
#include "atoll/base/site.hpp"

#include <cstdint>
#include <string>

namespace atl::memory {

/// What stands in the program: a constant of each form of call.
struct collective_kind {
  const char* call;                 ///< its name
  const char* element = nullptr;    ///< text with the type of elements (`text_of_type`), or null
  const char* operation = nullptr;  ///< likewise, of what combines them
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

/// A call that one task of the job makes, and that has work done by collectives of all PEs: a
/// constant of the program.
struct call_of_one {
  const char* name;     ///< "bfs"
  const char* for_all;  ///< the form that every PE calls: "all_bfs"; null: there is none
};

/// Which of these calls, and where; in words that mean the same on all PEs.
struct caller {
  place_name call = 0;       ///< of a call_of_one; 0: of the program itself
  std::uint64_t where = 0;   ///< its site_word
  std::int32_t pe = -1;      ///< that calls it
  std::uint32_t number = 0;  ///< tells it from others of that PE

  friend bool operator==(const caller&, const caller&) = default;
};

/// A call on one PE, in words that mean the same on all.
struct collective_call {
  place_name kind = 0;       ///< of a collective_kind; 0: the PE has not said it
  std::uint64_t where = 0;   ///< its site_word
  std::uint64_t bytes = 0;   ///< of its elements, where all PEs give as many
  std::int32_t root = -1;    ///< -1: all PEs are equal
  std::int32_t caller = -1;  ///< the PE
  memory::caller of;         ///< what it is a part of, if it has a name
};

/// That of this PE.
collective_call call_of(const collective_kind& kind, std::uint64_t bytes, int root, site where);

/// Whether the two can be parts of one collective. Their lines may differ, and the operations where
/// only template arguments do (`std::plus<int>` and `std::plus<>`); closures of two lines differ.
/// What nobody has said matches.
bool match(const collective_call& a, const collective_call& b);

/// Ends the job with an error that names both, for others wait for this PE. Throws `job_ended`.
[[noreturn]] void end_by_difference(const collective_call& a, const collective_call& b);

/// A caller, and how many collectives its PE had entered.
struct begun_call {
  caller of;
  std::uint64_t entered = 0;
};

/// The same, where this PE has entered others when it begins its part of a call; `next`: the
/// first one beyond those, where it is known.
[[noreturn]] void end_by_overlap(const begun_call& begun, const collective_call* next);

/// The same, where a task enters a collective while another one does its part of a call.
[[noreturn]] void end_by_overlap(const caller& active, const collective_call& enters);

}  // namespace atl::memory
