#pragma once
// A program of one-sided access is a list of steps. A step belongs to one PE or to all PEs. A PE
// performs its own steps in the order of the list, independent of other PEs. No step waits for a
// later step.

#include <compare>
#include <cstdint>
#include <vector>

namespace atl::test::access {

using word = std::uint64_t;

// The words of each PE. Each word is written in one way only, so that a value tells which step
// wrote it.
inline constexpr int k_data_words = 4;
inline constexpr int k_first_exchanged = 4;  ///< written by atomics, with values of their own
inline constexpr int k_exchanged_words = 2;
inline constexpr int k_counter = 6;     ///< atomics add one
inline constexpr int k_signals = 7;     ///< signals add one
inline constexpr int k_first_flag = 8;  ///< one for each PE, which stores 1, 2, ... there
inline constexpr int k_most_pes = 8;
inline constexpr int k_words = k_first_flag + k_most_pes;

/// Values are multiples of this number, so that half a word is never taken for another value.
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
  load,  ///< a PE reads its own words, as the processor does
  set,
  exchange,
  compare_exchange,
  fetch,
  add,
  fetch_add,
  wait,  ///< waits until a word of the PE is at least `value`
  fence,
  quiet,
  barrier  ///< of all PEs, each behind its quiet
};

struct step {
  step_kind kind = step_kind::barrier;
  int pe = 0;
  place at = {};      ///< the first word
  int words = 1;      ///< of a put or a get
  word value = 0;     ///< stored in the first word, or waited for
  word expected = 0;  ///< value that compare_exchange expects
  int signal = 0;     ///< number of the signal word, for a put with signal
  word signalled = 0;
  int pause = 0;  ///< number of times that other tasks run before

  bool has_signal() const {
    return kind == step_kind::put_signal || kind == step_kind::put_signal_nbi;
  }
  bool puts() const { return kind == step_kind::put || kind == step_kind::put_nbi || has_signal(); }
  bool gets() const {
    return kind == step_kind::get || kind == step_kind::get_nbi || kind == step_kind::load;
  }
  bool adds() const { return kind == step_kind::add || kind == step_kind::fetch_add; }

  /// Returns whether the step changes words at some time before the next quiet returns, as a put
  /// does.
  bool changes_later() const { return puts() || kind == step_kind::set || kind == step_kind::add; }
  /// Returns whether the step is an atomic operation that returns a value. When such an operation
  /// returns, its change has happened.
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

/// The results of each step, in the order of its words.
using log = std::vector<std::vector<word>>;

}  // namespace atl::test::access
