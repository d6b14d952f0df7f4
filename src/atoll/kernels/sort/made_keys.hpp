#pragma once
// Keys that a function of the program makes.

#include "atoll/loops.hpp"
#include "atoll/sort.hpp"

#include <cstdint>
#include <exception>
#include <functional>
#include <span>
#include <string>

namespace atl {
namespace kernels::sort {

/// Stores the next keys of a sequence.
using next_keys = std::function<void(std::span<std::uint64_t>)>;

/// Returns the keys of `make` from number `first` on.
template <key_maker Make>
next_keys keys_from(const Make& make, std::uint64_t first) {
  return [next = make(first)](std::span<std::uint64_t> some) mutable {
    for (std::uint64_t& each : some) each = next();
  };
}

/// Returns the number of the first key of this PE, if it has its equal share.
std::uint64_t first_of_share(std::uint64_t keys);

/// Gives this PE its equal share of the keys. Throws `error` (input) if one has too many bits.
task<> take_made(const global_keys& keys, const next_keys& made);

/// Returns the first error of sorted keys in one line, or "" if they are right. `made` has the
/// expected share of this PE. Every PE calls it.
task<std::string> all_complaint(const global_keys& keys, const next_keys& made);

/// Throws `error` (wrong_result) if there is a complaint.
void refuse_wrong(const std::string& complaint, site where);

}  // namespace kernels::sort

template <key_maker Make>
task<global_keys> make_keys(std::uint64_t size, unsigned bits, Make make, site where) {
  const global_keys made = co_await global_keys::make(size, bits, where);
  const auto take = [made, make]() -> task<> {
    const auto first = kernels::sort::first_of_share(made.size());
    co_await kernels::sort::take_made(made, kernels::sort::keys_from(make, first));
  };
  std::exception_ptr failure;
  try {
    co_await on_all_pes(take, where);
  } catch (...) {
    failure = std::current_exception();
  }
  if (failure != nullptr) {
    co_await made.destroy(where);
    std::rethrow_exception(failure);
  }
  co_return made;
}

template <key_maker Make>
task<> verify(global_keys keys, Make make, site where) {
  static constexpr memory::call_of_one k_verify{"verify", "all_verify"};
  keys.check_order(where);
  const memory::named_call call(k_verify, where);
  const auto compare = [keys, make]() -> task<std::string> {
    const auto first = kernels::sort::first_of_share(keys.size());
    co_return co_await kernels::sort::all_complaint(keys, kernels::sort::keys_from(make, first));
  };
  kernels::sort::refuse_wrong(co_await from_all_pes(compare, where), where);
}

}  // namespace atl
