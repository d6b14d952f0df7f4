#pragma once
// Where traversals have met: a set of pairs of their roots, over all PEs. Its forms differ in
// nothing but how the pairs get there.

#include "atoll/atoll.hpp"

#include <algorithm>
#include <vector>

namespace atl::reproduction::cc {

enum class set_form : std::uint8_t {
  delegates,  ///< by hand: every insert is a delegate to the owner of the pair, which has a table
  simple,     ///< a global set whose inserts are not combined
  combining,  ///< a global set whose inserts are combined on each PE
  tuned       ///< each PE gathers its own set; they are merged, without waiting, in the end
};

/// The roots of two traversals.
template <class Id>
struct meeting {
  Id smaller;
  Id larger;

  static meeting of(Id a, Id b) { return {std::min(a, b), std::max(a, b)}; }
  friend bool operator==(const meeting&, const meeting&) = default;
};

/// The handle is trivially copyable.
template <class Id>
class meeting_set {
 public:
  meeting_set() = default;

  /// One task makes it for all PEs.
  static task<meeting_set> make(set_form form) {
    meeting_set made;
    made.form_ = form;
    made.own_ = co_await per_pe<local_hash_set<meeting<Id>>>::make();
    const auto mode = form == set_form::combining ? combining_mode::local : combining_mode::none;
    made.all_ = co_await global_hash_set<meeting<Id>>::make(combining_options(mode));
    co_return made;
  }

  task<> destroy() const {
    co_await all_.destroy();
    co_await own_.destroy();
  }

  set_form form() const { return form_; }

  /// Without pairs again. Every PE calls it.
  task<> all_clear() const {
    own_->clear();
    if (my_pe() == 0) co_await all_.clear();
    co_await all_barrier();
  }

  /// Inserts in the form `tuned`: this PE alone knows of it until `all_merge`.
  void gather(const meeting<Id>& one) const { own_->insert(one); }

  /// Awaitables that insert, in the forms that wait: `delegates`, and the others.
  auto insert_by_hand(const meeting<Id>& one) const {
    return call(all_.owner(one), [own = own_, one] { return own->insert(one); });
  }
  auto insert(const meeting<Id>& one) const { return all_.insert(one); }

  /// What PEs have gathered becomes known to all. Every PE calls it.
  task<> all_merge() const {
    if (form_ != set_form::tuned) co_return;
    std::vector<meeting<Id>> gathered;
    own_->for_each([&](const meeting<Id>& one) { gathered.push_back(one); });
    const auto send = [&](std::uint64_t i) { all_.async_insert(gathered[i]); };
    co_await local_parallel_for(0, gathered.size(), send);
    co_await all_barrier();
  }

  /// How many inserts have gone from this PE to others since it was made, but for those by hand.
  std::uint64_t sent_here() const { return all_.local_sent(); }

  /// The pairs that this PE owns, each once on all PEs.
  std::vector<meeting<Id>> owned() const {
    std::vector<meeting<Id>> found;
    const auto add = [&](const meeting<Id>& one) { found.push_back(one); };
    if (form_ == set_form::delegates)
      own_->for_each(add);
    else
      all_.for_each_local(add);
    return found;
  }

 private:
  set_form form_ = set_form::combining;
  per_pe<local_hash_set<meeting<Id>>> own_;
  global_hash_set<meeting<Id>> all_;
};

}  // namespace atl::reproduction::cc
