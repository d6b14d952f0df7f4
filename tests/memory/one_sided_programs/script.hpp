#pragma once
// Handwritten programs of one-sided access, with the results of their steps.

#include "memory/one_sided_programs/checker.hpp"

namespace atl::test::access {

class script {
 public:
  explicit script(int pes) { plan_.pes = pes; }

  script& put(int pe, place at, word value, int words = 1) {
    return add({.kind = step_kind::put, .pe = pe, .at = at, .words = words, .value = value});
  }
  script& put_signal(int pe, place at, word value, int signal, word signalled = 1) {
    return add({.kind = step_kind::put_signal_nbi,
                .pe = pe,
                .at = at,
                .value = value,
                .signal = signal,
                .signalled = signalled});
  }
  script& get(int pe, place at, std::vector<word> seen) {
    const int words = static_cast<int>(seen.size());
    return add({.kind = step_kind::get, .pe = pe, .at = at, .words = words}, std::move(seen));
  }
  script& get_nbi(int pe, place at, word seen) {
    return add({.kind = step_kind::get_nbi, .pe = pe, .at = at}, {seen});
  }

  script& set(int pe, place at, word value) {
    return add({.kind = step_kind::set, .pe = pe, .at = at, .value = value});
  }
  script& exchange(int pe, place at, word value, word seen) {
    return add({.kind = step_kind::exchange, .pe = pe, .at = at, .value = value}, {seen});
  }
  script& compare_exchange(int pe, place at, word expected, word value, word seen) {
    return add({.kind = step_kind::compare_exchange,
                .pe = pe,
                .at = at,
                .value = value,
                .expected = expected},
               {seen});
  }
  script& fetch(int pe, place at, word seen) {
    return add({.kind = step_kind::fetch, .pe = pe, .at = at}, {seen});
  }
  script& add_one(int pe, place at) { return add({.kind = step_kind::add, .pe = pe, .at = at}); }
  script& fetch_add(int pe, place at, word seen) {
    return add({.kind = step_kind::fetch_add, .pe = pe, .at = at}, {seen});
  }

  script& wait(int pe, int index, word least, word seen) {
    return add({.kind = step_kind::wait, .pe = pe, .at = {pe, index}, .value = least}, {seen});
  }
  script& fence(int pe) { return add({.kind = step_kind::fence, .pe = pe}); }
  script& quiet(int pe) { return add({.kind = step_kind::quiet, .pe = pe}); }
  script& barrier() { return add({.kind = step_kind::barrier}); }

  std::string fault() const { return fault_of(plan_, seen_); }

 private:
  script& add(const step& made, std::vector<word> seen = {}) {
    plan_.steps.push_back(made);
    seen_.push_back(std::move(seen));
    return *this;
  }

  program plan_;
  log seen_;
};

}  // namespace atl::test::access
