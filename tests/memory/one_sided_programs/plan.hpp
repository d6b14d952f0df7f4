#pragma once
// A program of one-sided access is a list of steps. A step belongs to one PE or to all PEs. A PE
// performs its own steps in the order of the list, independently of other PEs. No step waits for
// the effect of a later step.

#include <compare>
#include <cstdint>
#include <vector>

namespace atl::test::access {

using word = std::uint64_t;

// Number of data words of each PE. Only puts write data words. Each put has values of its own, so
// that a value shows which step wrote it.
inline constexpr int k_data_words = 4;
/// The first of two words that atomic operations change. Each atomic operation stores a value that
/// no other operation stores.
inline constexpr int k_first_exchanged = 4;
inline constexpr int k_exchanged_words = 2;
inline constexpr int k_counter = 6;  ///< The word that atomic operations increase by one.
inline constexpr int k_signals = 7;  ///< The word that puts with a signal increase by one.
/// The first of the flags. Each PE has a flag of its own, in which it stores the numbers 1, 2, 3
/// and so on.
inline constexpr int k_first_flag = 8;
inline constexpr int k_most_pes = 8;
inline constexpr int k_words = k_first_flag + k_most_pes;

/// The values of data words are multiples of `k_both_halves`, so both halves of a word are equal. A
/// word that is only half written has unequal halves.
inline constexpr word k_both_halves = 0x1'0000'0001;

struct place {
  int pe = 0;
  int index = 0;

  bool is_counted() const { return index == k_counter || index == k_signals; }
  friend auto operator<=>(const place&, const place&) = default;
};

enum class step_kind : std::uint8_t {
  put,
  put_nbi,
  put_signal,
  put_signal_nbi,
  get,
  get_nbi,
  load,  ///< The PE reads its own words by plain loads.
  set,
  exchange,
  compare_exchange,
  fetch,
  add,
  fetch_add,
  wait,  ///< The PE waits until one of its words is at least `value`.
  fence,
  quiet,
  barrier  ///< A barrier of all PEs, which first completes all accesses of each PE.
};

struct step {
  step_kind kind = step_kind::barrier;
  int pe = 0;
  place at = {};  ///< The first word that the step accesses.
  int words = 1;  ///< number of words that a put or a get transfers
  /// The value that the step writes to the first word, or the value for which the step waits.
  word value = 0;
  word expected = 0;  ///< the value that compare_exchange expects
  int signal = 0;     ///< number of the signal word, for a put with signal
  word signalled = 0;
  int pause = 0;  ///< The number of times that the PE yields to other tasks before the step.

  bool has_signal() const {
    return kind == step_kind::put_signal || kind == step_kind::put_signal_nbi;
  }
  bool puts() const { return kind == step_kind::put || kind == step_kind::put_nbi || has_signal(); }
  bool gets() const {
    return kind == step_kind::get || kind == step_kind::get_nbi || kind == step_kind::load;
  }
  bool adds() const { return kind == step_kind::add || kind == step_kind::fetch_add; }

  /// Returns true if the step can still change words after it has returned, until the PE's next
  /// quiet returns.
  bool changes_later() const { return puts() || kind == step_kind::set || kind == step_kind::add; }
  /// Returns true if the step is an atomic operation that returns a value. The word has been
  /// changed when the operation returns.
  bool changes_at_once() const {
    return kind == step_kind::exchange || kind == step_kind::compare_exchange ||
           kind == step_kind::fetch_add;
  }
  /// Returns the number of words that the step returns.
  std::size_t returned() const {
    if (gets()) return static_cast<std::size_t>(words);
    const bool reads = kind == step_kind::fetch || kind == step_kind::wait || changes_at_once();
    return reads ? 1 : 0;
  }
  word value_of(int k) const { return value + static_cast<word>(k) * k_both_halves; }
  place word_at(int k) const { return {at.pe, at.index + k}; }
};

struct program {
  std::uint64_t seed = 0;
  int pes = 1;
  std::vector<step> steps;
};

/// For each step, the words that the step returned.
using log = std::vector<std::vector<word>>;

}  // namespace atl::test::access
