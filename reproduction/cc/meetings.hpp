#pragma once
// This file has a global set of pairs of roots whose traversals have met (traversals.hpp). The
// variants of the set (`set_form`) differ only in how pairs are inserted.

#include "atoll/atoll.hpp"

#include <algorithm>
#include <vector>

namespace atl::reproduction::cc {

enum class set_form : std::uint8_t {
  delegates,  ///< no global set: each insert is a message to the pair's owner, which executes it
  simple,     ///< a global set whose inserts are not combined
  combining,  ///< a global set whose inserts are combined on each PE
  tuned       ///< each PE first inserts into a local set; the sets of all PEs are merged at the end
};

/// The roots of two traversals that have met.
template <class Id>
struct meeting {
  Id smaller;
  Id larger;

  static meeting of(Id a, Id b) { return {std::min(a, b), std::max(a, b)}; }
  friend bool operator==(const meeting&, const meeting&) = default;
};

/// A global set of meetings (pairs of roots whose traversals have met). The object is trivially
/// copyable, so it can be sent to other PEs.
template <class Id>
class meeting_set {
 public:
  meeting_set() = default;

  /// Makes the set on all PEs. One task of the job calls this function.
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

  /// Removes all pairs. Every PE must call this function.
  task<> all_clear() const {
    own_->clear();
    if (my_pe() == 0) co_await all_.clear();
    co_await all_barrier();
  }

  /// Inserts a pair into the local set of this PE, for the variant `tuned`. `all_merge` later sends
  /// the pair to its owner.
  void gather(const meeting<Id>& one) const { own_->insert(one); }

  /// Returns an awaitable that inserts a pair. The function `insert_by_hand` is for the variant
  /// `delegates`. The function `insert` is for the variants `simple` and `combining`.
  auto insert_by_hand(const meeting<Id>& one) const {
    return call(all_.owner(one), [own = own_, one] { return own->insert(one); });
  }
  auto insert(const meeting<Id>& one) const { return all_.insert(one); }

  /// In the variant `tuned`, inserts the local sets of all PEs into the global set. In the other
  /// variants of `set_form`, does nothing. Every PE must call this function.
  task<> all_merge() const {
    if (form_ != set_form::tuned) co_return;
    std::vector<meeting<Id>> gathered;
    own_->for_each([&](const meeting<Id>& one) { gathered.push_back(one); });
    const auto send = [&](std::uint64_t i) { all_.async_insert(gathered[i]); };
    co_await local_parallel_for(0, gathered.size(), send);
    co_await all_barrier();
  }

  /// Returns the number of inserts that this PE has sent to other PEs since the set was made. In
  /// the variant `delegates`, the result is 0.
  std::uint64_t sent_here() const { return all_.local_sent(); }

  /// Returns the pairs that this PE owns. Each pair has exactly one owner.
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
