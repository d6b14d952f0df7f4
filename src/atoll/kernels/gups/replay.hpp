#pragma once
// What the table of GUPS must hold after a pass, found out by the definition of the benchmark and
// by no arithmetic of the run: the stream of HPCC step by step, word and owner by division.

#include "atoll/atoll.hpp"

#include <span>

namespace atl::kernels::gups {

/// Calls body(k) for 0 <= k < count; other tasks and messages run now and then.
template <class Body>
task<> in_slices(std::uint64_t count, Body body) {
  constexpr std::uint64_t most_a_slice = 1 << 18;
  for (std::uint64_t k = 0; k < count;) {
    for (const auto stop = std::min(count, k + most_a_slice); k < stop; ++k) body(k);
    co_await yield();
  }
}

/// The words of one PE: the table is dealt in blocks of one size.
class replayed_words {
 public:
  /// `mine` is memory of its own, as large as the words of this PE.
  explicit replayed_words(std::span<std::uint64_t> mine)
      : pes_(static_cast<std::uint64_t>(pes())),
        pe_(static_cast<std::uint64_t>(my_pe())),
        mine_(mine) {}

  /// As the table is before any update, and after an even number of passes.
  task<> begin() {
    const auto set = [this](std::uint64_t k) { mine_[k] = pe_ * mine_.size() + k; };
    co_await in_slices(mine_.size(), set);
  }

  /// One pass from the beginning. Returns how many updates of these words another PE issues.
  task<std::uint64_t> pass(std::uint64_t updates) {
    co_await begin();
    std::uint64_t number = 1, of_others = 0;
    const auto replay = [&](std::uint64_t k) {
      number = number >> 63 != 0 ? number << 1 ^ 7 : number << 1;
      const std::uint64_t word = number % (pes_ * mine_.size());
      if (word / mine_.size() != pe_) return;
      mine_[word % mine_.size()] ^= number;
      of_others += issuer(k, updates) != pe_ ? 1 : 0;
    };
    co_await in_slices(updates, replay);
    co_return of_others;
  }

  /// How many of the table's words of this PE differ.
  task<std::uint64_t> differences(std::span<const std::uint64_t> table) const {
    std::uint64_t found = table.size() == mine_.size() ? 0 : 1;
    const auto compare = [&](std::uint64_t k) { found += table[k] != mine_[k] ? 1 : 0; };
    co_await in_slices(std::min(table.size(), mine_.size()), compare);
    co_return found;
  }

 private:
  /// Who issues update k: all PEs the same number in turn, the first PEs one more where that does
  /// not come out even.
  std::uint64_t issuer(std::uint64_t k, std::uint64_t updates) const {
    const std::uint64_t fewest = updates / pes_;
    const std::uint64_t with_one_more = updates % pes_;
    const std::uint64_t of_those = with_one_more * (fewest + 1);
    return k < of_those ? k / (fewest + 1) : with_one_more + (k - of_those) / fewest;
  }

  std::uint64_t pes_;
  std::uint64_t pe_;
  std::span<std::uint64_t> mine_;
};

}  // namespace atl::kernels::gups
