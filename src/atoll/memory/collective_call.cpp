#include "atoll/memory/collective_call.hpp"

#include "atoll/base/pe.hpp"
#include "atoll/collectives.hpp"
#include "atoll/error.hpp"
#include "atoll/memory/collective_state.hpp"
#include "atoll/transport/site_word.hpp"

#include <algorithm>
#include <string_view>

namespace atl::memory {
namespace {

/// Returns the `collective_kind` with the name `name`. Returns null if this PE has not loaded the
/// library that contains the object.
const collective_kind* kind_named(place_name name) {
  return reinterpret_cast<const collective_kind*>(this_pe().modules->address_of(name));
}

/// Returns the name of the type in `text`, which is a result of `text_of_type`. For example, the
/// type in "... text_of_type() [with T = double]" is "double". The compilers g++ and clang both
/// write the type behind "T =".
std::string_view type_in(const char* text) {
  std::string_view type = text == nullptr ? "" : text;
  constexpr std::string_view k_before = "T = ";
  type.remove_prefix(std::min(type.size(), type.find(k_before) + k_before.size()));
  return type.substr(0, type.rfind(']'));
}

bool is_closure(std::string_view type) { return type.find("lambda") != std::string_view::npos; }

/// Returns the name of a type without its template arguments. For a closure, returns the whole
/// name.
std::string_view name_in(std::string_view type) {
  return is_closure(type) ? type : type.substr(0, type.find('<'));
}

bool are_of_one_module(place_name a, place_name b) {
  const auto of_a = module_of(a);
  const auto of_b = module_of(b);
  return of_a && of_b && of_a->prefix == of_b->prefix;
}

/// Returns true if two calls of different kinds possibly use the same combining function. Different
/// closures of one module (program or shared library) can have the same text, so the text cannot
/// tell whether two closures are equal. Calls of different kinds that combine by closures therefore
/// never match.
bool operations_match(place_name a, place_name b) {
  const std::string_view of_a = type_in(kind_named(a)->operation);
  const std::string_view of_b = type_in(kind_named(b)->operation);
  if (name_in(of_a) != name_in(of_b)) return false;
  return !is_closure(of_a) || !are_of_one_module(a, b);
}

bool kinds_match(place_name a, place_name b) {
  if (a == b || a == 0 || b == 0) return true;
  const collective_kind* const of_a = kind_named(a);
  const collective_kind* const of_b = kind_named(b);
  if (of_a == nullptr || of_b == nullptr) return true;
  return std::string_view(of_a->call) == of_b->call && of_a->element_bytes == of_b->element_bytes &&
         type_in(of_a->element) == type_in(of_b->element) && operations_match(a, b);
}

/// Returns the library call with this name. Returns null if `name` is 0 or if this PE does not know
/// the name.
const call_of_one* call_named(place_name name) {
  if (name == 0) return nullptr;
  return reinterpret_cast<const call_of_one*>(this_pe().modules->address_of(name));
}

std::string line_of(std::uint64_t word) { return to_string(transport::site_of_word(word)); }

/// Returns a text for an error message, which describes what PE `pe` does in the library call
/// `one`.
std::string in_words(const caller& one, int pe) {
  const call_of_one* const call = call_named(one.call);
  const std::string text =
      fmt::format("{} at {}", call != nullptr ? call->name : "together", line_of(one.where));
  return one.pe == pe ? text : fmt::format("its part of what PE {} calls, {}", one.pe, text);
}

/// Returns advice for the programmer whose two calls `a` and `b` do not match.
std::string advice(const caller& a, const caller& b) {
  for (const caller& each : {a, b}) {
    const call_of_one* const call = call_named(each.call);
    if (call == nullptr || call->for_all == nullptr) continue;
    return fmt::format("one task of the job calls {}, and no PE is in another collective meanwhile;"
                       " where every PE calls, that is {}",
                       call->name, call->for_all);
  }
  return "all PEs call the same ones in one order, with the same types, sizes, operations and "
         "roots";
}

/// Returns the name of a call and its line. For a call of the C interface, returns only the name,
/// because `where` is a line within the library.
std::string name_and_line(const collective_kind& kind, std::uint64_t where) {
  if (std::string_view(kind.call).starts_with("shmem")) return kind.call;
  return fmt::format("{} at {}", kind.call, line_of(where));
}

/// Returns true if an error about this kind of call should state the number of elements. A
/// broadcast always has one element, so an error about a broadcast need not state the number.
bool counts_elements(const collective_kind& kind) {
  return std::string_view(kind.call) != "all_broadcast" && kind.element != nullptr;
}

std::string in_words(const collective_call& one) {
  const collective_kind* const kind = kind_named(one.kind);
  if (kind == nullptr) return fmt::format("an unknown collective at {}", line_of(one.where));
  std::string text = name_and_line(*kind, one.where);
  const char* separator = " (";
  const auto add = [&](const std::string& more) {
    text += separator + more;
    separator = ", ";
  };
  const std::uint64_t elements = one.bytes / kind->element_bytes;
  const std::string_view operation = type_in(kind->operation);
  if (one.bytes != 0 && counts_elements(*kind))
    add(fmt::format("{} element{}", elements, elements == 1 ? "" : "s"));
  if (kind->element != nullptr) add(fmt::format("of type {}", type_in(kind->element)));
  if (!operation.empty())
    add(fmt::format("combined by {}", is_closure(operation) ? "a closure" : operation));
  if (one.root >= 0) add(fmt::format("root {}", one.root));
  return *separator == ',' ? text + ')' : text;
}

/// Returns a text that describes the call in the program that led to the collective. If a library
/// function called the collective, the text names the library function, because lines within the
/// library mean nothing to the programmer.
std::string in_words_of_caller(const collective_call& one) {
  return call_named(one.of.call) != nullptr ? in_words(one.of, one.caller) : in_words(one);
}

[[noreturn]] void end_by_mistake(const std::string& text) {
  end_job(std::make_exception_ptr(error(errc::input, text)));
  throw transport::job_ended();
}

}  // namespace

collective_call call_of(const collective_kind& kind, std::uint64_t bytes, int root, site where) {
  const pe& self = this_pe();
  return {self.modules->name_of(reinterpret_cast<std::uintptr_t>(&kind)),
          transport::site_word(*self.modules, where),
          bytes,
          root,
          self.rank,
          self.collectives->caller_of(self.tasks->current())};
}

bool match(const collective_call& a, const collective_call& b) {
  if (a.kind == 0 || b.kind == 0) return true;
  return a.bytes == b.bytes && a.root == b.root && kinds_match(a.kind, b.kind);
}

void end_by_difference(const collective_call& a, const collective_call& b) {
  const bool in_order = a.caller <= b.caller;
  const collective_call& first = in_order ? a : b;
  const collective_call& second = in_order ? b : a;
  const bool are_of_one_call = first.of == second.of;
  const auto words = [=](const collective_call& one) {
    return are_of_one_call ? in_words(one) : in_words_of_caller(one);
  };
  end_by_mistake(
      fmt::format("the collectives of two PEs differ: PE {} calls {}, PE {} calls {}; {}",
                  first.caller, words(first), second.caller, words(second),
                  are_of_one_call ? advice({}, {}) : advice(first.of, second.of)));
}

void end_by_overlap(const begun_call& begun, const collective_call* next) {
  const std::string other = next != nullptr ? in_words_of_caller(*next) : "another collective";
  end_by_mistake(fmt::format(
      "two calls overlap, and each needs all PEs: PE {} calls {}, and PE {} is in {}; {}",
      begun.of.pe, in_words(begun.of, begun.of.pe), my_pe(), other,
      advice(begun.of, next != nullptr ? next->of : caller())));
}

void end_by_overlap(const caller& active, const collective_call& enters) {
  end_by_mistake(fmt::format(
      "two calls overlap, and each needs all PEs: PE {} calls {}, and PE {} calls {}; {}",
      active.pe, in_words(active, active.pe), enters.caller, in_words_of_caller(enters),
      advice(active, enters.of)));
}

}  // namespace atl::memory
