#pragma once
// Makes keys by a function of the program.

#include "atoll/loops.hpp"
#include "atoll/sort.hpp"

#include <cstdint>
#include <exception>
#include <functional>
#include <span>
#include <string>

namespace atl {
namespace kernels::sort {

/// A function that fills a span with the next keys of a sequence.
using next_keys = std::function<void(std::span<std::uint64_t>)>;

/// Returns a function that makes the keys of `make`, beginning with key number `first`.
template <key_maker Make>
next_keys keys_from(const Make& make, std::uint64_t first) {
  return [next = make(first)](std::span<std::uint64_t> some) mutable {
    for (std::uint64_t& each : some) each = next();
  };
}

/// If `keys` keys are divided equally among all PEs, returns the index of this PE's first key.
std::uint64_t first_of_share(std::uint64_t keys);

/// Fills this PE's equal share of `keys` with keys from `made`. Throws `error` (input) if a key has
/// too many bits.
task<> take_made(const global_keys& keys, const next_keys& made);

/// Checks sorted keys. Returns a description of the first error in one line, or "" if the keys are
/// right. `made` must make this PE's share of the expected keys again. Every PE calls this
/// function.
task<std::string> all_complaint(const global_keys& keys, const next_keys& made);

/// If the text `complaint` is not empty, throws `error` (wrong_result) with this text.
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
