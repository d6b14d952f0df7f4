#pragma once
// Where the operations of one PE's tasks on a hash table gather. There is no master: each PE is the
// master of its keys, and batches go straight to the owners.

#include "atoll/combine/server.hpp"
#include "atoll/container/hash_proxy.hpp"

#include <algorithm>
#include <optional>

namespace atl::container {

template <class Key, class Value>
class hash_combiner {
 public:
  using proxy = hash_proxy<Key, Value>;

  /// Once, before its first use.
  void open(const proxy& first, combining_options options) {
    combines_ = options.mode == combining_mode::local || options.mode == combining_mode::both;
    own_.emplace(first, options.batch_or(suitable_batch()),
                 [](auto& gathered) { return gathered.proxy.sync(gathered.waiting); });
  }

  /// Otherwise each operation travels alone.
  bool combines() const { return combines_; }

  combine::flat_combiner<proxy>& own() { return *own_; }
  const combining_statistics& statistics() const { return own_->statistics(); }

 private:
  // A message for each owner: with few requests for each, few of them are equal, and what a message
  // has of its own is most of its bytes.
  static std::uint64_t suitable_batch() {
    return std::max(combine::k_usual_batch, 8 * static_cast<std::uint64_t>(pes()));
  }

  bool combines_ = false;
  std::optional<combine::flat_combiner<proxy>> own_;
};

}  // namespace atl::container
