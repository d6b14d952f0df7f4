#pragma once
// Generates random programs of one-sided access. The programs use few words, so that steps of
// different PEs often access the same word.

#include "atoll/random.hpp"
#include "memory/one_sided_programs/plan.hpp"

#include <array>
#include <map>
#include <utility>

namespace atl::test::access {

class generator {
 public:
  generator(std::uint64_t seed, int pes) : random_(seed, 0x6f6e65) {
    made_.seed = seed;
    made_.pes = pes;
    hot_ = any_pe();
    const std::size_t most = 20 + below(35);
    while (made_.steps.size() < most) add_one();
    add({.kind = step_kind::barrier});
    read_all();
  }

  program take() { return std::move(made_); }

 private:
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_.below(bound)); }
  int up_to(int most) { return static_cast<int>(below(static_cast<std::size_t>(most) + 1)); }
  bool one_in(std::size_t count) { return below(count) == 0; }
  int any_pe() { return up_to(made_.pes - 1); }
  int any_target() { return one_in(3) ? any_pe() : hot_; }

  void add(step made) {
    made.pause = one_in(3) ? 1 + up_to(5) : 0;
    if (made.has_signal() && made.signal == k_signals) ++added_[{made.at.pe, k_signals}];
    if (made.adds()) ++added_[made.at];
    made_.steps.push_back(made);
  }

  /// Returns a value that no other step stores. A put of several words also stores the next values,
  /// which no other step stores either.
  word new_value() const { return k_both_halves * 10 * (made_.steps.size() + 1); }

  void add_one() {
    using member = void (generator::*)();
    constexpr std::array<std::pair<std::size_t, member>, 9> k_kinds = {
        {{20, &generator::put},
         {14, &generator::get},
         {18, &generator::change_exchanged},
         {10, &generator::count},
         {22, &generator::tell},
         {6, &generator::signal},
         {4, &generator::wait_for_adds},
         {5, &generator::order},
         {1, &generator::meet}}};
    std::size_t chosen = below(100);
    for (const auto& [weight, make] : k_kinds) {
      if (chosen < weight) return (this->*make)();
      chosen -= weight;
    }
  }

  void put() { put_from(any_pe(), any_target()); }
  void get() { get_by(any_pe(), any_target()); }
  void order() { add({.kind = one_in(2) ? step_kind::fence : step_kind::quiet, .pe = any_pe()}); }
  void meet() { add({.kind = step_kind::barrier}); }

  step of_some_words(step_kind kind, int pe, int target) {
    const int first = up_to(k_data_words - 1);
    const int words = one_in(2) ? 1 : 1 + up_to(k_data_words - 1 - first);
    return {.kind = kind, .pe = pe, .at = {target, first}, .words = words};
  }

  void put_from(int pe, int target) {
    const auto kind = one_in(3) ? step_kind::put_nbi : step_kind::put;
    step made = of_some_words(kind, pe, target);
    made.value = new_value();
    add(made);
  }

  void get_by(int pe, int target) {
    add(of_some_words(one_in(4) ? step_kind::get_nbi : step_kind::get, pe, target));
  }

  place exchanged_of(int pe) { return {pe, k_first_exchanged + up_to(k_exchanged_words - 1)}; }

  void change_exchanged() {
    constexpr std::array k_kinds = {step_kind::exchange, step_kind::compare_exchange,
                                    step_kind::set, step_kind::fetch};
    change(k_kinds[below(k_kinds.size())], any_pe(), exchanged_of(any_target()));
  }

  void change(step_kind kind, int pe, place at) {
    step made = {.kind = kind, .pe = pe, .at = at};
    std::vector<word>& stored = stored_[at];
    if (stored.empty()) stored.push_back(0);
    if (made.kind == step_kind::compare_exchange)
      made.expected = one_in(2) ? stored.back() : stored[below(stored.size())];
    if (made.kind != step_kind::fetch) stored.push_back(made.value = new_value());
    add(made);
  }

  void count() {
    constexpr std::array k_kinds = {step_kind::add, step_kind::fetch_add, step_kind::fetch_add,
                                    step_kind::fetch};
    const place at = {any_target(), k_counter};
    add({.kind = k_kinds[below(k_kinds.size())], .pe = any_pe(), .at = at});
  }

  step put_with_signal(int pe, int target) {
    const auto kind = one_in(2) ? step_kind::put_signal : step_kind::put_signal_nbi;
    step made = of_some_words(kind, pe, target);
    if (one_in(2)) made.at.index = 0, made.words = k_data_words;
    made.value = new_value();
    return made;
  }

  void signal() {
    step made = put_with_signal(any_pe(), any_target());
    made.signal = k_signals;
    made.signalled = 1;
    add(made);
  }

  /// Makes a PE wait until adds of earlier steps have increased one of its words. Usually the PE
  /// waits for all earlier adds to the word. After the wait, the PE reads the data of puts that
  /// preceded the adds.
  void wait_for_adds() {
    for (const int index : {k_signals, k_counter}) {
      const place at = {any_target(), index};
      const word most = added_[at];
      if (most == 0) continue;
      const word least = one_in(3) ? 1 + below(most) : most;
      add({.kind = step_kind::wait, .pe = at.pe, .at = at, .value = least});
      return look(at.pe);
    }
  }

  /// Lets a PE `pe` put data into the memory of a PE `target`, and then set a flag there. `target`
  /// waits for the flag and then reads the data.
  void tell() {
    const int pe = any_pe(), target = any_target();
    const place flag = {target, k_first_flag + pe};
    word& told = told_[flag];
    for (int k = up_to(2); k > 0; --k) store_from(pe, target);
    const bool may_overtake = told == 0 && one_in(6);
    if (!may_overtake) add({.kind = one_in(4) ? step_kind::quiet : step_kind::fence, .pe = pe});
    put_flag(pe, flag, ++told);
    for (int k = up_to(4); k > 2; --k) add_one();
    if (one_in(8)) return;
    add({.kind = step_kind::wait, .pe = target, .at = flag, .value = told_[flag]});
    for (int k = up_to(2); k > 0; --k) one_in(4) ? get_by(target, any_pe()) : look(target);
  }

  void store_from(int pe, int target) {
    if (!one_in(3)) return put_from(pe, target);
    if (one_in(2)) return change(step_kind::set, pe, exchanged_of(target));
    add({.kind = step_kind::add, .pe = pe, .at = {target, k_counter}});
  }

  /// Lets a PE read its own words.
  void look(int pe) {
    if (one_in(4)) return add({.kind = step_kind::fetch, .pe = pe, .at = exchanged_of(pe)});
    const int words = one_in(2) ? k_data_words : k_counter + 1;
    constexpr std::array k_kinds = {step_kind::load, step_kind::load, step_kind::get,
                                    step_kind::get_nbi};
    add({.kind = k_kinds[below(k_kinds.size())], .pe = pe, .at = {pe, 0}, .words = words});
  }

  void put_flag(int pe, place flag, word number) {
    if (one_in(3)) {
      step made = put_with_signal(pe, flag.pe);
      made.signal = flag.index;
      made.signalled = number;
      add(made);
      return;
    }
    constexpr std::array k_kinds = {step_kind::put, step_kind::put_nbi, step_kind::set};
    add({.kind = k_kinds[below(k_kinds.size())], .pe = pe, .at = flag, .value = number});
  }

  void read_all() {
    for (int pe = 0; pe < made_.pes; ++pe) {
      add({.kind = step_kind::get, .pe = pe, .at = {pe, 0}, .words = k_data_words});
      for (const int index : {k_first_exchanged, k_first_exchanged + 1, k_counter, k_signals})
        add({.kind = step_kind::fetch, .pe = pe, .at = {pe, index}});
      add({.kind = step_kind::get, .pe = pe, .at = {pe, k_first_flag}, .words = made_.pes});
    }
  }

  random_stream random_;
  program made_;
  int hot_ = 0;                                // the PE that most steps access
  std::map<place, word> told_;                 // the last number that was stored in each flag
  std::map<place, word> added_;                // the number of adds to each counter
  std::map<place, std::vector<word>> stored_;  // the values that atomics stored in each word
};

/// Returns the program of this seed; it is the same on each PE.
inline program program_of(std::uint64_t seed, int pes) { return generator(seed, pes).take(); }

}  // namespace atl::test::access
